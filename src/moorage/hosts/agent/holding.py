"""What cannot be taken away because somebody uses it: it stays, and all else goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from moorage.hosts.agent.observation import Observation
from moorage.hosts.desired import Desired
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.origin import Origin

# Resource classes of which something is in use, by provider.
InUse = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Kept:
    """A provider that should have gone, or whose inventories should have, had nobody been using them."""

    provider: Provider
    resource_classes: frozenset[str]
    # Whether the provider itself should have gone.
    whole: bool


def hold_back(observed: Observation, wanted: Desired, in_use: InUse) -> tuple[Desired, tuple[Kept, ...]]:
    """What can be done of what is wanted as long as this is in use, and what has to wait.

    A provider in use stays just as it is, and so does what it is below; they are still the agent's own, so that they go
    once they are free.
    """
    kept = tuple(_kept(observed.tree, wanted.tree, in_use))
    if not kept:
        return wanted, ()
    providers = {provider.uuid: provider for provider in wanted.tree}
    origins = dict(wanted.origins)
    for each in kept:
        uuid = each.provider.uuid
        before = observed.origins.get(uuid)
        if each.whole:
            staying = _with_ancestors(observed.tree, wanted.tree, uuid)
            providers |= {provider.uuid: provider for provider in staying}
            origins |= {
                provider.uuid: observed.origins[provider.uuid]
                for provider in staying
                if provider.uuid in observed.origins
            }
        else:
            stock = {name: each.provider.inventories[name] for name in each.resource_classes}
            providers[uuid] = replace(providers[uuid], inventories={**providers[uuid].inventories, **stock})
            if before is not None:
                origins[uuid] = _still_ours(
                    origins.get(uuid) or replace(before, traits={}, aggregates={}), before, stock
                )
    return Desired(ProviderTree(providers.values()), origins), kept


def _kept(observed: ProviderTree, wanted: ProviderTree, in_use: InUse) -> Iterator[Kept]:
    for uuid in in_use:
        provider = observed.get(uuid)
        if provider is None:
            continue
        held = in_use[uuid].intersection(provider.inventories)
        rest = wanted.get(uuid)
        staying = held if rest is None else held.difference(rest.inventories)
        if staying:
            yield Kept(provider, staying, whole=rest is None)


def _with_ancestors(observed: ProviderTree, wanted: ProviderTree, uuid: str) -> list[Provider]:
    """A provider and those above it that would have gone as well."""
    staying = []
    above: str | None = uuid
    while above is not None and above not in wanted:
        staying.append(observed[above])
        above = observed[above].parent_uuid
    return staying


def _still_ours(now: Origin, before: Origin, stock: Mapping[str, object]) -> Origin:
    sources = {name: before.inventories[name] for name in stock if name in before.inventories}
    return replace(now, inventories={**now.inventories, **sources})
