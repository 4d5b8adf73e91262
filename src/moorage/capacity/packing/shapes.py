"""The shapes of nodes, and where each block points on each of them, as columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from moorage.capacity.model.configuration import BinpackBehavior
from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.size import Size
from moorage.capacity.selection.flavors import traits_match

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

IMPOSSIBLE = 2**63 - 1
"""What a block takes where it may not or cannot be: more than any node has."""


class Shapes:
    """Nodes have the same shape if they are alike when empty: in capacity, kind, and traits asked for."""

    def __init__(self, clusters: Sequence[Cluster], blocks: Sequence[Block], behavior: BinpackBehavior) -> None:
        asked_for = {trait for block in blocks for trait in block.traits}
        numbers: dict[tuple[Size, bool, frozenset[str]], int] = {}
        # The shape of each cluster.
        self.of_cluster = [
            numbers.setdefault((cluster.size, cluster.is_special, cluster.traits & asked_for), len(numbers))
            for cluster in clusters
        ]
        self.capacity = [size for size, _, _ in numbers]
        self.is_special = [special for _, special, _ in numbers]
        # For each shape: the share of cores, disk and RAM that each block takes, and the square of that direction's
        # length, computed as `score.direction` does it. Where a block is impossible it is not to be looked at.
        self.toward: Floats = np.zeros((len(numbers), 4, len(blocks)))
        possible = _matching([traits for _, _, traits in numbers], blocks)
        ignored = (behavior.score_ignores_cores, behavior.score_ignores_disk, behavior.score_ignores_ram)
        capacities = np.array(self.capacity, dtype=np.float64).reshape(-1, 3)
        sizes = np.array([block.size for block in blocks], dtype=np.float64).reshape(-1, 3)
        for row, dimension in enumerate((0, 2, 1)):
            if not ignored[row]:
                capacity = capacities[:, dimension, None]
                possible &= capacity > 0
                np.divide(sizes[:, dimension], capacity, out=self.toward[:, row], where=capacity > 0)
        cores, disk, ram = (self.toward[:, row] for row in range(3))
        self.toward[:, 3] = cores * cores + disk * disk + ram * ram
        possible &= self.toward[:, 3] > 0
        self.toward[:, 3][~possible] = 1.0
        # Shapes differ in what is possible far less than in capacity: what each block takes, by such a kind of shape.
        kinds: dict[bytes, int] = {}
        self.kind = [kinds.setdefault(row.tobytes(), len(kinds)) for row in possible]
        amounts = np.array([block.size for block in blocks], dtype=np.int64).reshape(-1, 3).T
        self.needs: list[Integers] = [
            np.where(np.frombuffer(kind, dtype=np.bool_), amounts, IMPOSSIBLE) for kind in kinds
        ]

    def takes_when_empty(self, block: int) -> bool:
        """Whether a node of any shape has room for the block when nothing is on it."""
        return any(
            bool((self.needs[kind][:, block] <= capacity).all())
            for kind, capacity in zip(self.kind, self.capacity, strict=True)
        )


def _matching(traits: Sequence[frozenset[str]], blocks: Sequence[Block]) -> Truths:
    """By shape and block, whether the shape has the traits that the block asks for."""
    known = {each: [traits_match(block.traits, each) for block in blocks] for each in set(traits)}
    return np.array([known[each] for each in traits], dtype=np.bool_).reshape(len(traits), len(blocks))
