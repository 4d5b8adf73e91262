"""The providers of a host as one value: a forest with lookups by UUID and by name.

A tree never changes; what "changes" it returns another one that shares all providers that stayed as they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from moorage.placement.model.inventory import Inventory

NOTHING: Mapping[str, Inventory] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Provider:
    """A resource provider with all it has; the generation is None while Placement does not know the provider."""

    uuid: str
    name: str
    parent_uuid: str | None = None
    inventories: Mapping[str, Inventory] = field(default_factory=lambda: NOTHING)
    traits: frozenset[str] = frozenset()
    aggregates: frozenset[str] = frozenset()
    generation: int | None = field(default=None, compare=False)


class TreeError(ValueError):
    """Providers that cannot form a tree: the same UUID or name twice, a parent that is not there, a loop."""


class ProviderTree:
    """Any number of providers, each a root or below another one of them."""

    __slots__ = ("_by_name", "_by_uuid", "_children")

    def __init__(self, providers: Iterable[Provider] = ()) -> None:
        self._by_uuid: dict[str, Provider] = {}
        self._by_name: dict[str, Provider] = {}
        self._children: dict[str | None, list[str]] = {}
        for provider in providers:
            if provider.uuid in self._by_uuid:
                raise TreeError(f"the provider {provider.uuid} is there twice")
            if provider.name in self._by_name:
                raise TreeError(f"two providers have the name {provider.name!r}")
            self._by_uuid[provider.uuid] = self._by_name[provider.name] = provider
            self._children.setdefault(provider.parent_uuid, []).append(provider.uuid)
        self._check_parents()

    def _check_parents(self) -> None:
        for parent in self._children:
            if parent is not None and parent not in self._by_uuid:
                child = self._by_uuid[self._children[parent][0]]
                raise TreeError(f"the parent {parent} of {child.name!r} is not there")
        reached = sum(1 for _ in self)
        if reached != len(self):
            raise TreeError("providers are each other's parents")

    def __len__(self) -> int:
        return len(self._by_uuid)

    def __iter__(self) -> Iterator[Provider]:
        """All providers, parents before their children."""
        return self._walk(list(reversed(self._children.get(None, ()))))

    def _walk(self, waiting: list[str]) -> Iterator[Provider]:
        while waiting:
            uuid = waiting.pop()
            yield self._by_uuid[uuid]
            waiting += reversed(self._children.get(uuid, ()))

    def __contains__(self, uuid: object) -> bool:
        return uuid in self._by_uuid

    def __getitem__(self, uuid: str) -> Provider:
        return self._by_uuid[uuid]

    def __eq__(self, other: object) -> bool:
        """Whether both have the same providers; neither their order nor their generations matter."""
        return isinstance(other, ProviderTree) and self._by_uuid == other._by_uuid

    __hash__ = None  # type: ignore[assignment]  # it is compared, never looked up

    def get(self, uuid: str) -> Provider | None:
        """The provider with this UUID."""
        return self._by_uuid.get(uuid)

    def named(self, name: str) -> Provider | None:
        """The provider with this name."""
        return self._by_name.get(name)

    def roots(self) -> Iterator[Provider]:
        """The providers without a parent."""
        return (self._by_uuid[uuid] for uuid in self._children.get(None, ()))

    def children(self, uuid: str) -> Iterator[Provider]:
        """The providers directly below this one."""
        return (self._by_uuid[child] for child in self._children.get(uuid, ()))

    def root_of(self, uuid: str) -> Provider:
        """The provider at the top of the tree that this one is in."""
        return [self._by_uuid[uuid], *self.above(uuid)][-1]

    def above(self, uuid: str) -> Iterator[Provider]:
        """The parent of a provider, the parent's parent, and so on."""
        above = self._by_uuid[uuid].parent_uuid
        while above is not None:
            yield self._by_uuid[above]
            above = self._by_uuid[above].parent_uuid

    def below(self, uuid: str) -> Iterator[Provider]:
        """All providers of the subtree that begins with this one, parents first."""
        return self._walk([uuid])

    def with_providers(self, providers: Iterable[Provider]) -> ProviderTree:
        """A tree in which these providers are added, or take the place of those with the same UUIDs."""
        return ProviderTree((self._by_uuid | {provider.uuid: provider for provider in providers}).values())

    def without(self, uuids: Iterable[str]) -> ProviderTree:
        """A tree without these providers and without all that is under them."""
        gone: set[str | None] = set(uuids)
        kept = []
        for provider in self:  # parents first
            if provider.uuid in gone or provider.parent_uuid in gone:
                gone.add(provider.uuid)
            else:
                kept.append(provider)
        return ProviderTree(kept)
