"""Whether slots on hosts are enough for a request, with the affinity that it asks for.

Each host has points for what is free on it, and a request fits if all points together reach its goal. Points add up, so
that many instants can be judged by one running sum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from moorage.reservations.calendar.columns import Numbers


@dataclass(frozen=True, slots=True)
class Goal:
    """So many slots: all on one host (affinity), each on another (anti-affinity, and whole hosts), or anywhere."""

    amount: int
    affinity: bool | None = None

    @property
    def points_needed(self) -> int:
        """How many points all hosts together must have."""
        return 1 if self.affinity is True else self.amount

    def points(self, free: Numbers) -> Numbers:
        """The points of hosts, or of one host at several instants, on which so many slots are free."""
        if self.affinity is True:
            return (free >= self.amount).astype(np.int64)
        most = self.amount if self.affinity is None else 1
        return np.minimum(free, most)

    def reached(self, free: Numbers) -> bool:
        """Whether so many free slots, by host, are enough."""
        return bool(self.points(free).sum() >= self.points_needed)
