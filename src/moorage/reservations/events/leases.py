"""A lease whose time has come, or about which something was changed: the cloud is brought in step with it.

What is done depends on what the lease is now, not on which event it was: so a start that was missed is made up for, a
lease whose start and end were both missed is over, and whatever is done twice is done once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from moorage.db.database import Transaction
from moorage.reservations.enactment.errors import NotYet
from moorage.reservations.enactment.lease import enact
from moorage.reservations.enactment.phase import Phase, phase_of
from moorage.reservations.events.before_end import before_end
from moorage.reservations.events.worker_context import WorkerContext
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.reservation import PHYSICAL_HOST, Reservation
from moorage.reservations.model.status import WITHOUT_SLOTS, LeaseStatus
from moorage.reservations.store import booking_lock, due, host_reservations, hosts, leases
from moorage.reservations.store.due import Job

_UNDER_WAY: dict[Phase, LeaseStatus] = {Phase.IN_FORCE: "STARTING", Phase.OVER: "TERMINATING"}
_SETTLED: dict[Phase, LeaseStatus] = {Phase.PROMISED: "PENDING", Phase.IN_FORCE: "ACTIVE", Phase.OVER: "TERMINATED"}


def settle_lease(context: WorkerContext, job: Job, heartbeat: Callable[[], None]) -> None:
    """Bring the cloud in step with a lease; NotYet if that has to wait for something."""
    now = context.clock()
    lease = context.database.write(lambda tx: _set_out(tx, job.uuid, now))
    if lease is None or lease.status in WITHOUT_SLOTS:
        context.database.write(lambda tx: due.finish(tx, job))
        return
    phase = phase_of(lease, now)
    known_hosts = context.database.read(hosts.by_number)
    if phase is Phase.IN_FORCE:
        _wait_for_hosts(context, lease, now)
    enact(context.database, context.cloud(), lease, phase, known_hosts, heartbeat)
    if phase is Phase.IN_FORCE and "before_end_lease" in job.events:
        before_end(context.database, context.cloud(), lease, known_hosts, heartbeat)
    context.database.write(lambda tx: _arrive(tx, job, lease, phase, context.clock()))
    if phase is Phase.OVER:
        context.when_freed()


def excuse(tx: Transaction, job: Job, reason: str) -> None:
    """Say on the lease what it waits for."""
    lease = leases.lock(tx, job.uuid)
    if lease is not None and lease.status_reason != reason:
        leases.save(tx, lease, replace(lease, status_reason=reason, updated_at=tx.now))


def _set_out(tx: Transaction, uuid: str, now: datetime) -> Lease | None:
    """The lease, which is shown to be starting or ending from now on."""
    lease = leases.lock(tx, uuid)
    if lease is None or lease.status in WITHOUT_SLOTS:
        return lease
    phase = phase_of(lease, now)
    status = _UNDER_WAY.get(phase, lease.status)
    is_news = phase is Phase.OVER or any(reservation.status == "pending" for reservation in lease.reservations)
    if lease.status in (status, "DELETING") or not is_news:
        return lease
    changed = replace(lease, status=status, updated_at=tx.now)
    leases.save(tx, lease, changed)
    return changed


def _arrive(tx: Transaction, job: Job, enacted: Lease, phase: Phase, now: datetime) -> None:
    """The lease has arrived in a phase, unless it was changed meanwhile: then all is to be done once more."""
    revision = booking_lock.acquire(tx)
    lease = leases.lock(tx, job.uuid)
    if lease is None:
        due.finish(tx, job)
        return
    if phase_of(lease, now) is not phase or _substance(lease) != _substance(enacted):
        due.postpone(tx, job, now, None)
        return
    due.finish(tx, job)
    was_deleted = lease.status == "DELETING"
    fresh = leases.lock(tx, job.uuid) or lease
    settled = replace(
        fresh,
        status="TERMINATED" if was_deleted else _SETTLED[phase],
        status_reason="",
        reservations=tuple(_settled(reservation, phase, tx.now) for reservation in fresh.reservations),
        # What has not happened by the end will not happen any more.
        events=tuple(
            replace(event, status="DONE", owner=None, owned_until=None, updated_at=tx.now)
            if phase is Phase.OVER
            else event
            for event in fresh.events
        ),
        deleted_at=now if was_deleted else None,
        revision=revision,
        updated_at=tx.now,
    )
    leases.save(tx, fresh, settled)


def _settled(reservation: Reservation, phase: Phase, now: datetime) -> Reservation:
    if phase is Phase.OVER:
        return replace(reservation, status="deleted", missing_resources=False, updated_at=now)
    if phase is Phase.IN_FORCE and reservation.status != "active":
        return replace(reservation, status="active", updated_at=now)
    return reservation


def _substance(lease: Lease) -> list[object]:
    """What the cloud was brought in step with."""
    return [(part.id, part.request, part.slots) for part in lease.reservations]


def _wait_for_hosts(context: WorkerContext, lease: Lease, now: datetime) -> None:
    """Whole hosts are handed over only when those before have left them."""
    wanted = [
        slots.host_id
        for reservation in lease.reservations
        if reservation.resource_type == PHYSICAL_HOST and reservation.status == "pending"
        for slots in reservation.slots
    ]
    if wanted and (
        held := context.database.read(lambda connection: host_reservations.late(connection, wanted, lease.id, now))
    ):
        told = ", ".join(f"{host} by the lease {holder}" for host, holder in sorted(held.items()))
        raise NotYet(f"Hosts are still held: {told}.")
