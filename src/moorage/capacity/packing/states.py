"""The states of nodes: which have the same shape and the same free space, so that what holds for one holds for all.

States are numbered and kept in columns, so that many can be looked at in one go; nodes come and go at the front.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from moorage.capacity.model.configuration import BinpackBehavior
from moorage.capacity.packing.score import Direction, direction
from moorage.capacity.packing.size import Size

NOBODY = -1


class States:
    """The columns have a place for every state that ever was; `first` is NOBODY for those without nodes."""

    def __init__(self, capacity: Sequence[Size], behavior: BinpackBehavior) -> None:
        """`capacity` is that of each shape."""
        self._capacity = capacity
        self._behavior = behavior
        self._members: list[list[int]] = []
        self._numbers: dict[tuple[int, int, int, int], int] = {}
        self.shape: list[int] = []
        self.first: list[int] = []
        # The free cores, RAM and disk, and where they point.
        self.free: list[tuple[int, int, int]] = []
        self.direction: list[Direction] = []

    def __len__(self) -> int:
        """How many states have nodes."""
        return len(self._numbers)

    def enter(self, shape: int, free: tuple[int, int, int], node: int) -> int | None:
        """Put a node into the state for its free space; returns the state if the node is now the first of it."""
        key = (shape, *free)
        state = self._numbers.get(key)
        if state is None:
            state = self._numbers[key] = len(self._members)
            self._add(shape, free, node)
            return state
        heappush(self._members[state], node)
        if node < self.first[state]:
            self.first[state] = node
            return state
        return None

    def _add(self, shape: int, free: tuple[int, int, int], node: int) -> None:
        self._members.append([node])
        self.shape.append(shape)
        self.first.append(node)
        self.free.append(free)
        self.direction.append(direction(Size(*free), self._capacity[shape], self._behavior))

    def take_first(self, state: int) -> int:
        """Take the first node out of a state."""
        members = self._members[state]
        node = heappop(members)
        if members:
            self.first[state] = members[0]
        else:
            # Should another node ever get here, it gets a state of its own.
            self.first[state] = NOBODY
            del self._numbers[self.shape[state], *self.free[state]]
        return node
