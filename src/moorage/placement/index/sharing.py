"""Who shares what they have, and with which trees.

A provider shares with the tree of every provider that is a member of one of its aggregates. Those with the same
aggregates share with the same trees and make up a circle: so a hundred pools of ten thousand hosts are ten thousand
pairs of a circle and a root, and so are five thousand pools of two hosts each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from moorage.placement.index.columns import Mask, Slots

# For each of some anchors, who lends to it.
Lending = Callable[[Slots], list[list[int]]]


@dataclass(frozen=True)
class Sharing:
    """All providers that share with anybody."""

    # Of everybody, the root of the tree.
    roots: Slots
    # Those that share, ascending, and the number of the circle of each.
    sharers: Slots
    circles: Slots
    # Which circle shares with which root, by root.
    reached_roots: Slots
    reached_by: Slots

    @classmethod
    def of(cls, sharing: Slots, aggregate_members: Mapping[str, Slots], roots: Slots) -> Sharing:
        """What follows from who shares and who is a member of what."""
        members = list(aggregate_members.values())
        aggregates: dict[int, list[int]] = {}
        if len(sharing) and members:
            shares = np.zeros(len(roots), dtype=np.bool_)
            shares[sharing] = True
            everybody = np.concatenate(members)
            here = shares[everybody]
            numbers = np.repeat(np.arange(len(members)), [len(each) for each in members])
            for slot, number in zip(everybody[here].tolist(), numbers[here].tolist(), strict=True):
                aggregates.setdefault(slot, []).append(number)
        circles: dict[tuple[int, ...], int] = {}
        sharers = sorted(aggregates)
        of_sharers = [circles.setdefault(tuple(aggregates[slot]), len(circles)) for slot in sharers]
        # Pairs as single numbers, to have each once and in order.
        pairs = [roots[members[number]] * len(circles) + circle for of, circle in circles.items() for number in of]
        distinct = np.unique(np.concatenate(pairs)) if pairs else np.empty(0, dtype=np.int64)
        reached_roots, reached_by = np.divmod(distinct, max(len(circles), 1))
        return cls(
            roots, np.array(sharers, dtype=np.int64), np.array(of_sharers, dtype=np.int64), reached_roots, reached_by
        )

    def __bool__(self) -> bool:
        return bool(len(self.sharers))

    @cached_property
    def everybody(self) -> frozenset[int]:
        """Those that share."""
        return frozenset(self.sharers.tolist())

    def mask(self) -> Mask:
        """The same as a mask."""
        mask = np.zeros(len(self.roots), dtype=np.bool_)
        mask[self.sharers] = True
        return mask

    def reached(self, lenders: Mask) -> Mask:
        """The roots of other trees with which any of these providers share."""
        here = lenders[self.sharers]
        of_circle = np.bincount(self.circles[here], minlength=self._circles)
        # At home nobody is lent to; everybody's own tree is among those that the circle shares with.
        lent = np.bincount(self.reached_roots, weights=of_circle[self.reached_by], minlength=len(self.roots))
        return lent > np.bincount(self.roots[self.sharers[here]], minlength=len(self.roots))

    def reaching(self, anchors: Mask) -> Mask:
        """Those that share with another tree than their own, of which these are the roots."""
        hits = np.bincount(self.reached_by[anchors[self.reached_roots]], minlength=self._circles)
        reaching = np.zeros(len(self.roots), dtype=np.bool_)
        reaching[self.sharers] = hits[self.circles] > anchors[self.roots[self.sharers]]
        return reaching

    def lending(self, lenders: Mask) -> Lending:
        """A function that tells, for any anchors, which of these providers share with each, other than its own.

        Trees that the same circles share with mostly have the same list, which is not to be changed.
        """
        here = lenders[self.sharers]
        by_circle: dict[int, list[int]] = {}
        for slot, circle in zip(self.sharers[here].tolist(), self.circles[here].tolist(), strict=True):
            by_circle.setdefault(circle, []).append(slot)
        homes = dict(zip(self.sharers[here].tolist(), self.roots[self.sharers[here]].tolist(), strict=True))
        with_sharers = set(homes.values())
        of_all: dict[tuple[int, ...], list[int]] = {}

        def lent_by(circles: tuple[int, ...]) -> list[int]:
            slots = of_all.get(circles)
            if slots is None:
                slots = of_all[circles] = sorted(slot for circle in circles for slot in by_circle.get(circle, ()))
            return slots

        def lend(anchors: Slots) -> list[list[int]]:
            starts = np.searchsorted(self.reached_roots, anchors).tolist()
            ends = np.searchsorted(self.reached_roots, anchors, side="right").tolist()
            found = []
            for anchor, start, end in zip(anchors.tolist(), starts, ends, strict=True):
                slots = lent_by(tuple(self.reached_by[start:end].tolist()))
                found.append([slot for slot in slots if homes[slot] != anchor] if anchor in with_sharers else slots)
            return found

        return lend

    @property
    def _circles(self) -> int:
        return int(self.circles.max()) + 1 if len(self.circles) else 0
