"""What does not agree is put right: done once more, by the same steps that do it at first."""

from __future__ import annotations

from moorage.db.database import Transaction
from moorage.reservations.enactment.errors import NotYet
from moorage.reservations.enactment.lease import enactment_of
from moorage.reservations.events.hosts import bring_host_in_step
from moorage.reservations.events.workplace import Workplace
from moorage.reservations.model.lease import Lease
from moorage.reservations.reconciling.audit import Finding
from moorage.reservations.store import due, hosts, leases


def repair(workplace: Workplace, finding: Finding) -> bool:
    """Whether it agrees now, or will as soon as a worker has come to it."""
    if finding.repair == "settle lease":
        return workplace.database.write(lambda tx: _settle_again(tx, workplace, finding.subject))
    if finding.repair == "settle host":
        bring_host_in_step(workplace, int(finding.subject))
        return True
    return finding.repair == "end again" and _end_again(workplace, *finding.subject.split("/"))


def _settle_again(tx: Transaction, workplace: Workplace, lease_id: str) -> bool:
    lease = leases.lock(tx, lease_id)
    return lease is not None and due.again(tx, lease_id, workplace.clock())


def _end_again(workplace: Workplace, lease_id: str, reservation_id: str) -> bool:
    lease: Lease | None = workplace.database.read(lambda connection: leases.find(connection, lease_id, deleted=True))
    if lease is None:
        return False
    known = {host.id: host for host in workplace.database.read(hosts.where)}
    [reservation] = [part for part in lease.reservations if part.id == reservation_id]
    enactment = enactment_of(workplace.database, workplace.cloud(), lease, reservation, known, lambda: None)
    try:
        enactment.end()
    except NotYet:
        return False
    return True
