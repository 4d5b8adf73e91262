"""What is to happen to a lease or a host at a time, and how far that has come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from moorage.reservations.model.status import EventStatus

LeaseEventType = Literal["start_lease", "before_end_lease", "end_lease"]
EventType = Literal["start_lease", "before_end_lease", "end_lease", "settle_lease", "settle_host"]

# What clients see, in the order in which it happens.
LEASE_EVENT_TYPES: tuple[LeaseEventType, ...] = ("start_lease", "before_end_lease", "end_lease")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing to do. Of each type a lease or a host has one at most."""

    id: str
    event_type: EventType
    time: datetime
    created_at: datetime
    updated_at: datetime
    # The lease, or else the host, that it is about.
    lease_id: str | None = None
    host_id: int | None = None
    status: EventStatus = "UNDONE"
    # How often it has been tried, and not before when it shall be tried (again): its time, at first.
    attempts: int = 0
    next_attempt_at: datetime | None = None
    # Who is at it, and until when nobody else may be.
    owner: str | None = None
    owned_until: datetime | None = None
    last_error: str | None = None
