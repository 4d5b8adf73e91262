"""Leases that wait get their slots when there is room, those that came first before the others."""

from __future__ import annotations

import logging
from dataclasses import replace

from moorage.client.errors import ClientError
from moorage.db.database import Transaction
from moorage.reservations.booking.creation import placed
from moorage.reservations.booking.schedule import first_schedule
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.refusals import NotEnough
from moorage.reservations.model.status import LeaseStatus
from moorage.reservations.room import Room
from moorage.reservations.store import booking_lock, leases

_WAITING: tuple[LeaseStatus, ...] = ("WAITING",)

LOG = logging.getLogger(__name__)


def promote_if_possible(room: Room) -> None:
    """The same for those who have done their own work already, which a Placement that is away does not undo."""
    try:
        promote(room)
    except ClientError as error:
        LOG.warning("Leases that wait have to wait longer: %s", error)


def promote(room: Room) -> list[Lease]:
    """Give slots to the leases that wait and fit now; one whose time is over waits no longer."""
    if not room.read(leases.with_status, _WAITING, limit=1):
        return []
    now, inventories = room.now(), room.availability.inventories_now()

    def work(tx: Transaction) -> list[Lease]:
        revision = booking_lock.acquire(tx)
        view = room.availability.view_before(tx.connection, revision, inventories, now)
        promoted = []
        for found in leases.with_status(tx.connection, _WAITING):
            lease = leases.lock(tx, found.id)
            if lease is None:
                continue
            if lease.end <= now:
                gone = tuple(replace(one, status="deleted", updated_at=now) for one in lease.reservations)
                reason = "There was no room for it before its end."
                after = replace(lease, status="TERMINATED", status_reason=reason, reservations=gone, updated_at=now)
                leases.save(tx, lease, after)
                continue
            try:
                after = placed(view, lease)
            except NotEnough:
                continue
            notice = lease.event("before_end_lease")
            after = first_schedule(after, None if notice is None else notice.time, room.warning, now)
            after = replace(after, status="PENDING", status_reason="", updated_at=now, revision=revision)
            leases.save(tx, lease, after)
            for one in after.reservations:
                view = view.plus(one.request, one.slots, after.period)
            promoted.append(after)
        return promoted

    return room.write(work)
