"""How well a block suits a node: the squared cosine between its size and the free space, in shares of the node.

A block that takes of every dimension what the node has most of leaves free space of good proportions. Sums are taken in
the order cores, disk, RAM, one product after the other: any other order changes the last bit of a score, and with it
which node wins.
"""

from __future__ import annotations

from typing import NamedTuple

from moorage.capacity.model.configuration import BinpackBehavior
from moorage.capacity.packing.size import Size

SPECIAL = 1.1
"""What is added for nodes that take no pooled flavors. No cosine reaches it, so they always come first."""


class Direction(NamedTuple):
    """A size in shares of a node's capacity, and the square of its length. Dimensions that do not count are 0."""

    cores: float
    disk: float
    ram: float
    square: float


NOWHERE = Direction(0.0, 0.0, 0.0, 0.0)


def direction(size: Size, capacity: Size, behavior: BinpackBehavior) -> Direction:
    """Where a size points; NOWHERE if a dimension that counts has no capacity, so that nothing can be said."""
    cores = disk = ram = 0.0
    if not behavior.score_ignores_cores:
        if not capacity.cores:
            return NOWHERE
        cores = float(size.cores) / float(capacity.cores)
    if not behavior.score_ignores_disk:
        if not capacity.disk:
            return NOWHERE
        disk = float(size.disk) / float(capacity.disk)
    if not behavior.score_ignores_ram:
        if not capacity.ram:
            return NOWHERE
        ram = float(size.ram) / float(capacity.ram)
    # Adding the zero of a dimension that does not count changes no bit of the sum.
    return Direction(cores, disk, ram, cores * cores + disk * disk + ram * ram)


def score(block: Direction, free: Direction) -> float:
    """The higher the better; 0 if the node does not suit the block at all."""
    squares = block.square * free.square
    if not squares:
        return 0.0
    product = block.cores * free.cores + block.disk * free.disk + block.ram * free.ram
    return product * product / squares
