"""Which of the providers in Placement the agent of a host answers for, and which of those have to go.

The host that reports a provider answers for all below it, whichever agent wrote the origins there: so what another
host's agent left behind below a node that moved here is cleared away even if that host is gone for good.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.origin import Origin


@dataclass(frozen=True, slots=True)
class Responsibility:
    """UUIDs of providers that Placement has and the host does not natively report (any more)."""

    # Below something that the host reports.
    below: frozenset[str]
    # Those, and everything else that the host's agent has added something to: its additions are its to take away.
    answered_for: frozenset[str]
    # Made by an agent, reported no more, and with nothing below that has to stay. The host's agent deletes them.
    leaving: frozenset[str]


def responsibility(
    observed: ProviderTree, origins: Mapping[str, Origin], native: Collection[str], host: str
) -> Responsibility:
    """Sort out what Placement has beside what the host natively reports."""
    inside = set(native)
    for provider in observed:
        if provider.parent_uuid in inside:
            inside.add(provider.uuid)
    below = inside.difference(native)
    own = {uuid for uuid, origin in origins.items() if origin.host == host and uuid in observed}
    answered_for = below | own.difference(native)
    made = {uuid for uuid in answered_for if uuid in origins and origins[uuid].made}
    return Responsibility(frozenset(below), frozenset(answered_for), frozenset(made - _needed(observed, native, made)))


def _needed(observed: ProviderTree, native: Collection[str], made: Collection[str]) -> set[str]:
    """The parents of what stays. What the host reports says itself where it wants to be, and needs nobody."""
    needed: set[str] = set()
    for provider in reversed(list(observed)):
        stays = provider.uuid not in made or provider.uuid in needed
        if stays and provider.uuid not in native and provider.parent_uuid is not None:
            needed.add(provider.parent_uuid)
    return needed


def stripped(provider: Provider, origin: Origin | None) -> Provider:
    """The provider with nothing but what others gave it."""
    if origin is None:
        return provider
    return replace(
        provider,
        inventories={name: held for name, held in provider.inventories.items() if name not in origin.inventories},
        traits=provider.traits.difference(origin.traits),
        aggregates=provider.aggregates.difference(origin.aggregates),
    )
