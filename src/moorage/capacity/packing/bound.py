"""How many of the demanded blocks could be placed at most, by anybody: so that a reader sees how good an answer is.

Two things nobody can beat. No more of a block fits than the nodes hold if they hold nothing else; and all blocks
together are no larger than all nodes together. The second is a linear program with three rows. Any prices for cores,
RAM and disk give a bound (what the room is worth, plus what blocks are worth beyond their price), so good prices are
enough, and the best ones are never needed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from moorage.capacity.packing.size import Size
from moorage.capacity.packing.zone import Zone
from moorage.capacity.selection.flavors import traits_match

_ROUNDS = 4
"""How often the three prices are improved in turn."""

Floats = npt.NDArray[np.float64]


def upper_bound(zone: Zone, free: Sequence[Size], wanted: Sequence[int]) -> int:
    """At most so many of the wanted blocks fit beside existing instances; pooled demand is left out of account."""
    if not free or not any(wanted):
        return 0
    room = np.array(free, dtype=np.int64)
    most = [min(count, _alone(zone, block, room)) if count else 0 for block, count in enumerate(wanted)]
    sizes = np.array([block.size for block in zone.blocks], dtype=np.float64)
    return _priced(np.array(most, dtype=np.float64), sizes, room.sum(axis=0).astype(np.float64))


def _alone(zone: Zone, block: int, room: npt.NDArray[np.int64]) -> int:
    """How many of a block fit if it has all nodes to itself."""
    counts = np.array([cluster.nodes for cluster in zone.clusters])
    allowed = np.array([traits_match(zone.blocks[block].traits, cluster.traits) for cluster in zone.clusters])
    mine = room[np.repeat(allowed, counts)]
    size = zone.blocks[block].size
    dimensions = [mine[:, number] // amount for number, amount in enumerate(size) if amount]
    return int(np.minimum.reduce(dimensions).clip(min=0).sum()) if dimensions else 0


def _priced(most: Floats, sizes: Floats, room: Floats) -> int:
    """The best bound that a few rounds of better prices give."""

    def bound(prices: Floats) -> float:
        return float(prices @ room + (most * np.maximum(0.0, 1.0 - sizes @ prices)).sum())

    prices = np.zeros(3)
    best = bound(prices)
    for _ in range(_ROUNDS):
        for dimension in range(3):
            others = sizes @ prices - sizes[:, dimension] * prices[dimension]
            # As a function of one price the bound is a chain of straight lines, with its lowest point at a corner.
            for block in np.flatnonzero(sizes[:, dimension]):
                corner = prices.copy()
                corner[dimension] = max(0.0, (1.0 - others[block]) / sizes[block, dimension])
                if (value := bound(corner)) < best:
                    best, prices = value, corner
    # A bound that is a hair below a whole number is that number, computed in floating point.
    return math.floor(best + 1e-6 * max(1.0, best))
