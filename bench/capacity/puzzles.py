"""Zones where everything is known to fit, because they were made from the solution.

Each node is filled with random blocks up to a part of its capacity, which is exact in all three dimensions: what the
blocks leave is cut off the node. Then only the blocks are shown, and somebody else has to find out how they fit.
"""

from __future__ import annotations

import math
import random

from moorage.capacity.model.configuration import BinpackBehavior, Strategy
from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.size import ZERO, Size
from moorage.capacity.packing.zone import BlockDemand, Zone

_NODE = Size(64, 512 * 1024, 4000)


def puzzle(nodes: int, fill: float, *, strategy: Strategy, flavors: int = 10, seed: int = 1) -> Zone:
    """A zone of so many nodes, full up to `fill` (1.0 is completely) by blocks that are all asked for."""
    dice = random.Random(seed)  # noqa: S311 - a puzzle is no secret
    blocks = sorted(
        (_block(number, dice) for number in range(flavors)), key=lambda block: tuple(-each for each in block.size)
    )
    counts = [0] * flavors
    clusters = []
    for number in range(nodes):
        used = ZERO
        while fitting := [block for block in range(flavors) if used.plus(blocks[block].size).fits_in(_NODE)]:
            chosen = dice.choice(fitting)
            counts[chosen] += 1
            used = used.plus(blocks[chosen].size)
        clusters.append(Cluster(f"node-{number}", 1, Size(*(math.ceil(amount / fill) for amount in used))))
    demand = [BlockDemand(usage=count // 2, pending_commitments=count - count // 2) for count in counts]
    return Zone(clusters=clusters, blocks=blocks, demand=demand, behavior=BinpackBehavior(strategy=strategy))


def _block(number: int, dice: random.Random) -> Block:
    cores = dice.choice((1, 2, 4, 8, 16))
    ram = cores * dice.choice((2, 4, 8, 16)) * 1024
    return Block(f"block-{number}", Size(cores, ram, dice.choice((20, 40, 80, 160, 320))), cores)
