"""Zones where everything is known to fit, because they were made from the solution.

Nodes of several sizes are filled with random blocks, small ones and ones that take half a node, of different
proportions. What the blocks leave is cut off the node, so that it is full in all three dimensions, and then it is made
larger until the blocks are the wanted part of it. Only the blocks are shown, and somebody else has to find out how
they fit. Most of the small ones are in use and come first, and most of the large ones are promised for later, as it
happens in clouds.
"""

from __future__ import annotations

import math
import random

from moorage.capacity.model.configuration import BinpackBehavior, Strategy
from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.size import ZERO, Size
from moorage.capacity.packing.zone import BlockDemand, Zone

_NODES = (Size(64, 512 * 1024, 4000), Size(96, 384 * 1024, 6000), Size(48, 768 * 1024, 3000))
_CORES = (1, 2, 4, 8, 12, 16, 24, 32)
_MIB_PER_CORE = (2048, 4096, 8192, 12288, 16384)
_DISKS = (20, 40, 80, 160, 320, 640)
_LARGE = 16
_IN_USE = {True: 0.2, False: 0.8}
"""How much of the blocks is in use, of large ones and of others."""


def puzzle(nodes: int, fill: float, *, strategy: Strategy, flavors: int = 10, seed: int = 1) -> Zone:
    """A zone of so many nodes, full up to `fill` (1.0 is completely) by blocks that are all asked for."""
    dice = random.Random(seed)  # noqa: S311 - a puzzle is no secret
    blocks = sorted(
        (_block(number, dice) for number in range(flavors)), key=lambda block: tuple(-each for each in block.size)
    )
    counts = [0] * flavors
    clusters = []
    for number in range(nodes):
        node, used = dice.choice(_NODES), ZERO
        while fitting := [block for block in range(flavors) if used.plus(blocks[block].size).fits_in(node)]:
            chosen = dice.choice(fitting)
            counts[chosen] += 1
            used = used.plus(blocks[chosen].size)
        clusters.append(Cluster(f"node-{number}", 1, Size(*(math.ceil(amount / fill) for amount in used))))
    return Zone(
        clusters=clusters,
        blocks=blocks,
        demand=[_demand(block, count) for block, count in zip(blocks, counts, strict=True)],
        behavior=BinpackBehavior(strategy=strategy),
    )


def _demand(block: Block, count: int) -> BlockDemand:
    in_use = round(count * _IN_USE[block.size.cores >= _LARGE])
    return BlockDemand(usage=in_use, pending_commitments=count - in_use)


def _block(number: int, dice: random.Random) -> Block:
    cores = dice.choice(_CORES)
    return Block(f"block-{number}", Size(cores, cores * dice.choice(_MIB_PER_CORE), dice.choice(_DISKS)), cores)
