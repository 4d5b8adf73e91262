"""When a request could begin: all starts within a horizon at which it fits for its whole duration.

What a host has for a start is the least of the steps that overlap [start, start + duration). That changes only where a
step begins, or comes into the window at its end. So each host is looked at twice per step, by a range-minimum query;
and the points of all hosts are one running sum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from moorage.reservations.calendar.columns import NEVER, Numbers
from moorage.reservations.calendar.profile import Profile
from moorage.reservations.calendar.score import Goal


@dataclass(frozen=True, slots=True)
class Starts:
    """From the first to the last start, both included, a request can begin at any instant."""

    first: int
    last: int


def possible_starts(steps: Profile, goal: Goal, duration: int) -> list[Starts]:
    """All starts from the begin of the profile up to `duration` before its end."""
    latest = steps.end - duration
    if not steps.hosts or latest < steps.start:
        return []
    host = np.concatenate([steps.host, steps.host])
    # A step that begins at b is in the window of a start t when t + duration > b: from b - duration + 1 on.
    time = np.concatenate([steps.time, steps.time - duration + 1])
    seen = (time >= steps.start) & (time <= latest)
    order = np.lexsort((time[seen], host[seen]))
    host, time = host[seen][order], time[seen][order]
    points = goal.points(_least_free(steps, host, time, duration))
    before = np.append(0, points[:-1])
    before[np.append(True, host[1:] != host[:-1])] = 0
    return _periods(time, points - before, goal.points_needed, latest)


def _least_free(steps: Profile, host: Numbers, time: Numbers, duration: int) -> Numbers:
    """The fewest free slots of each host in the window that begins at each time."""
    key = _key(steps, steps.host, steps.time)
    left = np.searchsorted(key, _key(steps, host, time), side="right") - 1
    right = np.searchsorted(key, _key(steps, host, time + duration), side="left")
    # A sparse table: level n has the least of the 2^n steps that begin at each place.
    tables = [steps.free]
    longest = int((right - left).max(initial=1))
    while (1 << len(tables)) <= longest:
        half = tables[-1]
        reach = 1 << (len(tables) - 1)
        tables.append(np.minimum(half, np.append(half[reach:], np.full(min(reach, len(half)), NEVER))))
    level = np.frexp((right - left).astype(np.float64))[1].astype(np.int64) - 1
    table = np.stack(tables)
    found: Numbers = np.minimum(table[level, left], table[level, right - (1 << level)])
    return found


def _key(steps: Profile, host: Numbers, time: Numbers) -> Numbers:
    """Host and time as one number that sorts like both."""
    return host * (steps.end - steps.start + 1) + (time - steps.start)


def _periods(time: Numbers, changes: Numbers, needed: int, latest: int) -> list[Starts]:
    order = np.argsort(time, kind="stable")
    time, points = time[order], np.cumsum(changes[order])
    last = np.append(time[1:] != time[:-1], True)
    time, good = time[last], points[last] >= needed
    edges = np.flatnonzero(np.diff(np.concatenate([[False], good, [False]]).astype(np.int8)))
    ends = np.append(time, latest + 1)
    return [
        Starts(int(time[first]), int(ends[after]) - 1) for first, after in zip(edges[::2], edges[1::2], strict=True)
    ]
