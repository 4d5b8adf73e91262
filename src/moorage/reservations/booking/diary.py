"""What is held when, as this process knows it: a copy of the slots of all leases, brought up to date before each use.

Whoever changes what the calendar counts stamps it with the number of a turn (`store/turns.py`). Turns come one after
the other, so what a snapshot shows of one is all that was written up to it: a copy as of turn n needs only the rows
whose revision is above n.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from sqlalchemy import Connection

from moorage.reservations.calendar.columns import Numbers, seconds
from moorage.reservations.calendar.holds import Holds
from moorage.reservations.model.host import Host
from moorage.reservations.store import hosts, turns
from moorage.reservations.store.holdings import Holding, changed_leases, holdings


@dataclass(frozen=True, slots=True)
class Page:
    """The diary as of a turn."""

    revision: int = -1
    # By number; the columns of the calendar have them in this order.
    hosts: Mapping[int, Host] = field(default_factory=dict)
    # With numbers of hosts where the calendar has positions.
    holds: Holds = field(default_factory=Holds)

    def calendar(self, now: int, margin: int) -> Holds:
        """What is held, maintenance included, by positions of hosts; what should have ended is held for a while."""
        numbers = np.fromiter(self.hosts, np.int64, len(self.hosts))
        held = Holds(
            _positions(numbers, self.holds.host),
            self.holds.lease,
            self.holds.start,
            self.holds.end,
            self.holds.whole,
            self.holds.amounts,
        ).until_gone(now, margin)
        return held.plus(_maintenance(list(self.hosts.values())))


class Diary:
    """The copy of one process; any number of threads may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._page = Page()

    def current(self, connection: Connection) -> Page:
        """The diary as a snapshot shows it, or as somebody else has seen it since."""
        revision = turns.last(connection)
        with self._lock:
            if self._page.revision < revision:
                self._page = _next_page(connection, self._page, revision)
            return self._page

    def before(self, connection: Connection, turn: int) -> Page:
        """The diary as it was before a turn; whoever has that turn has written nothing yet."""
        revision = turn - 1
        with self._lock:
            if self._page.revision != revision:
                # Nobody can have seen a later one, unless the database itself has gone back in time.
                known = self._page if self._page.revision < revision else Page()
                self._page = _next_page(connection, known, revision)
            return self._page


def _next_page(connection: Connection, page: Page, revision: int) -> Page:
    changed_hosts = hosts.changed_since(connection, page.revision)
    known = page.hosts
    if changed_hosts:
        changed_by_id = {host.id: host for host in changed_hosts}
        merged = {**known, **changed_by_id}
        known = {number: merged[number] for number in sorted(merged) if merged[number].deleted_at is None}
    kept = page.holds
    if len(kept):
        changed = np.array(changed_leases(connection, page.revision), np.int64)
        kept = kept.where(~np.isin(kept.lease, changed))
    added = _columns(holdings(connection, page.revision))
    return Page(revision, known, kept.plus(added))


def _columns(found: Sequence[Holding]) -> Holds:
    names = dict.fromkeys(name for holding in found for name in holding.resources)
    return Holds(
        np.array([holding.host_id for holding in found], np.int64),
        np.array([holding.lease_number for holding in found], np.int64),
        np.array([seconds(holding.start) for holding in found], np.int64),
        np.array([seconds(holding.end) for holding in found], np.int64),
        np.array([holding.whole_host for holding in found], np.bool_),
        {
            name: np.array([holding.resources.get(name, 0) * holding.slots for holding in found], np.int64)
            for name in names
        },
    )


def _positions(numbers: Numbers, wanted: Numbers) -> Numbers:
    """Where numbers of hosts stand in a sorted column of them; -1 for those that are not there."""
    if not len(numbers):
        return np.full(len(wanted), -1, np.int64)
    place = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
    return np.where(numbers[place] == wanted, place, -1)


def _maintenance(known: Sequence[Host]) -> Holds:
    windows = [(position, window.period) for position, host in enumerate(known) for window in host.maintenance]
    count = len(windows)
    return Holds(
        np.array([position for position, _ in windows], np.int64),
        np.zeros(count, np.int64),
        np.array([seconds(period.start) for _, period in windows], np.int64),
        np.array([seconds(period.end) for _, period in windows], np.int64),
        np.ones(count, np.bool_),
    )
