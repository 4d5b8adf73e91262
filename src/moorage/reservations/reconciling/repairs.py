"""What does not agree is put right: done once more, by the same steps that do it at first."""

from __future__ import annotations

from moorage.db.database import Transaction
from moorage.reservations.enactment.created_resources import CreatedResources
from moorage.reservations.enactment.errors import NotYet
from moorage.reservations.enactment.instances import SLOTS
from moorage.reservations.enactment.lease import enactment_of
from moorage.reservations.events.hosts import bring_host_in_step
from moorage.reservations.events.worker_context import WorkerContext
from moorage.reservations.model.lease import Lease
from moorage.reservations.reconciling.audit import Finding
from moorage.reservations.reconciling.unknown_resources import remove_unknown
from moorage.reservations.store import due, hosts, leases


def repair(context: WorkerContext, finding: Finding, *, unknown: bool = False) -> bool:
    """Whether it agrees now, or will as soon as a worker has come to it.

    What no lease here knows is touched only if `unknown` says that there is no other service it could belong to.
    """
    match finding.repair:
        case "settle host":
            bring_host_in_step(context, int(finding.subject))
            return True
        case "remove":
            return unknown and remove_unknown(context, finding.subject)
    lease_id, reservation_id = finding.subject.split("/")
    CreatedResources(context.database, lease_id, reservation_id).record(SLOTS, finding.providers)
    if finding.repair == "settle lease":
        return context.database.write(lambda tx: _settle_again(tx, context, lease_id))
    return _end_again(context, lease_id, reservation_id)


def _settle_again(tx: Transaction, context: WorkerContext, lease_id: str) -> bool:
    lease = leases.lock(tx, lease_id)
    return lease is not None and due.again(tx, lease_id, context.clock())


def _end_again(context: WorkerContext, lease_id: str, reservation_id: str) -> bool:
    lease: Lease | None = context.database.read(lambda connection: leases.find(connection, lease_id, deleted=True))
    if lease is None:
        return False
    known = context.database.read(hosts.by_number)
    [reservation] = [part for part in lease.reservations if part.id == reservation_id]
    enactment = enactment_of(context.database, context.cloud(), lease, reservation, known, lambda: None)
    try:
        enactment.end()
    except NotYet:
        return False
    return True
