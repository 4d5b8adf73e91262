"""All nodes of a zone, and for each block the node that suits it best, kept up while the nodes fill.

Each block has a heap of states (see `states`) by score. A placement moves one node from one state to another; only a
state that thereby gets an earlier first node is news, which a block hears when it is next asked for. Entries whose
state has lost its first node are put right when they come to the top. So a placement costs the same in a cloud of any
size, apart from the depth of the heaps.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from heapq import heapify, heappop, heappush, heapreplace

import numpy as np

from moorage.capacity.model.configuration import BinpackBehavior
from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.score import SPECIAL
from moorage.capacity.packing.shapes import Directions, Shapes
from moorage.capacity.packing.size import ZERO, Size
from moorage.capacity.packing.states import NOBODY, States

_MANY = 40
"""From so many states on, it pays to look at all of them in one go."""

_SPARE_ENTRIES = 1000
"""How many outdated entries a heap may have before it is made anew, beside as many as there are states."""

# The score below zero, the first node, the state.
_Entry = tuple[float, int, int]


class _Queue:
    """The states by how well they suit one block, special ones apart, and how much of the news it has heard."""

    __slots__ = ("directions", "general", "heard", "size", "special")

    def __init__(self, size: Size, directions: Directions) -> None:
        self.size = size
        self.directions = directions
        self.special: list[_Entry] = []
        self.general: list[_Entry] = []
        self.heard = 0


class Vessels:
    """The nodes of a zone in order: those of the first cluster, those of the second, and so on."""

    def __init__(
        self, clusters: Sequence[Cluster], free: Sequence[Size], blocks: Sequence[Block], behavior: BinpackBehavior
    ) -> None:
        """`free` has the free space of each node, for nodes may already hold something."""
        self._shapes = Shapes(clusters, blocks)
        self._states = States(self._shapes.capacity, behavior)
        self._queues = [_Queue(block.size, self._shapes.directions(block, behavior)) for block in blocks]
        # The shape of each node.
        self._shape = [
            shape
            for shape, cluster in zip(self._shapes.of_cluster, clusters, strict=True)
            for _ in range(cluster.nodes)
        ]
        for node, shape in enumerate(self._shape):
            self._states.enter(shape, free[node], node)
        self._news = list(range(len(self._states)))
        self.free = Size(*map(sum, zip(*free, strict=True))) if free else ZERO

    def is_special(self, node: int) -> bool:
        """Whether a node takes no pooled flavors."""
        return self._shapes.is_special[self._shape[node]]

    def has_room_beside(self, blocked: Size, block: int) -> bool:
        """Whether all nodes together have room for the block beside what is blocked."""
        size, free = self._queues[block].size, self.free
        return (
            blocked.cores + size.cores <= free.cores
            and blocked.ram + size.ram <= free.ram
            and blocked.disk + size.disk <= free.disk
        )

    def place(self, block: int, blocked: Size) -> int | None:
        """Place one block where it suits best, and say on which node; None if it finds no place.

        What is blocked for pooled flavors only keeps blocks off the nodes that take pooled flavors.
        """
        queue = self._queues[block]
        if queue.heard < len(self._news):
            self._hear(queue)
        state = self._best(queue.special)
        if state == NOBODY and self.has_room_beside(blocked, block):
            state = self._best(queue.general)
        if state == NOBODY:
            return None
        states, size = self._states, queue.size
        node = states.take_first(state)
        cores, ram, disk = states.free[state]
        news = states.enter(states.shape[state], (cores - size.cores, ram - size.ram, disk - size.disk), node)
        if news is not None:
            self._news.append(news)
        self.free = self.free.minus(size)
        return node

    def suits_somewhere(self, block: int) -> bool:
        """Whether some node has room for the block, whatever is blocked."""
        queue = self._queues[block]
        self._hear(queue)
        return self._best(queue.special) != NOBODY or self._best(queue.general) != NOBODY

    def _best(self, heap: list[_Entry]) -> int:
        first_of = self._states.first
        while heap:
            key, node, state = heap[0]
            first = first_of[state]
            if first == node:
                return state
            if first < node:
                # Nobody is left, or there is another entry for an earlier first node.
                heappop(heap)
            else:
                heapreplace(heap, (key, first, state))
        return NOBODY

    def _hear(self, queue: _Queue) -> None:
        """Enter the states that are news to this block, as they are now."""
        news = self._news[queue.heard :]
        queue.heard = len(self._news)
        if len(news) < _MANY:
            self._hear_one_by_one(queue, news)
        else:
            self._hear_all_at_once(queue, news)

    def _hear_one_by_one(self, queue: _Queue, news: list[int]) -> None:
        states, rows, is_special = self._states, queue.directions.rows, self._shapes.is_special
        cores, ram, disk = queue.size
        for state in news:
            first, shape = states.first[state], states.shape[state]
            to_cores, to_disk, to_ram, square = rows[shape]
            free_cores, free_ram, free_disk = states.free[state]
            if first == NOBODY or not square or cores > free_cores or ram > free_ram or disk > free_disk:
                continue
            # The formula of `score.score`.
            free_to_cores, free_to_disk, free_to_ram, free_square = states.direction[state]
            product = to_cores * free_to_cores + to_disk * free_to_disk + to_ram * free_to_ram
            value = product * product / (square * free_square)
            if is_special[shape]:
                heappush(queue.special, (-(value + SPECIAL), first, state))
            else:
                heappush(queue.general, (-value, first, state))
        self._tidy(queue.special)
        self._tidy(queue.general)

    def _hear_all_at_once(self, queue: _Queue, news: list[int]) -> None:
        states, size, to = self._states, queue.size, queue.directions
        numbers = [state for state in dict.fromkeys(news) if states.first[state] != NOBODY]
        shape = np.array([states.shape[state] for state in numbers], dtype=np.int64)
        free = np.array([states.free[state] for state in numbers], dtype=np.int64).reshape(-1, 3)
        suits = (to.square[shape] > 0) & (free >= np.array(size)).all(axis=1)
        numbers = list(itertools.compress(numbers, suits.tolist()))
        shape = shape[suits]
        pointing = np.array([states.direction[state] for state in numbers]).reshape(-1, 4)
        # The formula of `score.score`, and its order: each operation is rounded by itself.
        product = to.cores[shape] * pointing[:, 0]
        product = product + to.disk[shape] * pointing[:, 1]
        product = product + to.ram[shape] * pointing[:, 2]
        value = product * product / (to.square[shape] * pointing[:, 3])
        special = self._shapes.special_column[shape]
        keys = (-np.where(special, value + SPECIAL, value)).tolist()
        for state, key, is_special in zip(numbers, keys, special.tolist(), strict=True):
            (queue.special if is_special else queue.general).append((key, states.first[state], state))
        heapify(queue.special)
        heapify(queue.general)
        self._tidy(queue.special)
        self._tidy(queue.general)

    def _tidy(self, heap: list[_Entry]) -> None:
        """Make a heap anew if it consists of outdated entries for the most part."""
        if len(heap) > 2 * len(self._states) + _SPARE_ENTRIES:
            first_of = self._states.first
            current = {state: key for key, _, state in heap if first_of[state] != NOBODY}
            heap[:] = [(key, first_of[state], state) for state, key in current.items()]
            heapify(heap)
