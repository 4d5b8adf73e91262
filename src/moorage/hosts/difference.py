"""The steps that turn one provider tree into another, in an order in which Placement accepts every single one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.inventory import Inventory


@dataclass(frozen=True, slots=True)
class CreateProvider:
    """Make a provider that has nothing yet."""

    uuid: str
    name: str
    parent_uuid: str | None


@dataclass(frozen=True, slots=True)
class RenameProvider:
    """Give a provider a name that is free."""

    uuid: str
    name: str


@dataclass(frozen=True, slots=True)
class MoveProvider:
    """Put a provider, with all below it, under another parent, or make it a root."""

    uuid: str
    parent_uuid: str | None


@dataclass(frozen=True, slots=True)
class SetInventories:
    """Replace all inventories of a provider."""

    uuid: str
    inventories: Mapping[str, Inventory]


@dataclass(frozen=True, slots=True)
class SetTraits:
    """Replace all traits of a provider."""

    uuid: str
    traits: frozenset[str]


@dataclass(frozen=True, slots=True)
class SetAggregates:
    """Replace all aggregates of a provider."""

    uuid: str
    aggregates: frozenset[str]


@dataclass(frozen=True, slots=True)
class DeleteProvider:
    """Delete a provider that has no children."""

    uuid: str


Step = CreateProvider | RenameProvider | MoveProvider | SetInventories | SetTraits | SetAggregates | DeleteProvider


def difference(old: ProviderTree, new: ProviderTree) -> tuple[Step, ...]:
    """What has to be done, and nothing else.

    What can go at once goes first, so that nothing is offered twice while it moves from one provider to another, and
    names become free. Capacity comes last to each provider, so that nobody is placed on it before it says what it is.
    """
    at_once, later = _deletions(old, new)
    left = {provider.uuid: provider for provider in old if provider.uuid not in at_once}
    return (
        *(DeleteProvider(uuid) for uuid in at_once),
        *_renamings(left, new),
        *_arrivals(left, new),
        *(DeleteProvider(uuid) for uuid in later),
    )


def _deletions(old: ProviderTree, new: ProviderTree) -> tuple[dict[str, None], dict[str, None]]:
    """What is deleted, children first: at once, and after somebody below it has moved away."""
    at_once: dict[str, None] = {}
    later: dict[str, None] = {}
    waited_for: set[str | None] = set()
    for provider in reversed(list(old)):
        if provider.uuid in new:
            waited_for.add(provider.parent_uuid)
        elif provider.uuid in waited_for:
            waited_for.add(provider.parent_uuid)
            later[provider.uuid] = None
        else:
            at_once[provider.uuid] = None
    return at_once, later


def _renamings(left: Mapping[str, Provider], new: ProviderTree) -> Iterator[RenameProvider]:
    """Each name is given when it is free; in a circle one steps aside, under a temporary name, until the end."""
    changing: dict[str, Provider] = {}
    for present in left.values():
        wanted = new.get(present.uuid)
        if wanted is not None and wanted.name != present.name:
            changing[present.name] = wanted
        elif wanted is None and new.named(present.name) is not None:
            yield RenameProvider(present.uuid, _temporary_name(present))
    for first in list(changing):
        chain = [first] if first in changing else []
        while chain and changing[chain[-1]].name in changing and changing[chain[-1]].name != first:
            chain.append(changing[chain[-1]].name)
        if chain and changing[chain[-1]].name == first:
            yield RenameProvider(changing[first].uuid, _temporary_name(changing[first]))
        for name in reversed(chain):
            wanted = changing.pop(name)
            yield RenameProvider(wanted.uuid, wanted.name)


def _temporary_name(provider: Provider) -> str:
    return f"{provider.uuid} (being renamed)"


def _arrivals(left: Mapping[str, Provider], new: ProviderTree) -> Iterator[Step]:
    """Parents first: whatever is moved finds its new parent in its final place, so that there is never a loop."""
    for wanted in new:
        present = left.get(wanted.uuid)
        if present is None:
            present = Provider(wanted.uuid, wanted.name, wanted.parent_uuid)
            yield CreateProvider(wanted.uuid, wanted.name, wanted.parent_uuid)
        elif wanted.parent_uuid != present.parent_uuid:
            yield MoveProvider(wanted.uuid, wanted.parent_uuid)
        if wanted.aggregates != present.aggregates:
            yield SetAggregates(wanted.uuid, wanted.aggregates)
        if wanted.traits != present.traits:
            yield SetTraits(wanted.uuid, wanted.traits)
        if wanted.inventories != present.inventories:
            yield SetInventories(wanted.uuid, wanted.inventories)
