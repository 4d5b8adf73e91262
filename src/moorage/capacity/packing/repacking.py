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

ROUNDS_WITHOUT_SUCCESS = 400
"""After so many groups of nodes that could not be improved it is not tried any more."""

ROUNDS = 3000
"""So many groups of nodes are tried at most."""

STEPS = 400
"""How many ways to fill one node are looked at."""


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
        """Try until nobody waits, or until it does not help any more."""
        self._try_group(list(range(len(self.nodes))))
        failures = 0
        for _ in range(ROUNDS):
            if not any(self.waiting) or failures >= ROUNDS_WITHOUT_SUCCESS:
                break
            failures = 0 if self._try_group(self._group()) else failures + 1

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
            (block, self._sizes[block], self._values[block], pool[block])
            for block in order
            if pool[block] and node.allowed[block] and any(self._sizes[block]) and self._sizes[block].fits_in(node.room)
        ]
        search = _Search(candidates)
        search.go(0, node.room, self._value(node.room), [])
        contents = {}
        free = node.room
        for block, count in search.best:
            contents[block] = count
            free = free.minus(self._sizes[block].times(count))
        return contents, free


class _Search:
    """Depth first, the most of each block first: the first way is the greedy one, and better ones follow."""

    def __init__(self, candidates: Sequence[tuple[int, Size, float, int]]) -> None:
        self._candidates = candidates
        self._steps = STEPS
        self.best: list[tuple[int, int]] = []
        self._least = float("inf")

    def go(self, depth: int, free: Size, left: float, chosen: list[tuple[int, int]]) -> None:
        self._steps -= 1
        if left < self._least:
            self._least = left
            self.best = list(chosen)
        for number in range(depth, len(self._candidates)):
            block, size, value, supply = self._candidates[number]
            if not size.fits_in(free):
                continue
            most = supply
            for amount, room in zip(size, free, strict=True):
                if amount:
                    most = min(most, room // amount)
            for count in range(most, 0, -1):
                chosen.append((block, count))
                self.go(number + 1, free.minus(size.times(count)), left - count * value, chosen)
                chosen.pop()
                if self._steps <= 0 or self._least <= 0:
                    return
