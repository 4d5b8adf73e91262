"""Deleting a lease: at once where nothing of it was carried out, else as soon as that is undone."""

from __future__ import annotations

from dataclasses import replace

from moorage.db.database import Transaction
from moorage.reservations.booking.schedule import over, to_settle
from moorage.reservations.model.lease import Lease
from moorage.reservations.room import Room
from moorage.reservations.store import booking_lock, leases, steps
from moorage.reservations.store.errors import NotFound


def delete(room: Room, lease_id: str) -> None:
    """Delete a lease, in whatever state it is; it stays as history."""
    now = room.now()

    def work(tx: Transaction) -> None:
        revision = booking_lock.acquire(tx)
        lease = leases.lock(tx, lease_id)
        if lease is None:
            raise NotFound(f"Lease {lease_id} could not be found.")
        if lease.status == "DELETING":
            return
        after = replace(lease, updated_at=now, revision=revision)
        if _is_untouched(lease) and not steps.of_lease(tx.connection, lease_id):
            gone = tuple(replace(one, status="deleted", updated_at=now) for one in after.reservations)
            after = over(replace(after, reservations=gone, deleted_at=now), now)
        else:
            # Its end is part of settling it now.
            after = to_settle(replace(over(after, now), status="DELETING", status_reason=""), now)
        leases.save(tx, lease, after)

    room.write(work)


def _is_untouched(lease: Lease) -> bool:
    """Whether nobody has begun, or is about, to carry out anything of it; or everything is undone already."""
    if lease.status == "TERMINATED":
        return all(event.status != "IN_PROGRESS" for event in lease.events)
    settling = lease.event("settle_lease")
    begun = settling is not None and (settling.status != "UNDONE" or settling.attempts > 0)
    return lease.status in {"PENDING", "WAITING"} and not lease.has_started and not begun
