"""The shapes of nodes, and where each block points on each of them, as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from moorage.capacity.model.configuration import BinpackBehavior
from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.size import Size
from moorage.capacity.selection.flavors import traits_match

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Directions:
    """Where a block points on each shape, and the square of its length there: 0 if it may not or cannot be there."""

    cores: Floats
    disk: Floats
    ram: Floats
    square: Floats
    # The same, one tuple for each shape: a single value is read faster from here.
    rows: list[tuple[float, float, float, float]]


class Shapes:
    """Nodes have the same shape if they are alike when empty: in capacity, kind, and traits asked for."""

    def __init__(self, clusters: Sequence[Cluster], blocks: Sequence[Block]) -> None:
        asked_for = {trait for block in blocks for trait in block.traits}
        numbers: dict[tuple[Size, bool, frozenset[str]], int] = {}
        # The shape of each cluster.
        self.of_cluster = [
            numbers.setdefault((cluster.size, cluster.is_special, cluster.traits & asked_for), len(numbers))
            for cluster in clusters
        ]
        self.capacity = [size for size, _, _ in numbers]
        self.is_special = [special for _, special, _ in numbers]
        self.special_column = np.array(self.is_special, dtype=np.bool_)
        self._traits = [traits for _, _, traits in numbers]

    def directions(self, block: Block, behavior: BinpackBehavior) -> Directions:
        """Where a block points on each shape, computed as `score.direction` does it."""
        ignored = (behavior.score_ignores_cores, behavior.score_ignores_disk, behavior.score_ignores_ram)
        count = len(self.capacity)
        capacities = np.array([(size.cores, size.disk, size.ram) for size in self.capacity], dtype=np.float64)
        possible = self._matching(block)
        shares: list[Floats] = []
        for dimension, amount in enumerate((block.size.cores, block.size.disk, block.size.ram)):
            share = np.zeros(count)
            if count and not ignored[dimension]:
                capacity = capacities[:, dimension]
                possible &= capacity > 0
                np.divide(float(amount), capacity, out=share, where=capacity > 0)
            shares.append(share)
        cores, disk, ram = shares
        square = np.where(possible, cores * cores + disk * disk + ram * ram, 0.0)
        rows = list(zip(cores.tolist(), disk.tolist(), ram.tolist(), square.tolist(), strict=True))
        return Directions(cores, disk, ram, square, rows)

    def _matching(self, block: Block) -> npt.NDArray[np.bool_]:
        """The shapes that have the traits that a block asks for."""
        known: dict[frozenset[str], bool] = {}
        return np.array(
            [
                known[traits] if traits in known else known.setdefault(traits, traits_match(block.traits, traits))
                for traits in self._traits
            ],
            dtype=np.bool_,
        )
