"""How many slots fit on each host for a whole period: the least that is free at any instant of it."""

from __future__ import annotations

import numpy as np

from moorage.reservations.calendar.columns import Numbers
from moorage.reservations.calendar.profile import Profile


def fits(steps: Profile) -> Numbers:
    """For each host, the slots that are free all the time."""
    if not steps.hosts:
        return np.zeros(0, np.int64)
    found: Numbers = np.minimum.reduceat(steps.free, steps.first)
    return found
