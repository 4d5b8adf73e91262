"""What Placement should hold: what the host has and its files add, and beside that all that others own.

The new origins say which part of that is the agent's own, so that it can take away just that another time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isclose

from moorage.hosts.merging import Merged, Sources
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.hosts.responsibility import responsibility, stripped
from moorage.placement.model.inventory import Inventory
from moorage.placement.model.origin import Origin

_RATIO_PRECISION = 1e-5


@dataclass(frozen=True, slots=True)
class Desired:
    """The providers and origins that the agent brings Placement to."""

    tree: ProviderTree
    # By UUID: all origins as they shall be, also other hosts' that stay. One that is missing is to be forgotten.
    origins: Mapping[str, Origin]


def desired(observed: ProviderTree, origins: Mapping[str, Origin], merged: Merged, host: str) -> Desired:
    """What shall become of the observed providers (those that the host's providers were adopted by).

    Who owns what:
    - What the driver reports, and every inventory that a file adds, belongs to the agent from now on, also if somebody
      else had set it before: there is no way to have it twice, and it goes when nobody here asks for it any more.
    - A trait that only a file asks for and that somebody else had set stays theirs.
    - A provider is deleted by the agent that made it, or by that of the host its node has moved to, unless there is
      something below it that no agent made: then it stays, bare, until that has gone.
    - A provider that was there before is only stripped of what agents added.
    - What has an origin of another host, and is not below anything that this host reports, is not looked at.
    """
    others = responsibility(observed, origins, merged.native, host)
    providers: list[Provider] = []
    kept = {uuid: origin for uuid, origin in origins.items() if uuid not in observed and origin.host != host}
    for provider in observed:
        if provider.uuid in others.leaving or provider.uuid in merged.tree:
            continue
        origin = origins.get(provider.uuid)
        if provider.uuid in others.answered_for:
            providers.append(stripped(provider, origin))
            if origin is not None and origin.made:
                kept[provider.uuid] = Origin(host, made=True)
        else:
            providers.append(provider)
            if origin is not None:
                kept[provider.uuid] = origin
    for provider in merged.tree:
        present = observed.get(provider.uuid)
        origin = origins.get(provider.uuid)
        providers.append(_with_others_things(provider, present, origin))
        owned = _origin(merged.sources.get(provider.uuid, Sources()), present, origin, host)
        if provider.uuid in merged.native or owned != Origin(host):
            kept[provider.uuid] = owned
    return Desired(ProviderTree(providers), kept)


def _with_others_things(provider: Provider, present: Provider | None, origin: Origin | None) -> Provider:
    if present is None:
        return provider
    theirs = stripped(present, origin)
    ours = {name: _as_kept(wanted, present.inventories.get(name)) for name, wanted in provider.inventories.items()}
    return replace(
        provider,
        inventories={**theirs.inventories, **ours},
        traits=provider.traits | theirs.traits,
        aggregates=provider.aggregates | theirs.aggregates,
        generation=present.generation,
    )


def _as_kept(wanted: Inventory, present: Inventory | None) -> Inventory:
    """What is wanted, unless Placement has just that: on MySQL an upstream Placement keeps six digits of a ratio."""
    if present is None or not isclose(wanted.allocation_ratio, present.allocation_ratio, rel_tol=_RATIO_PRECISION):
        return wanted
    return present if replace(wanted, allocation_ratio=present.allocation_ratio) == present else wanted


def _origin(sources: Sources, present: Provider | None, before: Origin | None, host: str) -> Origin:
    """What of a provider is the agent's, and why."""
    own_traits = before.traits if before else {}
    theirs = present.traits.difference(own_traits) if present else frozenset()
    return Origin(
        host,
        present is None or (before is not None and before.made),
        sources.inventories,
        {name: source for name, source in sources.traits.items() if source.startswith("driver:") or name not in theirs},
        sources.aggregates,
    )
