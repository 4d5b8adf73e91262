"""A promise: what it reserves, from when to when, for whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from moorage.reservations.model.event import Event, EventType
from moorage.reservations.model.period import Period
from moorage.reservations.model.reservation import Reservation
from moorage.reservations.model.status import LeaseStatus

LONGEST_NAME = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A lease with all that belongs to it. Its reservations and events are in the order they were asked for."""

    id: str
    name: str
    project_id: str
    user_id: str
    start: datetime
    end: datetime
    created_at: datetime
    updated_at: datetime
    status: LeaseStatus = "PENDING"
    # Why it is as it is, where that needs words: what failed, what its end still waits for.
    status_reason: str = ""
    # Some reservation of it has missing or changed resources.
    degraded: bool = False
    # Since when it is history; None for one that clients see.
    deleted_at: datetime | None = None
    # By which the calendar learns that it was changed; see `store/booking_lock.py`.
    revision: int = 0
    reservations: tuple[Reservation, ...] = ()
    events: tuple[Event, ...] = ()

    @property
    def period(self) -> Period:
        """When it holds what it reserves."""
        return Period(self.start, self.end)

    def event(self, event_type: EventType) -> Event | None:
        """Its event of a type, if it has one."""
        return next((event for event in self.events if event.event_type == event_type), None)

    @property
    def has_started(self) -> bool:
        """Whether its start has been carried out, or is being carried out."""
        event = self.event("start_lease")
        return event is not None and event.status in {"DONE", "IN_PROGRESS"}
