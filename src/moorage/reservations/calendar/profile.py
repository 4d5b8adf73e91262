"""How many slots are free on each host over time: a step function for each host, all in one set of columns.

At an instant, slots fit on a host as often as the scarcest of the classes they take allows:
min over classes of (capacity - held) // amount. What is held is the running sum of what begins and what ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from moorage.reservations.calendar.columns import Flags, Numbers
from moorage.reservations.calendar.demand import Demand
from moorage.reservations.calendar.holds import Holds
from moorage.reservations.calendar.supply import Supply

_Running = Callable[[Numbers], Numbers]


@dataclass(frozen=True, slots=True)
class Profile:
    """Steps, by host and then by time. A step lasts until the host's next one, the last one until `end`."""

    start: int
    end: int
    hosts: int
    host: Numbers
    time: Numbers
    free: Numbers

    @property
    def first(self) -> Numbers:
        """For each host, where its steps begin; each has one at least, at `start`."""
        found: Numbers = np.searchsorted(self.host, np.arange(self.hosts))
        return found


def profile(supply: Supply, holds: Holds, demand: Demand, start: int, end: int, usable: Flags | None = None) -> Profile:
    """The free slots for a demand in a period; none on hosts that are not `usable`."""
    held = holds.during(start, end)
    begins, ends = np.maximum(held.start, start), held.end
    hosts = np.arange(supply.hosts)
    host = np.concatenate([hosts, held.host, held.host])
    time = np.concatenate([np.full(supply.hosts, start), begins, ends])
    order = np.lexsort((time, host))
    host, time = host[order], time[order]
    # Of several changes of a host at one instant only the last one's sum counts; what is behind the period never does.
    last = np.append((host[1:] != host[:-1]) | (time[1:] != time[:-1]), True) & (time < end)
    kept_host, kept_time = host[last], time[last]

    def running(amounts: Numbers) -> Numbers:
        """What is held at each step: the sum over all changes, less what it was when the steps of the host began."""
        changes = np.concatenate([np.zeros(supply.hosts, np.int64), amounts, -amounts])[order]
        sums = np.cumsum(changes)
        before = (sums - changes)[np.searchsorted(host, hosts)]
        found: Numbers = (sums - before[host])[last]
        return found

    free = _free(supply, held, demand, kept_host, running)
    if usable is not None:
        free = np.where(usable[kept_host], free, 0)
    return Profile(start, end, supply.hosts, kept_host, kept_time, free)


def _free(supply: Supply, held: Holds, demand: Demand, host: Numbers, running: _Running) -> Numbers:
    if demand.whole_host:
        busy = running(np.ones(len(held), np.int64))
        return np.where((busy == 0) & supply.untouched()[host], 1, 0)
    free = np.full(len(host), np.iinfo(np.int64).max)
    for resource_class, amount in demand.resources.items():
        capacity = supply.capacity(resource_class, demand.parts.get(resource_class, amount))
        free = np.minimum(free, (capacity[host] - running(held.amount(resource_class))) // amount)
    whole = running(held.whole.astype(np.int64))
    return np.where(whole > 0, 0, np.maximum(free, 0))
