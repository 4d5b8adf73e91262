"""What goes over from a provider to those below it or above it, as when a host is divided into its NUMA nodes.

It is the same processors and the same memory, offered elsewhere. Offered in both places they would be given out twice,
so as long as somebody uses some of it, all of it stays where it is and as it was, and comes nowhere else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from moorage.hosts.agent.holding import InUse, only
from moorage.hosts.agent.observation import Observation
from moorage.hosts.desired import Desired
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.origin import Origin

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Move:
    """Resource classes that a provider is to lose, and those above or below it that are to get them."""

    # As it is now; the classes are the agent's own.
    provider: Provider
    resource_classes: frozenset[str]
    takers: tuple[Provider, ...]


@dataclass(frozen=True, slots=True)
class Postponed:
    """A move that waits, and because of which classes that somebody uses."""

    move: Move
    held: frozenset[str]


def moves(observed: Observation, wanted: Desired) -> tuple[Move, ...]:
    """All that goes over from one provider to another, whether anybody uses it or not."""
    found = []
    for uuid, origin in observed.origins.items():
        provider, rest = observed.tree.get(uuid), wanted.tree.get(uuid)
        if provider is None:
            continue
        lost = {name for name in origin.inventories if name in provider.inventories}
        lost.difference_update(rest.inventories if rest else ())
        if lost and (takers := tuple(_takers(provider, lost, observed.tree, wanted.tree))):
            found.append(Move(provider, _gained(takers, observed.tree) & lost, takers))
    return tuple(found)


def postpone(
    observed: Observation, wanted: Desired, planned: Iterable[Move], in_use: InUse
) -> tuple[Desired, tuple[Postponed, ...]]:
    """What is wanted, without the moves in trees where somebody uses what would move, and what keeps them waiting."""
    by_root: dict[str, list[Move]] = {}
    for move in planned:
        by_root.setdefault(observed.tree.root_of(move.provider.uuid).uuid, []).append(move)
    waiting: list[Postponed] = []
    for together in by_root.values():
        held = [
            Postponed(move, in_use.get(move.provider.uuid, frozenset()) & move.resource_classes) for move in together
        ]
        if any(each.held for each in held):
            wanted = _undone(observed, wanted, together)
            waiting += (each for each in held if each.held)
    return wanted, tuple(waiting)


def _takers(
    provider: Provider, lost: Collection[str], observed: ProviderTree, wanted: ProviderTree
) -> Iterator[Provider]:
    """Who is to get some of the classes: below the provider as it shall be, or above it as it is."""
    below = wanted.below(provider.uuid) if provider.uuid in wanted else ()
    above = (wanted[each.uuid] for each in observed.above(provider.uuid) if each.uuid in wanted)
    return (each for each in (*below, *above) if not _gained((each,), observed).isdisjoint(lost))


def _gained(providers: Iterable[Provider], observed: ProviderTree) -> frozenset[str]:
    return frozenset(
        name
        for provider in providers
        for name in provider.inventories
        if (present := observed.get(provider.uuid)) is None or name not in present.inventories
    )


def _undone(observed: Observation, wanted: Desired, together: Iterable[Move]) -> Desired:
    """The moves of one tree taken back: the classes are where they were, and still the agent's own there."""
    providers = {provider.uuid: provider for provider in wanted.tree}
    origins = dict(wanted.origins)
    for move in together:
        for taker in move.takers:
            uuid, gained = taker.uuid, _gained((taker,), observed.tree) & move.resource_classes
            providers[uuid] = replace(providers[uuid], inventories=_apart(providers[uuid].inventories, gained))
            if uuid in origins:
                origins[uuid] = replace(origins[uuid], inventories=_apart(origins[uuid].inventories, gained))
        uuid = move.provider.uuid
        if uuid in providers:
            before = observed.origins[uuid]
            now = origins.get(uuid) or Origin(before.host, made=before.made)
            stock = only(move.provider.inventories, move.resource_classes)
            sources = only(before.inventories, move.resource_classes)
            providers[uuid] = replace(providers[uuid], inventories={**providers[uuid].inventories, **stock})
            origins[uuid] = replace(now, inventories={**now.inventories, **sources})
    for provider in _staying(observed.tree, wanted.tree, together):
        providers[provider.uuid] = provider
        if provider.uuid in observed.origins:
            origins[provider.uuid] = observed.origins[provider.uuid]
    return Desired(ProviderTree(providers.values()), origins)


def _staying(observed: ProviderTree, wanted: ProviderTree, together: Iterable[Move]) -> Iterator[Provider]:
    """What was to go and stays as it is: those that would have lost something, and what of theirs they are below.

    One whose name somebody else gets meanwhile does go, since nobody uses it: the names of the others are not free.
    """
    for move in together:
        chain = [move.provider, *observed.above(move.provider.uuid)]
        leaving = [provider for provider in chain if provider.uuid not in wanted]
        if all(wanted.named(provider.name) is None for provider in leaving):
            yield from leaving


def _apart(values: Mapping[str, _Value], names: Collection[str]) -> dict[str, _Value]:
    return {name: value for name, value in values.items() if name not in names}
