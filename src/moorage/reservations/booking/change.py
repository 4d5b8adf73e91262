"""Changing a lease: extend, shorten, move, resize, rename; as a whole or not at all."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from moorage.db.database import Transaction
from moorage.reservations.booking.booking_view import BookingView
from moorage.reservations.booking.creation import check_limits
from moorage.reservations.booking.orders import LeaseChange, ReservationChange
from moorage.reservations.booking.placing import grow, place, stay
from moorage.reservations.booking.resizing import resized
from moorage.reservations.booking.schedule import moved, notice_time, to_settle
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.period import Period
from moorage.reservations.model.refusals import CannotChange, Invalid, NotEnough
from moorage.reservations.model.reservation import Request, Reservation
from moorage.reservations.room import Room
from moorage.reservations.store import booking_lock, leases
from moorage.reservations.store.errors import NotFound


class NoRoom(NotEnough):
    """A change for which there is no room: the first reservation that has none, what it would ask for, beside what."""

    def __init__(self, message: str, reservation: Reservation, request: Request, view: BookingView) -> None:
        super().__init__(message)
        self.reservation = reservation
        self.request = request
        self.view = view


def change(room: Room, lease_id: str, wanted: LeaseChange) -> Lease:
    """The lease as it is afterwards; a refusal leaves it as it was."""
    now = wanted.ordered_at
    inventories = None if wanted.is_rename_only else room.availability.inventories_now()

    def work(tx: Transaction) -> Lease:
        revision = booking_lock.acquire(tx)
        lease = leases.lock(tx, lease_id)
        if lease is None:
            raise NotFound(f"Lease {lease_id} could not be found.")
        after = redated(lease, wanted)
        if inventories is not None:
            view = room.availability.view_before(tx.connection, revision, inventories, now)
            after = rearranged(after, lease, wanted, view.without(leases.number_of(tx.connection, lease_id)))
            check_limits(tx.connection, room, after, now, limited=wanted.limited, before=lease)
            after = rescheduled(after, lease, wanted, room.warning)
        after = replace(after, revision=revision)
        leases.save(tx, lease, after)
        return after

    return room.write(work)


def redated(lease: Lease, wanted: LeaseChange) -> Lease:
    """The lease with another name and other dates, if it is in a state that allows it."""
    now = wanted.ordered_at
    after = replace(lease, name=lease.name if wanted.name is None else wanted.name, updated_at=now)
    if wanted.is_rename_only:
        return after
    _check_state(lease)
    return _new_dates(after, wanted, now)


def _check_state(lease: Lease) -> None:
    if lease.status in {"TERMINATED", "TERMINATING"}:
        raise Invalid("Cannot modify a lease that has ended, but for its name")
    if lease.status in {"DELETING", "WAITING", "STARTING", "ERROR"}:
        raise CannotChange(f"The lease is in the status {lease.status}, in which it cannot be changed.")
    busy = [event.event_type for event in lease.events if event.status == "IN_PROGRESS"]
    if busy and busy != ["settle_lease"]:
        raise CannotChange(f"The event {busy[0]} of the lease is being carried out; try again when it is done.")


def _new_dates(lease: Lease, wanted: LeaseChange, now: datetime) -> Lease:
    start, end = wanted.start or lease.start, wanted.end or lease.end
    started = lease.has_started or lease.start <= now
    minute = now.replace(second=0)
    if start != lease.start and started:
        raise Invalid("Cannot modify the start date of already started leases")
    if start != lease.start and start < minute:
        raise Invalid("Start date must be later than current date")
    if end != lease.end and end < minute:
        raise Invalid("End date must be later than current date.")
    if end <= start:
        raise Invalid("End date must be later than start date.")
    return replace(lease, start=start, end=end)


def rearranged(after: Lease, before: Lease, wanted: LeaseChange, view: BookingView) -> Lease:
    """The lease with what it reserves then, and where; NoRoom. The view is without the lease itself."""
    now = wanted.ordered_at
    unknown = [uuid for uuid in wanted.reservations if uuid not in {one.id for one in before.reservations}]
    if unknown:
        raise Invalid(f"Please enter valid reservation IDs: the lease has no reservation {unknown[0]}.")
    requests = {
        reservation.id: resized(reservation, wanted.reservations.get(reservation.id, ReservationChange()))
        for reservation in before.reservations
    }
    # What has its place already, and keeps it, comes first, so that others make room for it and not the other way.
    order = sorted(range(len(before.reservations)), key=lambda place: before.reservations[place].status != "active")
    done: dict[str, Reservation] = {}
    for number in order:
        reservation = before.reservations[number]
        request = requests[reservation.id]
        try:
            made = _replaced(view, reservation, request, before.period, after.period, now)
        except NotEnough as refusal:
            raise NoRoom(str(refusal), reservation, request, view) from refusal
        view = view.plus(made.request, made.slots, after.period)
        done[made.id] = made
    return replace(after, reservations=tuple(done[one.id] for one in before.reservations))


def _replaced(
    view: BookingView, reservation: Reservation, request: Request, old: Period, new: Period, now: datetime
) -> Reservation:
    same = request == reservation.request
    if same and new.start >= old.start and new.end <= old.end:
        return reservation
    if reservation.status == "active":
        return _replaced_while_active(view, reservation, request, old, new, now)
    slots = place(view, request, new, reservation.slots)
    return replace(reservation, request=request, slots=slots, missing_resources=False, updated_at=now)


def _replaced_while_active(
    view: BookingView, reservation: Reservation, request: Request, old: Period, new: Period, now: datetime
) -> Reservation:
    slots = reservation.slots
    if new.end > old.end:
        # What it holds until now it holds, whatever became of the host; only what is new is a matter of room.
        stay(view, reservation.request, Period(old.end, new.end), slots)
    if request != reservation.request:
        slots = grow(view, request, still_to_come(new, now), slots)
    return replace(reservation, request=request, slots=slots, updated_at=now)


def still_to_come(period: Period, now: datetime) -> Period:
    """What is left of a period that has begun."""
    return Period(max(now, period.start), period.end)


def rescheduled(after: Lease, before: Lease, wanted: LeaseChange, warning: timedelta) -> Lease:
    """The lease with its events at the times that follow from its dates."""
    now = wanted.ordered_at
    if after.start != before.start:
        after = moved(after, "start_lease", after.start, now)
    if after.end != before.end:
        after = moved(after, "end_lease", after.end, now)
    if after.period != before.period or wanted.before_end is not None:
        after = moved(after, "before_end_lease", notice_time(after, wanted.before_end, warning), now)
    return to_settle(after, now)
