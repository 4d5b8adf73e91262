"""Making a lease: decided over the calendar as it is in the transaction that writes it."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from moorage.db.database import Transaction
from moorage.reservations.booking.booking_view import BookingView
from moorage.reservations.booking.limits import NO_LIMITS, Limits, check, limits_of
from moorage.reservations.booking.orders import LeaseOrder
from moorage.reservations.booking.placing import place
from moorage.reservations.booking.schedule import first_schedule, waiting_schedule
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.refusals import Invalid, NotEnough
from moorage.reservations.model.reservation import Reservation
from moorage.reservations.room import Room
from moorage.reservations.store import booking_lock, leases, limits


def create(room: Room, order: LeaseOrder) -> Lease:
    """A new lease: PENDING with its slots or, if it does not fit and may wait, WAITING. NotEnough if it may not."""
    now = order.ordered_at
    lease = draft(order, now)
    inventories = room.availability.inventories_now()

    def work(tx: Transaction) -> Lease:
        revision = booking_lock.acquire(tx)
        check_limits(tx.connection, room, lease, now, limited=order.limited)
        view = room.availability.view_before(tx.connection, revision, inventories, now)
        try:
            made = placed(view, lease)
        except NotEnough:
            if not order.wait:
                raise
            waiting = replace(lease, status="WAITING", status_reason="There is no room for it yet.")
            made = waiting_schedule(waiting, order.before_end, room.warning, now)
        else:
            made = first_schedule(made, order.before_end, room.warning, now)
        made = replace(made, revision=revision)
        leases.add(tx, made)
        return made

    return room.write(work)


def placed(view: BookingView, lease: Lease) -> Lease:
    """A lease with slots for all its reservations, each of which sees those before it."""
    done: list[Reservation] = []
    for reservation in lease.reservations:
        slots = place(view, reservation.request, lease.period, reservation.slots)
        view = view.plus(reservation.request, slots, lease.period)
        done.append(replace(reservation, slots=slots))
    return replace(lease, reservations=tuple(done))


def draft(order: LeaseOrder, now: datetime) -> Lease:
    """A lease as it would be, without a place."""
    check_dates(order.start, order.end, now)
    lease_id = str(uuid.uuid4())
    return Lease(
        id=lease_id,
        name=order.name,
        project_id=order.project_id,
        user_id=order.user_id,
        start=order.start,
        end=order.end,
        reservations=tuple(
            Reservation(
                id=str(uuid.uuid4()),
                lease_id=lease_id,
                resource_type=wanted.resource_type,
                request=wanted.request,
                created_at=now,
                updated_at=now,
            )
            for wanted in order.reservations
        ),
        created_at=now,
        updated_at=now,
    )


def check_dates(start: datetime, end: datetime, now: datetime) -> None:
    """Refuse dates that no new lease can have; the current minute is not the past."""
    if start < now.replace(second=0):
        raise Invalid("Start date must be later than current date")
    if end <= start:
        raise Invalid("End date must be later than start date.")


def check_limits(
    connection: Connection, room: Room, lease: Lease, now: datetime, *, limited: bool, before: Lease | None = None
) -> None:
    """Refuse what exceeds the limits of the project. Whoever books has the lock, so nobody adds meanwhile."""
    wanted = project_limits(connection, room, lease.project_id) if limited else NO_LIMITS
    if wanted == NO_LIMITS:
        return
    check(lease, leases.not_over(connection, lease.project_id), wanted, now, before)


def project_limits(connection: Connection, room: Room, project_id: str) -> Limits:
    """What counts for a project."""
    return limits_of(room.settings.reservation, limits.of_project(connection, project_id))
