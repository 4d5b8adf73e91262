"""Finds places for blocks that found none, by packing some of the nodes anew: ruin and recreate.

A few nodes are emptied, and what was on them is put back together with what waits, node by node, each as full as a
short search can make it. What comes out is kept if no more waits than before. All dice are thrown from the same
seed, and all bounds are numbers of steps, so that the same zone always comes out the same.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from moorage.capacity.packing.size import Size

STEPS = 400
"""How many ways to fill one node are looked at."""

WORK = 2_000_000
WORK_PER_NODE = 400
"""So many steps are taken at most for a zone: so many, and so many more for each node."""


FRUITLESS_PER_NODE = 50
"""After so many groups of nodes in a row, for each node, that could not be improved it is not tried any more."""

_NOTHING = 1e-12
"""Room that is worth less than this is none: values are sums of fractions."""


@dataclass(slots=True)
class Node:
    """A node whose contents may be moved: its room when it is empty of them, and how many of each block it holds."""

    room: Size
    allowed: Sequence[bool]
    contents: dict[int, int]
    free: Size


class Repacking:
    """Nodes, and blocks that wait for a place on them."""

    def __init__(self, nodes: Sequence[Node], sizes: Sequence[Size], waiting: Sequence[int]) -> None:
        self.nodes = nodes
        self._sizes = sizes
        self.waiting = list(waiting)
        self.work = WORK + WORK_PER_NODE * len(nodes)
        # Nobody is to wait who would not have to without us.
        self._limit = tuple(waiting)
        self._dice = random.Random(1)  # noqa: S311 - the same every time, on purpose
        capacity = [max(1, sum(node.room[dimension] for node in nodes)) for dimension in range(3)]
        asked = [
            sum(self._all_of(block) * size[dimension] for block, size in enumerate(sizes)) for dimension in range(3)
        ]
        # A dimension weighs as much as it is asked for: room that nobody needs may be wasted.
        self._weights = [wanted / has**2 for wanted, has in zip(asked, capacity, strict=True)]
        self._values = [self._value(size) for size in sizes]

    def _all_of(self, block: int) -> int:
        return self.waiting[block] + sum(node.contents.get(block, 0) for node in self.nodes)

    def _value(self, size: Size) -> float:
        cores, ram, disk = self._weights
        return size.cores * cores + size.ram * ram + size.disk * disk

    def run(self) -> None:
        """Try until nobody waits, until it does not help any more, or until all the work that is allowed is done."""
        self._try_group(list(range(len(self.nodes))))
        fruitless = 0
        while any(self.waiting) and self.work > 0 and fruitless < FRUITLESS_PER_NODE * len(self.nodes):
            fruitless = 0 if self._try_group(self._group()) else fruitless + 1

    def _group(self) -> list[int]:
        """A few nodes: one of those with the most room left, and others at random."""
        count = len(self.nodes)
        size = min(count, self._dice.randrange(2, 7))
        contenders = [self._dice.randrange(count) for _ in range(8)]
        first = max(contenders, key=lambda number: self._value(self.nodes[number].free))
        return list(dict.fromkeys([first, *(self._dice.randrange(count) for _ in range(size - 1))]))

    def _try_group(self, group: list[int]) -> bool:
        """Pack some nodes anew; returns whether fewer wait than before."""
        nodes = [self.nodes[number] for number in group]
        pool = list(self.waiting)
        for node in nodes:
            for block, count in node.contents.items():
                pool[block] += count
        self._dice.shuffle(nodes)
        order = self._order()
        filled = []
        for node in nodes:
            contents, free = self._filled(node, pool, order)
            filled.append((node, contents, free))
            for block, count in contents.items():
                pool[block] -= count
        if any(left > limit for left, limit in zip(pool, self._limit, strict=True)):
            return False
        before, after = self._cost(self.waiting), self._cost(pool)
        if after > before:
            return False
        for node, contents, free in filled:
            node.contents, node.free = contents, free
        self.waiting = pool
        return after < before

    def _cost(self, waiting: Sequence[int]) -> tuple[int, float]:
        return sum(waiting), sum(count * value for count, value in zip(waiting, self._values, strict=True))

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
