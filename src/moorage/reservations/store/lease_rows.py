"""Leases, reservations and events as rows, and back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, select

from moorage.db.batches import rows_of
from moorage.reservations.model.event import Event
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.reservation import PHYSICAL_HOST, HostRequest, InstanceRequest, Reservation, Slots
from moorage.reservations.store.tables import lease_events, leases, reservation_slots, reservations

encode = msgspec.json.Encoder().encode
_decode_instances = msgspec.json.Decoder(InstanceRequest).decode
_decode_hosts = msgspec.json.Decoder(HostRequest).decode


def lease_columns(lease: Lease) -> dict[str, Any]:
    """The row of a lease itself."""
    return {
        "uuid": lease.id,
        "name": lease.name,
        "project_id": lease.project_id,
        "user_id": lease.user_id,
        "start_date": lease.start,
        "end_date": lease.end,
        "status": lease.status,
        "status_reason": lease.status_reason,
        "degraded": lease.degraded,
        "revision": lease.revision,
        "deleted_at": lease.deleted_at,
        "created_at": lease.created_at,
        "updated_at": lease.updated_at,
    }


def reservation_columns(reservation: Reservation, lease_number: int) -> dict[str, Any]:
    """The row of a reservation itself."""
    return {
        "uuid": reservation.id,
        "lease_id": lease_number,
        "resource_type": reservation.resource_type,
        "status": reservation.status,
        "missing_resources": reservation.missing_resources,
        "resources_changed": reservation.resources_changed,
        "request": encode(reservation.request).decode(),
        "created_at": reservation.created_at,
        "updated_at": reservation.updated_at,
    }


def event_columns(event: Event, lease_number: int | None) -> dict[str, Any]:
    """The row of an event."""
    return {
        "uuid": event.id,
        "lease_id": lease_number,
        "host_id": event.host_id,
        "event_type": event.event_type,
        "time": event.time,
        "status": event.status,
        "next_attempt_at": event.next_attempt_at or event.time,
        "attempts": event.attempts,
        "owner": event.owner,
        "owned_until": event.owned_until,
        "last_error": event.last_error,
        "created_at": event.created_at,
        "updated_at": event.updated_at,
    }


def leases_where(connection: Connection, *conditions: ColumnElement[bool], limit: int | None = None) -> list[Lease]:
    """The leases that meet all conditions, in the order they were made."""
    query = select(leases).where(*conditions).order_by(leases.c.id).limit(limit)
    return whole_leases(connection, connection.execute(query).all())


def whole_leases(connection: Connection, rows: Sequence[Row[Any]]) -> list[Lease]:
    """The leases of these rows, in their order, with all that belongs to them."""
    numbers = [row.id for row in rows]
    uuids = {row.id: row.uuid for row in rows}
    parts = _reservations(connection, numbers, uuids)
    events: dict[int, list[Event]] = defaultdict(list)
    for row in rows_of(connection, select(lease_events).order_by(lease_events.c.id), lease_events.c.lease_id, numbers):
        events[row.lease_id].append(event_of(row, uuids[row.lease_id]))
    return [_lease(row, parts[row.id], events[row.id]) for row in rows]


def event_of(row: Row[Any], lease_uuid: str | None) -> Event:
    """A row of lease_events as an event."""
    return Event(
        id=row.uuid,
        lease_id=lease_uuid,
        host_id=row.host_id,
        event_type=row.event_type,
        time=row.time,
        status=row.status,
        attempts=row.attempts,
        next_attempt_at=row.next_attempt_at,
        owner=row.owner,
        owned_until=row.owned_until,
        last_error=row.last_error,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _reservations(
    connection: Connection, lease_numbers: Sequence[int], lease_uuids: dict[int, str]
) -> dict[int, list[Reservation]]:
    query = select(reservations).order_by(reservations.c.id)
    rows = list(rows_of(connection, query, reservations.c.lease_id, lease_numbers))
    slots: dict[int, list[Slots]] = defaultdict(list)
    of_hosts = select(reservation_slots).order_by(reservation_slots.c.host_id)
    for row in rows_of(connection, of_hosts, reservation_slots.c.reservation_id, [row.id for row in rows]):
        slots[row.reservation_id].append(Slots(host_id=row.host_id, count=row.amount))
    found: dict[int, list[Reservation]] = defaultdict(list)
    for row in rows:
        found[row.lease_id].append(_reservation(row, lease_uuids[row.lease_id], slots[row.id]))
    return found


def _reservation(row: Row[Any], lease_uuid: str, slots: Sequence[Slots]) -> Reservation:
    decode = _decode_hosts if row.resource_type == PHYSICAL_HOST else _decode_instances
    return Reservation(
        id=row.uuid,
        lease_id=lease_uuid,
        resource_type=row.resource_type,
        request=decode(row.request),
        status=row.status,
        missing_resources=row.missing_resources,
        resources_changed=row.resources_changed,
        slots=tuple(slots),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _lease(row: Row[Any], parts: Sequence[Reservation], events: Sequence[Event]) -> Lease:
    return Lease(
        id=row.uuid,
        name=row.name,
        project_id=row.project_id,
        user_id=row.user_id,
        start=row.start_date,
        end=row.end_date,
        status=row.status,
        status_reason=row.status_reason,
        degraded=row.degraded,
        deleted_at=row.deleted_at,
        revision=row.revision,
        reservations=tuple(parts),
        events=tuple(events),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
