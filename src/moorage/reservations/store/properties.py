"""The names of capabilities that hosts have or had, and whether ordinary users may see them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select, update

from moorage.db.database import Transaction
from moorage.db.statements import insert_ignoring_duplicates
from moorage.reservations.store.errors import NotFound
from moorage.reservations.store.tables import (
    reservation_host_capabilities,
    reservation_hosts,
    reservation_properties,
)

# What conditions may ask of every host, whatever capabilities it has.
BUILT_IN = frozenset(
    {
        "id",
        "hypervisor_hostname",
        "service_name",
        "availability_zone",
        "hypervisor_type",
        "hypervisor_version",
        "cpu_info",
        "vcpus",
        "memory_mb",
        "local_gb",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """A name, and the values that hosts have of it."""

    id: str
    name: str
    private: bool
    created_at: datetime
    updated_at: datetime
    values: tuple[str, ...] = ()


def known_names(connection: Connection) -> frozenset[str]:
    """All names that a condition may use."""
    return BUILT_IN | frozenset(connection.execute(select(reservation_properties.c.name)).scalars())


def everything(connection: Connection) -> list[Property]:
    """All properties, by name, with the values that hosts have now."""
    capabilities = reservation_host_capabilities
    values: dict[str, list[str]] = {}
    query = (
        select(capabilities.c.name, capabilities.c.value)
        .join(reservation_hosts, reservation_hosts.c.id == capabilities.c.host_id)
        .where(reservation_hosts.c.deleted_at.is_(None))
        .distinct()
    )
    for name, value in connection.execute(query):
        values.setdefault(name, []).append(value)
    return [
        Property(
            id=row.uuid,
            name=row.name,
            private=row.private,
            created_at=row.created_at,
            updated_at=row.updated_at,
            values=tuple(sorted(values.get(row.name, []))),
        )
        for row in connection.execute(select(reservation_properties).order_by(reservation_properties.c.name))
    ]


def ensure(tx: Transaction, names: Iterable[str]) -> None:
    """Make the properties that are missing, open to everybody."""
    rows = [
        {"uuid": str(uuid.uuid4()), "name": name, "private": False, "created_at": tx.now, "updated_at": tx.now}
        for name in sorted(set(names))
    ]
    if rows:
        tx.connection.execute(insert_ignoring_duplicates(tx.connection.dialect.name, reservation_properties), rows)


def set_private(tx: Transaction, name: str, *, private: bool) -> None:
    """Show a property to administrators alone, or to everybody."""
    changed = tx.connection.execute(
        update(reservation_properties)
        .where(reservation_properties.c.name == name)
        .values(private=private, updated_at=tx.now)
    )
    if not changed.rowcount:
        raise NotFound(f"Resource property {name} could not be found.")
    tx.changed("reservation property", 0)
