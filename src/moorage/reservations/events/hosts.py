"""A host that was created, changed or deleted: the cloud is brought in step with it."""

from __future__ import annotations

from moorage.reservations.enactment.hosts import let_go, take_over
from moorage.reservations.events.workplace import Workplace
from moorage.reservations.store import due, holders, hosts
from moorage.reservations.store.due import Job
from moorage.reservations.store.tables import reservation_hosts


def settle_host(workplace: Workplace, job: Job) -> None:
    """Bring the cloud in step with a host; NotYet if that has to wait for something."""
    bring_host_in_step(workplace, job.number)
    workplace.database.write(lambda tx: due.finish(tx, job))


def bring_host_in_step(workplace: Workplace, number: int) -> None:
    """What a host shall have in the cloud, by its number."""
    found = workplace.database.read(lambda connection: hosts.where(connection, reservation_hosts.c.id == number))
    for host in found:
        if host.deleted_at is None:
            is_reserved = host.id in workplace.database.read(holders.hosts_in_use)
            take_over(workplace.cloud(), host, is_reserved=is_reserved)
        else:
            let_go(workplace.cloud(), host)
