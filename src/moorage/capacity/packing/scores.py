"""How well every block suits every node, in a table that is kept up while nodes fill.

A placement changes one node, so only that node's scores are computed again, those of all blocks in one go. Rows of
nodes are taken together in bunches, and the best score of each bunch is known, so that the best node of all is found
by looking at the bunches and then at one of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from moorage.capacity.model.configuration import BinpackBehavior
from moorage.capacity.packing.score import SPECIAL, Direction
from moorage.capacity.packing.shapes import Floats, Integers, Shapes, Truths

BUNCH = 64
"""So many rows are a bunch."""

_AT_A_TIME = 4096
"""So many rows are computed in one go, lest a large cloud with many flavors take all memory."""

NOBODY = -1


class Scores:
    """Rows without a node have the score 0, as have nodes that do not suit a block."""

    def __init__(self, shapes: Shapes, shape_of: Sequence[int], behavior: BinpackBehavior) -> None:
        """`shape_of` has the shape of each row, NOBODY for rows without a node."""
        self._shapes = shapes
        self._shape_of = shape_of
        counted = (not behavior.score_ignores_cores, not behavior.score_ignores_disk, not behavior.score_ignores_ram)
        self._counted = np.array(counted)
        blocks = shapes.toward.shape[2]
        bunches = -(-len(shape_of) // BUNCH)
        self._cells: Floats = np.zeros((bunches, blocks, BUNCH))
        self._best: Floats = np.zeros((blocks, bunches))
        self._best_of = list(self._best)
        # Where the scores of one node are computed: made once, for making arrays takes longer than the sums.
        self._product = np.empty((3, blocks))
        self._parts = tuple(self._product)
        self._pointing = np.empty((3, 1))
        self._fits = np.empty((3, blocks), dtype=np.bool_)
        self._fits_in = tuple(self._fits)
        self._room = np.empty((3, 1), dtype=np.int64)

    def best(self, block: int, bunches: int) -> int:
        """The first row with the highest score among the first so many bunches; NOBODY if all are 0."""
        best = self._best_of[block][:bunches]
        if not bunches:
            return NOBODY
        bunch = int(best.argmax())
        if best[bunch] <= 0:
            return NOBODY
        return bunch * BUNCH + int(self._cells[bunch, block].argmax())

    def of(self, block: int) -> Floats:
        """The scores of a block in all rows."""
        return self._cells[:, block].reshape(-1)

    def renew(self, row: int, free: tuple[int, int, int], pointing: Direction) -> None:
        """Compute the scores of one node, which points there now: the formula of `score.score`, and its order."""
        shapes, shape = self._shapes, self._shape_of[row]
        product, (value, other, third), fits = self._product, self._parts, self._fits
        toward, aim, room = shapes.toward[shape], self._pointing, self._room
        aim[0, 0], aim[1, 0], aim[2, 0], square = pointing
        room[0, 0], room[1, 0], room[2, 0] = free
        # Each operation is rounded by itself.
        np.multiply(toward[:3], aim, out=product)
        np.add(value, other, out=value)
        np.add(value, third, out=value)
        np.multiply(value, value, out=value)
        np.multiply(toward[3], square or 1.0, out=other)
        np.divide(value, other, out=value)
        if shapes.is_special[shape]:
            np.add(value, SPECIAL, out=value)
        np.less_equal(shapes.needs[shapes.kind[shape]], room, out=fits)
        for each in self._fits_in:
            np.multiply(value, each, out=value)
        bunch, place = divmod(row, BUNCH)
        cells = self._cells[bunch]
        cells[:, place] = value
        self._best[:, bunch] = np.maximum.reduce(cells, axis=1)

    def renew_many(self, rows: Sequence[int], free: Sequence[tuple[int, int, int]]) -> None:
        """The same for many nodes; `free` has the free space of each row, the others' as well."""
        for start in range(0, len(rows), _AT_A_TIME):
            some = rows[start : start + _AT_A_TIME]
            bunches, places = np.divmod(np.array(some), BUNCH)
            self._cells[bunches, :, places] = self._computed(some, np.array([free[row] for row in some]))
            touched = np.unique(bunches)
            self._best[:, touched] = self._cells[touched].max(axis=2).T

    def _computed(self, rows: Sequence[int], free: Integers) -> Floats:
        shapes, shape = self._shapes, [self._shape_of[row] for row in rows]
        capacity = np.array([shapes.capacity[each] for each in shape], dtype=np.float64)
        toward = shapes.toward[shape]
        counts = self._counted & (capacity > 0)[:, [0, 2, 1]]
        share = np.zeros_like(capacity)
        np.divide(free.astype(np.float64)[:, [0, 2, 1]], capacity[:, [0, 2, 1]], out=share, where=counts)
        cores, disk, ram = (share[:, number, None] for number in range(3))
        value = toward[:, 0] * cores + toward[:, 1] * disk
        value = value + toward[:, 2] * ram
        square = cores * cores + disk * disk + ram * ram
        value = value * value / (toward[:, 3] * np.where(square > 0, square, 1.0))
        value = value + np.where(np.array(shapes.is_special)[shape], SPECIAL, 0.0)[:, None]
        return np.where(self._fitting(shape, free), value, 0.0)

    def _fitting(self, shape: Sequence[int], free: Integers) -> Truths:
        """By row and block, whether the block fits into what is free."""
        kind = np.array([self._shapes.kind[each] for each in shape])
        fitting = np.zeros((len(shape), self._best.shape[0]), dtype=np.bool_)
        for number, needs in enumerate(self._shapes.needs):
            fitting[kind == number] = (needs <= free[kind == number][:, :, None]).all(axis=1)
        return fitting
