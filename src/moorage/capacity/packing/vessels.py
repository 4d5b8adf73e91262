"""All nodes of a zone, and for each block the node that suits it best, kept up while the nodes fill.

Nodes of the same shape with the same free space are in one *state*: what holds for one of them holds for all, and the
first of them is taken. Each block has a heap of states by score. A placement moves one node from one state to another;
only a state that thereby gets an earlier first node is news, which a block hears when it is next asked for. Entries
whose state has lost its first node are put right when they come to the top. So a placement costs the same in a cloud of
any size, apart from the depth of the heaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush, heapreplace

from moorage.capacity.model.configuration import BinpackBehavior
from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.score import NOWHERE, SPECIAL, Direction, direction, score
from moorage.capacity.packing.size import Size
from moorage.capacity.selection.flavors import traits_match

_SPARE_ENTRIES = 1000
"""How many outdated entries a heap may have before it is made anew, beside as many as there are states."""


class _Shape:
    """What the nodes have in common that are alike when empty."""

    __slots__ = ("capacity", "directions", "is_special")

    def __init__(self, cluster: Cluster, blocks: Sequence[Block], behavior: BinpackBehavior) -> None:
        self.capacity = cluster.size
        self.is_special = cluster.is_special
        # Where each block points on such a node; nowhere if the block may not be here.
        self.directions = [
            direction(block.size, cluster.size, behavior) if traits_match(block.traits, cluster.traits) else NOWHERE
            for block in blocks
        ]


class _State:
    """Nodes of one shape with the same free space. `members` is a heap: the first is the first in the zone."""

    __slots__ = ("direction", "free", "members", "number", "shape")

    def __init__(self, number: int, shape: _Shape, free: Size, pointing: Direction) -> None:
        self.number = number
        self.shape = shape
        self.free = free
        self.direction = pointing
        self.members: list[int] = []


# The score below zero, the first node, the state's number (so that states are never compared), the state.
_Entry = tuple[float, int, int, _State]


class _Queue:
    """The states by how well they suit one block, special ones apart, and how much of the news it has heard."""

    __slots__ = ("general", "heard", "special")

    def __init__(self) -> None:
        self.special: list[_Entry] = []
        self.general: list[_Entry] = []
        self.heard = 0


class Vessels:
    """The nodes of a zone in order: those of the first cluster, those of the second, and so on."""

    def __init__(
        self,
        clusters: Sequence[Cluster],
        free: Sequence[Size],
        blocks: Sequence[Block],
        behavior: BinpackBehavior,
    ) -> None:
        """`free` has the free space of each node, for nodes may already hold something."""
        self._blocks = blocks
        self._behavior = behavior
        self._states: dict[tuple[int, Size], _State] = {}
        self._made = 0
        self._news: list[_State] = []
        self._queues = [_Queue() for _ in blocks]
        self._node_state: list[_State] = []
        self._add_nodes(clusters, free)
        self.free = Size(*map(sum, zip(*free, strict=True))) if free else Size(0, 0, 0)

    def _add_nodes(self, clusters: Sequence[Cluster], free: Sequence[Size]) -> None:
        shapes: dict[tuple[Size, bool, frozenset[str]], _Shape] = {}
        asked_for = {trait for block in self._blocks for trait in block.traits}
        node = 0
        for cluster in clusters:
            # Traits that no block speaks of make no difference.
            key = (cluster.size, cluster.is_special, cluster.traits & asked_for)
            shape = shapes.get(key) or shapes.setdefault(key, _Shape(cluster, self._blocks, self._behavior))
            for _ in range(cluster.nodes):
                self._enter(shape, free[node], node)
                node += 1

    def _enter(self, shape: _Shape, free: Size, node: int) -> None:
        """Put a node into the state for its free space; it is news if it is the first there."""
        key = (id(shape), free)
        state = self._states.get(key)
        if state is None:
            pointing = direction(free, shape.capacity, self._behavior)
            state = self._states[key] = _State(self._made, shape, free, pointing)
            self._made += 1
        members = state.members
        if not members or node < members[0]:
            self._news.append(state)
        heappush(members, node)
        if node < len(self._node_state):
            self._node_state[node] = state
        else:
            self._node_state.append(state)

    def free_on(self, node: int) -> Size:
        """The free space of a node."""
        return self._node_state[node].free

    def is_special(self, node: int) -> bool:
        """Whether a node takes no pooled flavors."""
        return self._node_state[node].shape.is_special

    def has_room_beside(self, blocked: Size, number: int) -> bool:
        """Whether all nodes together have room for the block beside what is blocked."""
        size, free = self._blocks[number].size, self.free
        return (
            blocked.cores + size.cores <= free.cores
            and blocked.ram + size.ram <= free.ram
            and blocked.disk + size.disk <= free.disk
        )

    def place(self, number: int, blocked: Size) -> int | None:
        """Place one block where it suits best, and say on which node; None if it finds no place.

        What is blocked for pooled flavors only keeps blocks off the nodes that take pooled flavors.
        """
        state = self._best(number, special=True)
        if state is None and self.has_room_beside(blocked, number):
            state = self._best(number, special=False)
        if state is None:
            return None
        size = self._blocks[number].size
        node = heappop(state.members)
        free = state.free
        if not state.members:
            del self._states[id(state.shape), free]
        self._enter(state.shape, free.minus(size), node)
        self.free = self.free.minus(size)
        return node

    def suits_somewhere(self, number: int) -> bool:
        """Whether some node has room for the block, whatever is blocked."""
        return self._best(number, special=True) is not None or self._best(number, special=False) is not None

    def _best(self, number: int, *, special: bool) -> _State | None:
        queue = self._queues[number]
        if queue.heard < len(self._news):
            self._hear(number, queue)
        heap = queue.special if special else queue.general
        while heap:
            key, node, tie, state = heap[0]
            members = state.members
            if not members or members[0] < node:
                # Nobody is left, or there is another entry for an earlier first node.
                heappop(heap)
            elif members[0] > node:
                heapreplace(heap, (key, members[0], tie, state))
            else:
                return state
        return None

    def _hear(self, number: int, queue: _Queue) -> None:
        """Enter the states that are news to this block, as they are now."""
        news = self._news[queue.heard :]
        queue.heard = len(self._news)
        size = self._blocks[number].size
        special, general = [], []
        for state in news if len(news) == 1 else dict.fromkeys(news):
            pointing = state.shape.directions[number]
            if pointing is NOWHERE or not state.members or not size.fits_in(state.free):
                continue
            value = score(pointing, state.direction)
            if not value:
                continue
            if state.shape.is_special:
                special.append((-(value + SPECIAL), state.members[0], state.number, state))
            else:
                general.append((-value, state.members[0], state.number, state))
        self._push(queue.special, special)
        self._push(queue.general, general)

    def _push(self, heap: list[_Entry], entries: list[_Entry]) -> None:
        if len(entries) * 8 < len(heap):
            for entry in entries:
                heappush(heap, entry)
        elif entries:
            heap += entries
            heapify(heap)
        if len(heap) > 2 * len(self._states) + _SPARE_ENTRIES:
            current = {state.number: (key, state) for key, _, _, state in heap if state.members}
            heap[:] = [(key, state.members[0], tie, state) for tie, (key, state) in current.items()]
            heapify(heap)
