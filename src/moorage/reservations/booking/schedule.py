"""The events of a lease: when what is to happen, from its dates."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime, timedelta

from moorage.reservations.model.event import Event, EventType
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.refusals import OutsideLease


def first_schedule(lease: Lease, before_end: datetime | None, warning: timedelta, now: datetime) -> Lease:
    """A new lease with its events; `before_end` is as asked for, None for `warning` before the end."""
    times: dict[EventType, datetime] = {"start_lease": lease.start}
    notice = notice_time(lease, before_end, warning)
    if notice is not None:
        times["before_end_lease"] = notice
    times["end_lease"] = lease.end
    times["settle_lease"] = now
    return replace(lease, events=tuple(_event(lease, kind, time, now) for kind, time in times.items()))


def waiting_schedule(lease: Lease, before_end: datetime | None, warning: timedelta, now: datetime) -> Lease:
    """A lease that waits: nothing happens to it yet, but the time of a notice that was asked for is kept."""
    notice = notice_time(lease, before_end, warning)
    if before_end is None or notice is None:
        return lease
    return replace(lease, events=(_event(lease, "before_end_lease", notice, now),))


def notice_time(lease: Lease, before_end: datetime | None, warning: timedelta) -> datetime | None:
    """When the owner is to be told that the end is near; None for never."""
    if before_end is None:
        return max(lease.end - warning, lease.start) if warning else None
    if not lease.start <= before_end <= lease.end:
        raise OutsideLease("Datetime is out of lease limits")
    return before_end


def moved(lease: Lease, event_type: EventType, time: datetime | None, now: datetime) -> Lease:
    """A lease whose event is to happen at another time (again, if it has happened), or not at all."""
    event = lease.event(event_type)
    if event is None:
        added = () if time is None else (_event(lease, event_type, time, now),)
        return replace(lease, events=(*lease.events, *added))
    if time is None:
        return replace(lease, events=tuple(other for other in lease.events if other.id != event.id))
    if time == event.time and event.status != "DONE":
        return lease
    again = _due(event, time, now) if event.status != "DONE" or time > now else replace(event, time=time)
    return _with(lease, again)


def to_settle(lease: Lease, now: datetime) -> Lease:
    """A lease with which the world is to be brought in step."""
    event = lease.event("settle_lease")
    if event is None:
        return replace(lease, events=(*lease.events, _event(lease, "settle_lease", now, now)))
    return _with(lease, _due(event, now, now))


def over(lease: Lease, now: datetime) -> Lease:
    """A lease to which nothing is to happen any more."""
    events = tuple(
        event if event.status == "DONE" else replace(event, status="DONE", owner=None, owned_until=None, updated_at=now)
        for event in lease.events
    )
    return replace(lease, events=events)


def _with(lease: Lease, event: Event) -> Lease:
    return replace(lease, events=tuple(event if other.id == event.id else other for other in lease.events))


def _due(event: Event, time: datetime, now: datetime) -> Event:
    """To be done at a time, whatever became of it before. Who is at it now finds out that it lost it."""
    return replace(
        event,
        status="UNDONE",
        time=time,
        next_attempt_at=time,
        attempts=0,
        owner=None,
        owned_until=None,
        last_error=None,
        updated_at=now,
    )


def _event(lease: Lease, event_type: EventType, time: datetime, now: datetime) -> Event:
    return Event(
        id=str(uuid.uuid4()),
        lease_id=lease.id,
        event_type=event_type,
        time=time,
        next_attempt_at=time,
        created_at=now,
        updated_at=now,
    )
