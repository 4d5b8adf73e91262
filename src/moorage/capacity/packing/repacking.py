"""Finds places for blocks that found none, by packing some of the nodes anew: ruin and recreate.

A few nodes are emptied, and what was on them is put back together with what waits, node by node, each as full as a
short search can make it. What comes out is kept if what waits is no larger than before. On the way somebody may wait
who had a place: first that costs nothing, then more and more, and then it begins anew. So the search gets past
arrangements where no single step helps. The best arrangement that was seen is the result, and there nobody waits who
had a place.

All dice are thrown from the same seed, and all bounds are numbers of steps, so that the same zone always comes out the
same.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from moorage.capacity.packing.size import Size

STEPS = 400
"""How many ways to fill one node are looked at."""

WORK = 2_000_000
WORK_PER_NODE = 1_000
"""So many steps are taken at most for a zone: so many, and so many more for each node."""

CYCLES = 4
CYCLE_PER_NODE = 5_000
"""The cost of waiting rises again and again: so often within all steps, but in a small zone with every so many."""

PATIENCE = 4
"""After so many such cycles that brought nothing better it is not tried any more."""

PENALTY = 4.0
"""What waits and had a place costs so many times more, at the end of a cycle."""

_NOTHING = 1e-12
"""Room that is worth less than this is none: values are sums of fractions."""


@dataclass(slots=True)
class Node:
    """A node whose contents may be moved: its room when it is empty of them, and how many of each block it holds."""

    room: Size
    allowed: Sequence[bool]
    contents: dict[int, int]
    free: Size
    # Whether pooled flavors have no use for its room.
    is_special: bool = False


class Repacking:
    """Nodes, and blocks that wait for a place on them."""

    def __init__(
        self, nodes: Sequence[Node], sizes: Sequence[Size], waiting: Sequence[int], shared_by: int = 1
    ) -> None:
        """The work that is allowed for a zone may be shared by several searches, one after the other."""
        self.nodes = nodes
        self._sizes = sizes
        self.waiting = list(waiting)
        self.work = (WORK + WORK_PER_NODE * len(nodes)) // shared_by
        # Nobody is to wait in the end who would not have to without us.
        self._limit = tuple(waiting)
        self._dice = random.Random(1)  # noqa: S311 - the same every time, on purpose
        capacity = [max(1, sum(node.room[dimension] for node in nodes)) for dimension in range(3)]
        asked = [
            sum(self._all_of(block) * size[dimension] for block, size in enumerate(sizes)) for dimension in range(3)
        ]
        # A dimension weighs as much as it is asked for: room that nobody needs may be wasted.
        self._weights = [wanted / has**2 for wanted, has in zip(asked, capacity, strict=True)]
        self._values = [self._value(size) for size in sizes]
        # The least that waits in any arrangement so far, when that was seen, and what has changed on nodes since.
        self._best = self._limit
        self._best_at = self.work
        self._before: dict[int, tuple[dict[int, int], Size]] = {}

    def _all_of(self, block: int) -> int:
        return self.waiting[block] + sum(node.contents.get(block, 0) for node in self.nodes)

    def _value(self, size: Size) -> float:
        cores, ram, disk = self._weights
        return size.cores * cores + size.ram * ram + size.disk * disk

    def run(self) -> None:
        """Try until nobody waits, until it does not help any more, or until all the work that is allowed is done."""
        self._pack(list(range(len(self.nodes))), PENALTY)
        start = self.work
        cycle = max(1, min(start // CYCLES, CYCLE_PER_NODE * len(self.nodes)))
        while any(self.waiting) and self.work > max(0, self._best_at - PATIENCE * cycle):
            self._pack(self._group(), PENALTY * ((start - self.work) % cycle) / cycle)
        for number, (contents, free) in self._before.items():
            self.nodes[number].contents, self.nodes[number].free = contents, free
        self.waiting = list(self._best)

    def _group(self) -> list[int]:
        """A few nodes: one of those with the most room left, and others at random."""
        count = len(self.nodes)
        size = min(count, self._dice.randrange(2, 7))
        contenders = [self._dice.randrange(count) for _ in range(8)]
        first = max(contenders, key=lambda number: self._value(self.nodes[number].free))
        return list(dict.fromkeys([first, *(self._dice.randrange(count) for _ in range(size - 1))]))

    def _pack(self, group: list[int], penalty: float) -> None:
        """Pack some nodes anew, and keep that if waiting costs no more than before."""
        pool = list(self.waiting)
        for number in group:
            for block, count in self.nodes[number].contents.items():
                pool[block] += count
        self._dice.shuffle(group)
        # What finds a place on special nodes leaves the others to pooled flavors.
        group.sort(key=lambda number: not self.nodes[number].is_special)
        order = self._order()
        filled = []
        for number in group:
            contents, free = self._filled(self.nodes[number], pool, order)
            filled.append((number, contents, free))
            for block, count in contents.items():
                pool[block] -= count
        if self._cost(pool, penalty) > self._cost(self.waiting, penalty):
            return
        for number, contents, free in filled:
            node = self.nodes[number]
            self._before.setdefault(number, (node.contents, node.free))
            node.contents, node.free = contents, free
        self.waiting = pool
        if self._is_best():
            self._best, self._best_at = tuple(pool), self.work
            self._before.clear()

    def _cost(self, waiting: Sequence[int], penalty: float) -> float:
        cost = 0.0
        for count, limit, value in zip(waiting, self._limit, self._values, strict=True):
            cost += value * (count + penalty * max(0, count - limit))
        return cost

    def _is_best(self) -> bool:
        """Whether fewer wait than ever, and nobody who had a place."""
        return sum(self.waiting) < sum(self._best) and all(
            count <= limit for count, limit in zip(self.waiting, self._limit, strict=True)
        )

    def _order(self) -> list[int]:
        """The blocks, large ones first, a little shuffled so that not every search goes the same way."""
        keys = [value * self._dice.uniform(0.7, 1.3) for value in self._values]
        return sorted(range(len(keys)), key=lambda block: -keys[block])

    def _filled(self, node: Node, pool: Sequence[int], order: Sequence[int]) -> tuple[dict[int, int], Size]:
        """The contents out of the pool that leave the least of a node free, as far as a short search goes."""
        candidates = [
            (block, *self._sizes[block], self._values[block], pool[block])
            for block in order
            if pool[block] and node.allowed[block] and any(self._sizes[block]) and self._sizes[block].fits_in(node.room)
        ]
        search = _Search(candidates)
        search.go(0, *node.room, self._value(node.room))
        self.work -= STEPS - search.steps
        contents = {}
        free = node.room
        for block, count in search.best:
            contents[block] = count
            free = free.minus(self._sizes[block].times(count))
        return contents, free


class _Search:
    """Depth first, the most of each block first: the first way is the greedy one, and better ones follow."""

    def __init__(self, candidates: Sequence[tuple[int, int, int, int, float, int]]) -> None:
        """Of each candidate the block, its size, its value, and how many there are."""
        self._candidates = candidates
        # What all candidates from each one on are worth.
        self._rest = [0.0]
        for _, _, _, _, value, supply in reversed(candidates):
            self._rest.append(self._rest[-1] + value * supply)
        self._rest.reverse()
        self._chosen: list[tuple[int, int]] = []
        self.steps = STEPS
        self.best: list[tuple[int, int]] = []
        self._least = float("inf")

    def go(self, depth: int, cores: int, ram: int, disk: int, left: float) -> None:
        self.steps -= 1
        if left < self._least:
            self._least = left
            self.best = list(self._chosen)
        for number in range(depth, len(self._candidates)):
            if left - self._rest[number] >= self._least:
                return
            block, its_cores, its_ram, its_disk, value, most = self._candidates[number]
            if its_cores > cores or its_ram > ram or its_disk > disk:
                continue
            if its_cores:
                most = min(most, cores // its_cores)
            if its_ram:
                most = min(most, ram // its_ram)
            if its_disk:
                most = min(most, disk // its_disk)
            for count in range(most, 0, -1):
                self._chosen.append((block, count))
                self.go(
                    number + 1,
                    cores - count * its_cores,
                    ram - count * its_ram,
                    disk - count * its_disk,
                    left - count * value,
                )
                self._chosen.pop()
                if self.steps <= 0 or self._least <= _NOTHING:
                    return
