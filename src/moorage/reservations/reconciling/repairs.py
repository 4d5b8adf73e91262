"""What does not agree is put right: done once more, by the same steps that do it at first."""

from __future__ import annotations

from moorage.db.database import Transaction
from moorage.reservations.enactment.errors import NotYet
from moorage.reservations.enactment.instances import SLOTS
from moorage.reservations.enactment.lease import enactment_of
from moorage.reservations.enactment.notebook import Notebook
from moorage.reservations.events.hosts import bring_host_in_step
from moorage.reservations.events.workplace import Workplace
from moorage.reservations.model.lease import Lease
from moorage.reservations.reconciling.audit import Finding
from moorage.reservations.reconciling.strangers import remove_stranger
from moorage.reservations.store import due, hosts, leases


def repair(workplace: Workplace, finding: Finding, *, strangers: bool = False) -> bool:
    """Whether it agrees now, or will as soon as a worker has come to it.

    What no lease here knows is touched only if `strangers` says that there is no other service it could belong to.
    """
    match finding.repair:
        case "settle host":
            bring_host_in_step(workplace, int(finding.subject))
            return True
        case "remove":
            return strangers and remove_stranger(workplace, finding.subject)
    lease_id, reservation_id = finding.subject.split("/")
    Notebook(workplace.database, lease_id, reservation_id).note(SLOTS, finding.providers)
    if finding.repair == "settle lease":
        return workplace.database.write(lambda tx: _settle_again(tx, workplace, lease_id))
    return _end_again(workplace, lease_id, reservation_id)


def _settle_again(tx: Transaction, workplace: Workplace, lease_id: str) -> bool:
    lease = leases.lock(tx, lease_id)
    return lease is not None and due.again(tx, lease_id, workplace.clock())


def _end_again(workplace: Workplace, lease_id: str, reservation_id: str) -> bool:
    lease: Lease | None = workplace.database.read(lambda connection: leases.find(connection, lease_id, deleted=True))
    if lease is None:
        return False
    known = workplace.database.read(hosts.by_number)
    [reservation] = [part for part in lease.reservations if part.id == reservation_id]
    enactment = enactment_of(workplace.database, workplace.cloud(), lease, reservation, known, lambda: None)
    try:
        enactment.end()
    except NotYet:
        return False
    return True
