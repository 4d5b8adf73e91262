"""Which leases and reservations have slots on hosts, or still have them although their time is over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, select

from moorage.reservations.store.tables import leases, reservation_hosts, reservation_slots, reservations


def leases_with_slots_on(connection: Connection, host_number: int) -> list[str]:
    """The UUIDs of leases with reservations that are not over and have slots on a host."""
    query = (
        select(leases.c.uuid)
        .join(reservations, reservations.c.lease_id == leases.c.id)
        .join(reservation_slots, reservation_slots.c.reservation_id == reservations.c.id)
        .where(reservation_slots.c.host_id == host_number, reservations.c.status != "deleted")
        .distinct()
    )
    return list(connection.execute(query).scalars())


def late(connection: Connection, host_numbers: Sequence[int], but: str, now: datetime) -> dict[str, str]:
    """Leases other than one that should have left these hosts and have not yet: their UUIDs by the name of the host."""
    query = (
        select(reservation_hosts.c.name, leases.c.uuid)
        .join(reservation_slots, reservation_slots.c.host_id == reservation_hosts.c.id)
        .join(reservations, reservations.c.id == reservation_slots.c.reservation_id)
        .join(leases, leases.c.id == reservations.c.lease_id)
        .where(
            reservation_hosts.c.id.in_(host_numbers),
            reservations.c.status == "active",
            leases.c.uuid != but,
            leases.c.end_date <= now,
        )
    )
    return {row.name: row.uuid for row in connection.execute(query)}


def hosts_in_use(connection: Connection) -> frozenset[int]:
    """Hosts that are reserved as a whole at this time."""
    query = (
        select(reservation_slots.c.host_id)
        .join(reservations, reservations.c.id == reservation_slots.c.reservation_id)
        .where(reservations.c.resource_type == "physical:host", reservations.c.status == "active")
    )
    return frozenset(connection.execute(query).scalars())
