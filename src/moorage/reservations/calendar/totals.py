"""How much is free over time on all hosts together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from moorage.reservations.calendar.profile import Profile
from moorage.reservations.calendar.score import Goal


@dataclass(frozen=True, slots=True)
class Stretch:
    """From `start` to `end` so many slots are free."""

    start: int
    end: int
    free: int


def totals(steps: Profile, goal: Goal) -> list[Stretch]:
    """The points that all hosts have for a goal, over time; neighbours differ."""
    points = goal.points(steps.free)
    if not len(points):
        return [Stretch(steps.start, steps.end, 0)]
    before = np.append(0, points[:-1])
    before[steps.first] = 0
    order = np.argsort(steps.time, kind="stable")
    time, total = steps.time[order], np.cumsum((points - before)[order])
    last = np.append(time[1:] != time[:-1], True)
    time, total = time[last], total[last]
    differs = np.append(True, total[1:] != total[:-1])
    time, total = time[differs], total[differs]
    ends = np.append(time[1:], steps.end)
    return [Stretch(int(start), int(end), int(free)) for start, end, free in zip(time, ends, total, strict=True)]
