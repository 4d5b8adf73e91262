"""Required traits of the group without a suffix, which the providers of its classes may meet together.

So a disk may come from a provider that lacks the disk's trait, if the one of the processors has it; upstream keeps that
on purpose (https://bugs.launchpad.net/nova/+bug/1724633). What a provider meets is the bits of a number, one for each
required trait or set of alternatives.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

from moorage.placement.index.cloud import Cloud
from moorage.placement.index.matching import Part, served_together

# So many ways to meet some of it are told apart. Where there are more, all of them count as one that meets everything
# that any of them does: then a dead end may be found out later, but never a way be missed.
_MANY = 200


class Together:
    """What is required, and who meets what of it."""

    def __init__(self, cloud: Cloud, parts: Sequence[Part]) -> None:
        self._cloud = cloud
        self.parts = served_together(cloud.topology, parts)
        self._required = parts[self.parts[0]].group.traits.required if self.parts else ()
        self.everything = (1 << len(self._required)) - 1
        self._met: dict[int, int] = {}

    def met_by(self, slots: Iterable[int]) -> int:
        """What these providers meet together."""
        return reduce(or_, map(self._met_by_one, slots), 0)

    def _met_by_one(self, slot: int) -> int:
        met = self._met.get(slot)
        if met is None:
            traits = self._cloud.record(slot).traits
            met = sum(1 << bit for bit, any_of in enumerate(self._required) if not any_of.isdisjoint(traits))
            self._met[slot] = met
        return met

    def is_met_by(self, choice: Sequence[int]) -> bool:
        """Whether a complete choice meets everything."""
        met = 0
        for part in self.parts:
            met |= self._met_by_one(choice[part])
        return met == self.everything

    def still_to_meet(self, choices: Sequence[Sequence[int]], sequence: Sequence[int]) -> list[set[int]]:
        """What the parts of a sequence, from each depth on, can meet together.

        One number for each way, but none that says less.
        """
        possible = {0}
        from_depth = [possible]
        for part in reversed(sequence):
            if part in self.parts:
                mine = {self._met_by_one(slot) for slot in choices[part]}
                possible = _largest({one | other for one in mine for other in possible})
            from_depth.append(possible)
        return from_depth[::-1]


def _largest(sums: set[int]) -> set[int]:
    """Those that are part of no other."""
    if len(sums) > _MANY:
        return {reduce(or_, sums)}
    return {one for one in sums if not any(one != other and one | other == other for other in sums)}
