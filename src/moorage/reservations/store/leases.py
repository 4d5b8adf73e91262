"""Leases, kept and changed.

A change locks the lease's row, makes a new value of what it read, and `save` writes where the two differ.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, delete, func, insert, select, update

from moorage.db.batches import rows_of
from moorage.db.database import Transaction
from moorage.db.statements import inserted_number
from moorage.reservations.model.event import Event
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.reservation import Reservation
from moorage.reservations.model.status import LeaseStatus
from moorage.reservations.store.lease_rows import (
    event_columns,
    lease_columns,
    leases_where,
    reservation_columns,
    whole_leases,
)
from moorage.reservations.store.tables import lease_events, leases, reservation_slots, reservations

KIND = "lease"


def find(connection: Connection, uuid: str, *, deleted: bool = False) -> Lease | None:
    """The lease with a UUID; with `deleted` also one that was deleted."""
    conditions = [leases.c.uuid == uuid] + ([] if deleted else [leases.c.deleted_at.is_(None)])
    found = leases_where(connection, *conditions)
    return found[0] if found else None


def some(connection: Connection, uuids: Sequence[str]) -> list[Lease]:
    """Those of the leases that are there, in the order they were made."""
    rows = sorted(rows_of(connection, select(leases), leases.c.uuid, uuids), key=lambda row: row.id)
    return whole_leases(connection, rows)


def everything(connection: Connection) -> list[Lease]:
    """All leases that there ever were, also deleted ones, in the order they were made."""
    return leases_where(connection)


def with_status(connection: Connection, statuses: Collection[LeaseStatus], limit: int | None = None) -> list[Lease]:
    """The leases with one of these statuses, but no deleted ones, in the order they were made."""
    return leases_where(connection, leases.c.status.in_(statuses), leases.c.deleted_at.is_(None), limit=limit)


def not_over(connection: Connection, project_id: str) -> list[Lease]:
    """The leases of a project that are not over, in the order they were made."""
    is_theirs = leases.c.project_id == project_id
    return leases_where(connection, is_theirs, leases.c.deleted_at.is_(None), leases.c.status != "TERMINATED")


def count_by_status(connection: Connection) -> dict[str, int]:
    """How many leases have each status; what was deleted is not counted."""
    rows = connection.execute(
        select(leases.c.status, func.count()).where(leases.c.deleted_at.is_(None)).group_by(leases.c.status)
    )
    return {status: count for status, count in rows}  # noqa: C416 - rows, no pairs


def number_of(connection: Connection, uuid: str) -> int:
    """The number by which the calendar knows a lease."""
    number: int = connection.execute(select(leases.c.id).where(leases.c.uuid == uuid)).scalar_one()
    return number


def lock(tx: Transaction, uuid: str) -> Lease | None:
    """The lease as it is now; nobody else changes it until the transaction ends. Not one that was deleted."""
    row = tx.connection.execute(
        select(leases).where(leases.c.uuid == uuid, leases.c.deleted_at.is_(None)).with_for_update()
    ).one_or_none()
    return None if row is None else whole_leases(tx.connection, [row])[0]


def add(tx: Transaction, lease: Lease) -> None:
    """Record a new lease with its reservations, their slots, and its events."""
    number = inserted_number(tx.connection, leases, **lease_columns(lease))
    tx.changed(KIND, number)
    for reservation in lease.reservations:
        _add_reservation(tx, reservation, number)
    _add_events(tx, lease.events, number)


def save(tx: Transaction, before: Lease, after: Lease) -> None:
    """Write where a lease, which this transaction has locked, differs from what it was."""
    number = number_of(tx.connection, before.id)
    if lease_columns(before) != lease_columns(after):
        tx.connection.execute(update(leases).where(leases.c.id == number).values(lease_columns(after)))
    tx.changed(KIND, number)
    known = {reservation.id: reservation for reservation in before.reservations}
    for reservation in after.reservations:
        if reservation.id not in known:
            _add_reservation(tx, reservation, number)
        elif reservation != known[reservation.id]:
            _save_reservation(tx, known[reservation.id], reservation, number)
    _save_events(tx, before.events, after.events, number)


def _add_reservation(tx: Transaction, reservation: Reservation, lease_number: int) -> None:
    columns = reservation_columns(reservation, lease_number)
    _add_slots(tx, reservation, inserted_number(tx.connection, reservations, **columns))


def _save_reservation(tx: Transaction, before: Reservation, after: Reservation, lease_number: int) -> None:
    number: int = tx.connection.execute(select(reservations.c.id).where(reservations.c.uuid == after.id)).scalar_one()
    columns = reservation_columns(after, lease_number)
    tx.connection.execute(update(reservations).where(reservations.c.id == number).values(columns))
    if before.slots != after.slots:
        tx.connection.execute(delete(reservation_slots).where(reservation_slots.c.reservation_id == number))
        _add_slots(tx, after, number)


def _add_slots(tx: Transaction, reservation: Reservation, number: int) -> None:
    rows = [{"reservation_id": number, "host_id": slots.host_id, "amount": slots.count} for slots in reservation.slots]
    if rows:
        tx.connection.execute(insert(reservation_slots), rows)


def _add_events(tx: Transaction, events: Sequence[Event], lease_number: int) -> None:
    rows = [event_columns(event, lease_number) for event in events]
    if rows:
        tx.connection.execute(insert(lease_events), rows)


def _save_events(tx: Transaction, before: Sequence[Event], after: Sequence[Event], lease_number: int) -> None:
    known = {event.id: event for event in before}
    gone = [event_id for event_id in known if event_id not in {event.id for event in after}]
    if gone:
        tx.connection.execute(delete(lease_events).where(lease_events.c.uuid.in_(gone)))
    for event in after:
        if event.id in known and event != known[event.id]:
            columns = event_columns(event, lease_number)
            tx.connection.execute(update(lease_events).where(lease_events.c.uuid == event.id).values(columns))
    _add_events(tx, [event for event in after if event.id not in known], lease_number)
