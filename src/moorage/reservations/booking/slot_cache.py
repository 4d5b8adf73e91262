"""What is held when, as this process knows it: a copy of the slots of all leases, brought up to date before each use.

Whoever changes what the calendar counts stamps it with the revision that the booking lock (`store/booking_lock.py`)
gives. Revisions are written one after the other, so a database snapshot that shows one shows all before it: a copy as
of revision n needs only the rows whose revision is above n.
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
from moorage.reservations.store import booking_lock, hosts
from moorage.reservations.store.held_slots import HeldSlots, changed_leases, held_slots


@dataclass(frozen=True, slots=True)
class SlotSnapshot:
    """The slots as of a revision."""

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


class SlotCache:
    """The copy of one process; any number of threads may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._snapshot = SlotSnapshot()

    def current(self, connection: Connection) -> SlotSnapshot:
        """The slots as a database snapshot shows them, or as somebody else has seen it since."""
        revision = booking_lock.last_revision(connection)
        with self._lock:
            if self._snapshot.revision < revision:
                self._snapshot = _next_snapshot(connection, self._snapshot, revision)
            return self._snapshot

    def before(self, connection: Connection, revision: int) -> SlotSnapshot:
        """The slots as they were before a revision; whoever has the lock for it has written nothing yet."""
        revision -= 1
        with self._lock:
            if self._snapshot.revision != revision:
                # Nobody can have seen a later one, unless the database itself has gone back in time.
                known = self._snapshot if self._snapshot.revision < revision else SlotSnapshot()
                self._snapshot = _next_snapshot(connection, known, revision)
            return self._snapshot


def _next_snapshot(connection: Connection, snapshot: SlotSnapshot, revision: int) -> SlotSnapshot:
    changed_hosts = hosts.changed_since(connection, snapshot.revision)
    known = snapshot.hosts
    if changed_hosts:
        changed_by_id = {host.id: host for host in changed_hosts}
        merged = {**known, **changed_by_id}
        known = {number: merged[number] for number in sorted(merged) if merged[number].deleted_at is None}
    kept = snapshot.holds
    if len(kept):
        changed = np.array(changed_leases(connection, snapshot.revision), np.int64)
        kept = kept.where(~np.isin(kept.lease, changed))
    added = _columns(held_slots(connection, snapshot.revision))
    return SlotSnapshot(revision, known, kept.plus(added))


def _columns(found: Sequence[HeldSlots]) -> Holds:
    names = dict.fromkeys(name for held in found for name in held.resources)
    return Holds(
        np.array([held.host_id for held in found], np.int64),
        np.array([held.lease_number for held in found], np.int64),
        np.array([seconds(held.start) for held in found], np.int64),
        np.array([seconds(held.end) for held in found], np.int64),
        np.array([held.whole_host for held in found], np.bool_),
        {name: np.array([held.resources.get(name, 0) * held.slots for held in found], np.int64) for name in names},
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
