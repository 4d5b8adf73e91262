"""Hosts that leases may use, their capabilities and their maintenance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, update

from moorage.db.batches import rows_of
from moorage.db.database import Transaction
from moorage.db.statements import inserted_number
from moorage.reservations.model.event import Event
from moorage.reservations.model.host import Host, Hypervisor, Maintenance
from moorage.reservations.model.period import Period
from moorage.reservations.store.errors import AlreadyThere, NotFound
from moorage.reservations.store.lease_rows import encode, event_columns
from moorage.reservations.store.tables import (
    lease_events,
    reservation_host_capabilities,
    reservation_host_maintenance,
    reservation_hosts,
)

KIND = "reservation host"

_decode = msgspec.json.Decoder(Hypervisor).decode


def everything(connection: Connection) -> list[Host]:
    """All hosts that are not deleted."""
    return _where(connection, reservation_hosts.c.deleted_at.is_(None))


def by_number(connection: Connection) -> dict[int, Host]:
    """All hosts that there ever were, also deleted ones: leases keep the numbers of those they had."""
    return {host.id: host for host in _where(connection)}


def changed_since(connection: Connection, revision: int) -> list[Host]:
    """The hosts that were changed after a revision, also deleted ones."""
    return _where(connection, reservation_hosts.c.revision > revision)


def numbered(connection: Connection, number: int) -> Host | None:
    """The host with a number, also a deleted one."""
    found = _where(connection, reservation_hosts.c.id == number)
    return found[0] if found else None


def named(connection: Connection, name: str) -> Host | None:
    """The host with a name; at most one that is not deleted has it."""
    found = _where(connection, reservation_hosts.c.current_name == name)
    return found[0] if found else None


def find(connection: Connection, number: int) -> Host:
    """The host with a number."""
    found = numbered(connection, number)
    if found is None or found.deleted_at is not None:
        raise NotFound(f"Host {number} not found!")
    return found


def lock(tx: Transaction, number: int) -> Host:
    """The host as it is now; nobody else changes it until the transaction ends."""
    tx.connection.execute(select(reservation_hosts.c.id).where(reservation_hosts.c.id == number).with_for_update())
    return find(tx.connection, number)


def add(tx: Transaction, host: Host) -> int:
    """Record a new host, whose number is made now; AlreadyThere if one of its name is there."""
    taken = tx.connection.execute(
        select(reservation_hosts.c.id).where(reservation_hosts.c.current_name == host.name)
    ).scalar()
    if taken is not None:
        raise AlreadyThere(f"Host {host.name} already registered as {taken}.")
    number = inserted_number(tx.connection, reservation_hosts, **_columns(host))
    tx.changed(KIND, number)
    _write_capabilities(tx, number, host)
    _write_maintenance(tx, number, host)
    return number


def save(tx: Transaction, before: Host, after: Host) -> None:
    """Write where a host, which this transaction has locked, differs from what it was."""
    tx.connection.execute(update(reservation_hosts).where(reservation_hosts.c.id == after.id).values(_columns(after)))
    tx.changed(KIND, after.id)
    if before.capabilities != after.capabilities:
        of_host = reservation_host_capabilities.c.host_id == after.id
        tx.connection.execute(delete(reservation_host_capabilities).where(of_host))
        _write_capabilities(tx, after.id, after)
    if before.maintenance != after.maintenance:
        of_host = reservation_host_maintenance.c.host_id == after.id
        tx.connection.execute(delete(reservation_host_maintenance).where(of_host))
        _write_maintenance(tx, after.id, after)


def settle(tx: Transaction, event: Event) -> None:
    """Have a host's `settle_host` done (again)."""
    of_host = (lease_events.c.host_id == event.host_id, lease_events.c.event_type == event.event_type)
    columns = event_columns(event, None)
    known = tx.connection.execute(select(lease_events.c.id).where(*of_host).with_for_update()).scalar()
    if known is None:
        tx.connection.execute(insert(lease_events).values(columns))
    else:
        del columns["uuid"], columns["created_at"]
        tx.connection.execute(update(lease_events).where(lease_events.c.id == known).values(columns))


def _where(connection: Connection, *conditions: ColumnElement[bool]) -> list[Host]:
    """The hosts that meet all conditions, deleted ones too, by their numbers."""
    query = select(reservation_hosts).where(*conditions).order_by(reservation_hosts.c.id)
    return _whole(connection, connection.execute(query).all())


def _write_capabilities(tx: Transaction, number: int, host: Host) -> None:
    rows = [{"host_id": number, "name": name, "value": value} for name, value in sorted(host.capabilities.items())]
    if rows:
        tx.connection.execute(insert(reservation_host_capabilities), rows)


def _write_maintenance(tx: Transaction, number: int, host: Host) -> None:
    rows = [
        {
            "uuid": window.id,
            "host_id": number,
            "start_date": window.period.start,
            "end_date": window.period.end,
            "reason": window.reason,
        }
        for window in host.maintenance
    ]
    if rows:
        tx.connection.execute(insert(reservation_host_maintenance), rows)


def _columns(host: Host) -> dict[str, Any]:
    return {
        "provider_uuid": host.provider_uuid,
        "name": host.name,
        "current_name": host.name if host.deleted_at is None else None,
        "service_name": host.service_name,
        "availability_zone": host.availability_zone,
        "hypervisor": encode(host.hypervisor).decode(),
        "reservable": host.reservable,
        "disabled_reason": host.disabled_reason,
        "revision": host.revision,
        "deleted_at": host.deleted_at,
        "created_at": host.created_at,
        "updated_at": host.updated_at,
    }


def _whole(connection: Connection, rows: Sequence[Row[Any]]) -> list[Host]:
    numbers = [row.id for row in rows]
    capabilities: dict[int, dict[str, str]] = defaultdict(dict)
    table = reservation_host_capabilities
    for row in rows_of(connection, select(table).order_by(table.c.name), table.c.host_id, numbers):
        capabilities[row.host_id][row.name] = row.value
    windows: dict[int, list[Maintenance]] = defaultdict(list)
    table = reservation_host_maintenance
    for row in rows_of(connection, select(table).order_by(table.c.start_date), table.c.host_id, numbers):
        period = Period(row.start_date, row.end_date)
        windows[row.host_id].append(Maintenance(id=row.uuid, period=period, reason=row.reason))
    return [
        Host(
            id=row.id,
            provider_uuid=row.provider_uuid,
            name=row.name,
            service_name=row.service_name,
            availability_zone=row.availability_zone,
            hypervisor=_decode(row.hypervisor),
            reservable=row.reservable,
            disabled_reason=row.disabled_reason,
            capabilities=capabilities[row.id],
            maintenance=tuple(windows[row.id]),
            deleted_at=row.deleted_at,
            revision=row.revision,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )
        for row in rows
    ]
