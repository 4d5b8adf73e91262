"""What the search for one request has learnt about what cannot be, and how long it goes on looking."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Hashable

LOG = logging.getLogger(__name__)

# To find out whether groups fit beside each other can take for ever (it is bin packing), so it is not always found out.
# A step is a provider chosen for a part in vain; ten thousand take about half a second, and wide trees count for more.
MOST_STEPS_AT_ONE_ANCHOR = 10_000
MOST_STEPS = 50_000


class Labels:
    """A number for everything that is told apart."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def of(self, item: Hashable) -> int:
        """The number of an item; the same for equal items."""
        return self._numbers.setdefault(item, len(self._numbers))


class Effort:
    """How much is done for one answer, which may take several searches."""

    def __init__(self) -> None:
        self._steps = 0
        self._has_given_up = False

    def may_go_on(self, steps: int) -> bool:
        """Whether so many more steps may be made."""
        self._steps += steps
        return self._steps <= MOST_STEPS

    def give_up(self) -> None:
        """Have the log say, once, that not everything was tried."""
        if not self._has_given_up:
            self._has_given_up = True
            LOG.warning("Where groups compete, not every way to serve them was tried: it would have taken too long")


class Memory:
    """Of one search; grows with the steps that are made."""

    def __init__(self) -> None:
        self.labels = Labels()
        # Anchors about which there is nothing to be found, or nothing was in all the steps; by their shapes.
        self.barren: set[int] = set()
        # Beginnings that lead nowhere, by the shape.
        self.dead_ends: defaultdict[int, set[Hashable]] = defaultdict(set)
