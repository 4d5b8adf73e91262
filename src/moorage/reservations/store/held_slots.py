"""What the calendar counts: the slots of all reservations that are not over, as flat rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
from sqlalchemy import Connection, select

from moorage.db.batches import rows_of
from moorage.reservations.model.reservation import PHYSICAL_HOST
from moorage.reservations.store.tables import leases, reservation_slots, reservations


@dataclass(frozen=True, slots=True)
class HeldSlots:
    """The slots of a reservation on one host."""

    lease_number: int
    host_id: int
    slots: int
    start: datetime
    end: datetime
    whole_host: bool
    # What one slot takes.
    resources: Mapping[str, int]


class _Resources(msgspec.Struct):
    """The part of a request that the calendar is interested in."""

    resources: dict[str, int] = {}


_decode = msgspec.json.Decoder(_Resources).decode


def changed_leases(connection: Connection, revision: int) -> Sequence[int]:
    """The numbers of the leases that were changed after a revision."""
    return connection.execute(select(leases.c.id).where(leases.c.revision > revision)).scalars().all()


def held_slots(connection: Connection, revision: int) -> list[HeldSlots]:
    """What the leases that were changed after a revision hold now."""
    query = (
        select(
            leases.c.id,
            leases.c.start_date,
            leases.c.end_date,
            reservations.c.resource_type,
            reservations.c.request,
            reservation_slots.c.host_id,
            reservation_slots.c.amount,
        )
        .join(reservations, reservations.c.lease_id == leases.c.id)
        .join(reservation_slots, reservation_slots.c.reservation_id == reservations.c.id)
        .where(leases.c.revision > revision, leases.c.deleted_at.is_(None), reservations.c.status != "deleted")
    )
    found = []
    for number, start, end, resource_type, request, host_id, amount in connection.execute(query):
        whole_host = resource_type == PHYSICAL_HOST
        resources = {} if whole_host else _decode(request).resources
        found.append(HeldSlots(number, host_id, amount, start, end, whole_host, resources))
    return found


def shapes(connection: Connection, uuids: Sequence[str]) -> dict[str, Mapping[str, int]]:
    """What one slot takes, for each of the reservations of instances that are there."""
    query = select(reservations.c.uuid, reservations.c.request).where(reservations.c.resource_type != PHYSICAL_HOST)
    return {row.uuid: _decode(row.request).resources for row in rows_of(connection, query, reservations.c.uuid, uuids)}
