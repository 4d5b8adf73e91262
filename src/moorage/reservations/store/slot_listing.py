"""The slots that are booked, with whose they are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from moorage.reservations.store.tables import leases, reservation_slots, reservations


@dataclass(frozen=True, slots=True)
class SlotRow:
    """So many slots of a reservation on a host."""

    host_id: int
    reservation_id: str
    lease_id: str
    start: datetime
    end: datetime
    count: int


def booked_slots(
    connection: Connection,
    *,
    lease_id: str | None = None,
    reservation_id: str | None = None,
    host_id: int | None = None,
) -> list[SlotRow]:
    """The slots of all reservations that are not over and meet the conditions, by host and then by time."""
    query = (
        select(
            reservation_slots.c.host_id,
            reservations.c.uuid,
            leases.c.uuid,
            leases.c.start_date,
            leases.c.end_date,
            reservation_slots.c.amount,
        )
        .join(reservations, reservations.c.id == reservation_slots.c.reservation_id)
        .join(leases, leases.c.id == reservations.c.lease_id)
        .where(leases.c.deleted_at.is_(None), reservations.c.status != "deleted")
        .order_by(reservation_slots.c.host_id, leases.c.start_date, reservations.c.id)
    )
    equal = (
        (leases.c.uuid, lease_id),
        (reservations.c.uuid, reservation_id),
        (reservation_slots.c.host_id, host_id),
    )
    query = query.where(*(column == value for column, value in equal if value is not None))
    return [SlotRow(*row) for row in connection.execute(query)]
