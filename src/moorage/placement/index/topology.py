"""Who belongs where: trees, traits and aggregates, by slot.

A slot is a provider's row number in all arrays of the index. Claims leave the topology alone, so one topology serves
many versions of the cloud, and what is derived from it is derived once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import os_traits

from moorage.placement.index.columns import Mask, Slots
from moorage.placement.index.sharing import Sharing

SHARING_TRAIT = os_traits.MISC_SHARES_VIA_AGGREGATE
NOBODY: Slots = np.empty(0, dtype=np.int64)
ROOT = -1  # the parent of a root


@dataclass(frozen=True)
class Topology:
    """The shape of the cloud at one moment."""

    alive: Mask
    parents: Slots
    roots: Slots
    # The slots of the providers that have a trait, or are members of an aggregate; ascending.
    trait_members: Mapping[str, Slots]
    aggregate_members: Mapping[str, Slots]

    @property
    def size(self) -> int:
        """How many slots there are, used or not."""
        return len(self.alive)

    # --- sets of providers as masks

    def nobody(self) -> Mask:
        """A mask of no provider, to set providers in."""
        return np.zeros(self.size, dtype=np.bool_)

    def mask(self, slots: Slots) -> Mask:
        """The mask of these providers."""
        mask = self.nobody()
        mask[slots] = True
        return mask

    def having_any_trait(self, names: Iterable[str]) -> Mask:
        """Providers that have at least one of these traits."""
        return self._in_any(self.trait_members, names)

    def member_of_any(self, aggregate_uuids: Iterable[str]) -> Mask:
        """Providers that are members of at least one of these aggregates."""
        return self._in_any(self.aggregate_members, aggregate_uuids)

    def _in_any(self, members: Mapping[str, Slots], names: Iterable[str]) -> Mask:
        mask = self.nobody()
        for name in names:
            mask[members.get(name, NOBODY)] = True
        return mask

    # --- trees

    @cached_property
    def _by_root(self) -> tuple[Slots, Slots]:
        """All providers sorted by their root, and where each root's begin (by root slot)."""
        order = np.argsort(np.where(self.alive, self.roots, self.size), kind="stable")
        starts = np.searchsorted(self.roots[order[: int(self.alive.sum())]], np.arange(self.size + 1))
        return order, starts

    @cached_property
    def tree_sizes(self) -> Slots:
        """How many providers each root's tree has; 0 for what is no root."""
        return np.bincount(self.roots[self.alive], minlength=self.size)

    @cached_property
    def has_trees(self) -> bool:
        """Whether any provider has a parent."""
        return bool((self.tree_sizes > 1).any())

    @cached_property
    def is_flat(self) -> bool:
        """Whether nobody is in a tree and nobody shares: a candidate then is about one provider."""
        return not self.has_trees and not self.sharing

    def tree(self, root: int) -> Slots:
        """The providers of a tree, in the order of their slots."""
        order, starts = self._by_root
        return order[starts[root] : starts[root + 1]]

    def path(self, slot: int) -> list[int]:
        """A provider, its parent, and so on up to the root."""
        path = [slot]
        while (parent := int(self.parents[path[-1]])) != ROOT:
            path.append(parent)
        return path

    def lineage(self, slot: int) -> frozenset[int]:
        """The same, where it does not matter who is above whom."""
        known = self._lineages.get(slot)
        if known is None:
            known = self._lineages[slot] = frozenset(self.path(slot))
        return known

    @cached_property
    def _lineages(self) -> dict[int, frozenset[int]]:
        return {}

    def by_tree(self, providers: Mask) -> Callable[[Slots], list[list[int]]]:
        """A function that tells, for any roots, which of these providers are in the tree of each."""
        order, _ = self._by_root
        arranged = order[providers[order]]
        owners = self.roots[arranged]
        slots: list[int] = arranged.tolist()

        def in_trees(roots: Slots) -> list[list[int]]:
            starts = np.searchsorted(owners, roots).tolist()
            ends = np.searchsorted(owners, roots, side="right").tolist()
            return [slots[start:end] for start, end in zip(starts, ends, strict=True)]

        return in_trees

    # --- sharing

    @cached_property
    def sharing(self) -> Sharing:
        """Who shares with which trees."""
        return Sharing.of(self.trait_members.get(SHARING_TRAIT, NOBODY), self.aggregate_members, self.roots)
