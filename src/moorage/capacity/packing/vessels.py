"""All nodes of a zone, and for each block the node that suits it best, kept up while the nodes fill.

Special nodes come before the others, for they are always preferred; apart from that nodes are in the order of their
clusters. See `scores` for how the best one is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heapreplace

from moorage.capacity.model.configuration import BinpackBehavior
from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.score import SPECIAL, Direction, direction, score
from moorage.capacity.packing.scores import BUNCH, NOBODY, Scores
from moorage.capacity.packing.shapes import Shapes
from moorage.capacity.packing.size import ZERO, Size

_NODES_PER_BLOCK = 60
"""A heap of all nodes is soon made: it pays if there is a block for every so many nodes."""


class Vessels:
    """The nodes of a zone in order: those of the first cluster, those of the second, and so on."""

    def __init__(
        self, clusters: Sequence[Cluster], free: Sequence[Size], blocks: Sequence[Block], behavior: BinpackBehavior
    ) -> None:
        """`free` has the free space of each node, for nodes may already hold something."""
        self._shapes = Shapes(clusters, blocks, behavior)
        self._behavior = behavior
        self._sizes = [block.size for block in blocks]
        self._shape_of_node = [
            shape
            for shape, cluster in zip(self._shapes.of_cluster, clusters, strict=True)
            for _ in range(cluster.nodes)
        ]
        special = _in_bunches([node for node in range(len(free)) if self.is_special(node)])
        general = _in_bunches([node for node in range(len(free)) if not self.is_special(node)])
        # The node of each row of scores.
        self._nodes = special + general
        self._special_bunches, self._bunches = len(special) // BUNCH, len(self._nodes) // BUNCH
        self._free = [ZERO if node == NOBODY else free[node] for node in self._nodes]
        self._shape = [NOBODY if node == NOBODY else self._shape_of_node[node] for node in self._nodes]
        self._scores = Scores(self._shapes, self._shape, behavior)
        self._scores.renew_many([row for row, node in enumerate(self._nodes) if node != NOBODY], self._free)
        self.free = Size(*map(sum, zip(*free, strict=True))) if free else ZERO

    def is_special(self, node: int) -> bool:
        """Whether a node takes no pooled flavors."""
        return self._shapes.is_special[self._shape_of_node[node]]

    def has_room_beside(self, blocked: Size, block: int) -> bool:
        """Whether all nodes together have room for the block beside what is blocked."""
        size, free = self._sizes[block], self.free
        return (
            blocked.cores + size.cores <= free.cores
            and blocked.ram + size.ram <= free.ram
            and blocked.disk + size.disk <= free.disk
        )

    def suits_somewhere(self, block: int) -> bool:
        """Whether some node has room for the block, whatever is blocked."""
        return self._scores.best(block, self._bunches) != NOBODY

    def suits_when_empty(self, block: int) -> bool:
        """Whether some node would have room for the block if nothing were on it."""
        return self._shapes.takes_when_empty(block)

    def place(self, block: int, blocked: Size) -> int | None:
        """Place one block where it suits best, and say on which node; None if it finds no place.

        What is blocked for pooled flavors only keeps blocks off the nodes that take pooled flavors.
        """
        row = self._scores.best(block, self._bunches if self.has_room_beside(blocked, block) else self._special_bunches)
        if row == NOBODY:
            return None
        pointing = self._take(row, self._sizes[block])
        self._scores.renew(row, self._free[row], pointing)
        return self._nodes[row]

    def place_many(self, block: int, count: int, blocked: Size) -> list[int]:
        """Place up to so many of a block, one after the other, and say on which nodes."""
        if count * _NODES_PER_BLOCK >= len(self._nodes):
            return self._place_run(block, count, blocked)
        nodes: list[int] = []
        while len(nodes) < count and (node := self.place(block, blocked)) is not None:
            nodes.append(node)
        return nodes

    def _place_run(self, block: int, count: int, blocked: Size) -> list[int]:
        """Only the scores of this block matter until all are placed, so the others wait until then."""
        size, toward, shape = self._sizes[block], self._shapes.toward, self._shape
        scores = self._scores.of(block)
        rows = scores.nonzero()[0]
        heap = list(zip((-scores[rows]).tolist(), rows.tolist(), strict=True))
        heapify(heap)
        general = self._special_bunches * BUNCH
        chosen: list[int] = []
        while heap and len(chosen) < count:
            _, row = heap[0]
            if row >= general and not self.has_room_beside(blocked, block):
                break
            pointing = self._take(row, size)
            chosen.append(row)
            if size.fits_in(self._free[row]):
                value = score(Direction(*toward[shape[row], :, block].tolist()), pointing)
                heapreplace(heap, (-(value + SPECIAL if row < general else value), row))
            else:
                heappop(heap)
        self._scores.renew_many(list(dict.fromkeys(chosen)), self._free)
        return [self._nodes[row] for row in chosen]

    def _take(self, row: int, size: Size) -> Direction:
        """Take something off a node; returns where its free space points now."""
        self.free = self.free.minus(size)
        self._free[row] = free = self._free[row].minus(size)
        return direction(free, self._shapes.capacity[self._shape[row]], self._behavior)


def _in_bunches(nodes: list[int]) -> list[int]:
    """The nodes, with as many NOBODY as fill the last bunch."""
    return nodes + [NOBODY] * (-len(nodes) % BUNCH)
