"""A view of the whole cloud at one moment, arranged for searching.

Built by `store/view.py` from one consistent snapshot; immutable once built, so any number of searches may share it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import os_traits

from moorage.placement.model.errors import ResourceClassNotFound, TraitNotFound

SHARING_TRAIT = os_traits.MISC_SHARES_VIA_AGGREGATE


@dataclass(frozen=True, slots=True)
class Node:
    """A provider's place in its tree."""

    id: int
    uuid: str
    root_id: int
    parent_id: int | None


@dataclass(frozen=True, slots=True)
class Shelf:
    """What a provider has of one class, as far as a search needs to know."""

    capacity: int
    used: int
    min_unit: int
    max_unit: int
    step_size: int

    def offers(self, amount: int) -> bool:
        """Whether this much can be taken at once, now."""
        return (
            self.used + amount <= self.capacity
            and self.min_unit <= amount <= self.max_unit
            and amount % self.step_size == 0
        )

    def still_offers(self, amount: int) -> bool:
        """Whether amounts that were allowed one by one can also be taken together."""
        return self.used + amount <= self.capacity and amount <= self.max_unit


@dataclass(frozen=True)
class Cloud:
    """Everything a search looks at."""

    nodes: Mapping[int, Node]
    # By resource class name, then by provider.
    shelves: Mapping[str, Mapping[int, Shelf]]
    traits: Mapping[int, frozenset[str]]
    aggregates: Mapping[int, frozenset[str]]
    # All names there are, with their numbers.
    known_traits: Mapping[str, int]
    known_classes: Mapping[str, int]
    _nothing: frozenset[str] = field(default=frozenset(), repr=False)

    def traits_of(self, provider_id: int) -> frozenset[str]:
        """The traits a provider itself has."""
        return self.traits.get(provider_id, self._nothing)

    def aggregates_of(self, provider_id: int) -> frozenset[str]:
        """The aggregates a provider itself is a member of."""
        return self.aggregates.get(provider_id, self._nothing)

    @cached_property
    def by_uuid(self) -> dict[str, Node]:
        """Providers by UUID."""
        return {node.uuid: node for node in self.nodes.values()}

    @cached_property
    def trees(self) -> dict[int, list[Node]]:
        """The providers of each tree, by its root."""
        trees: dict[int, list[Node]] = defaultdict(list)
        for node in self.nodes.values():
            trees[node.root_id].append(node)
        return trees

    @cached_property
    def sharing_roots(self) -> dict[int, frozenset[int]]:
        """For each provider that shares: the roots of the trees it shares with.

        It shares with the tree of every provider that is a member of one of its aggregates.
        """
        members: dict[str, set[int]] = defaultdict(set)
        for provider_id, uuids in self.aggregates.items():
            for uuid in uuids:
                members[uuid].add(self.nodes[provider_id].root_id)
        return {
            provider_id: frozenset().union(*(members[uuid] for uuid in self.aggregates_of(provider_id)))
            for provider_id, traits in self.traits.items()
            if SHARING_TRAIT in traits
        }

    @cached_property
    def classes_of(self) -> dict[int, list[str]]:
        """The resource classes each provider has inventory of."""
        classes: dict[int, list[str]] = defaultdict(list)
        for name, shelves in self.shelves.items():
            for provider_id in shelves:
                classes[provider_id].append(name)
        return classes

    def ancestors(self, provider_id: int) -> Iterable[int]:
        """A provider, its parent, and so on up to the root."""
        current: int | None = provider_id
        while current is not None:
            yield current
            current = self.nodes[current].parent_id

    def check_classes(self, names: Iterable[str]) -> None:
        """Refuse resource classes that nobody knows."""
        for name in names:
            if name not in self.known_classes:
                raise ResourceClassNotFound(name)

    def check_traits(self, names: Iterable[str]) -> None:
        """Refuse traits that nobody knows."""
        if unknown := [name for name in names if name not in self.known_traits]:
            raise TraitNotFound(unknown)
