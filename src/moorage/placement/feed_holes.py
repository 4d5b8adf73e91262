"""Numbers of the change feed that were not there when it was read, and may still appear.

A number is taken before the commit, so it may appear late, or never: where a write was rolled back, or where the nodes
of a Galera cluster each count in steps and most of the numbers between them are nobody's. There may be thousands, so
nothing here looks at all of them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from itertools import chain, takewhile

# One transaction may take as many numbers as there are providers. Where more are missing in a row, they were skipped,
# as after some fail-overs; then only those near the ends of the gap may still be on their way.
_WIDEST_GAP = 1_000_000
_NEAR = 100_000


def missing_between(low: int, present: Iterable[int]) -> Iterator[int]:
    """The numbers that are missing above `low` and below the highest of these, rising."""
    for number in sorted(present):
        gap = range(low + 1, number)
        yield from gap if len(gap) <= _WIDEST_GAP else chain(gap[:_NEAR], gap[-_NEAR:])
        low = max(low, number)


class Holes:
    """Missing numbers, each with the moment since when; they are met in rising order of both."""

    def __init__(self, numbers: Iterable[int] = (), since: float = 0.0) -> None:
        self._since: OrderedDict[int, float] = OrderedDict.fromkeys(sorted(numbers), since)

    def __len__(self) -> int:
        return len(self._since)

    def __contains__(self, number: int) -> bool:
        return number in self._since

    def __iter__(self) -> Iterator[int]:
        return iter(self._since)

    @property
    def lowest(self) -> int:
        """The first of them; there must be one."""
        return next(iter(self._since))

    def lowest_above(self, number: int) -> int | None:
        """The first of them that is higher than this, if any is."""
        return min(takewhile(lambda hole: hole > number, reversed(self._since)), default=None)

    def up_to(self, number: int) -> int:
        """How many there are that are no higher than this."""
        return len(self) - sum(1 for _ in takewhile(lambda hole: hole > number, reversed(self._since)))

    def open(self, numbers: Iterable[int], since: float) -> None:
        """These are missing, too; they are higher than all before them."""
        self._since.update((number, since) for number in numbers)

    def fill(self, numbers: Iterable[int]) -> None:
        """These have appeared, as far as they were missing."""
        for number in numbers:
            self._since.pop(number, None)

    def forget_before(self, moment: float) -> None:
        """Give up those that are missing since before this moment."""
        while self._since and self._since[self.lowest] < moment:
            self._since.popitem(last=False)
