"""A host that was created, changed or deleted: the cloud is brought in step with it."""

from __future__ import annotations

from moorage.reservations.enactment.hosts import let_go, take_over
from moorage.reservations.events.workplace import Workplace
from moorage.reservations.model.host import Host
from moorage.reservations.store import due, holders, hosts
from moorage.reservations.store.due import Job


def settle_host(workplace: Workplace, job: Job) -> None:
    """Bring the cloud in step with a host; NotYet if that has to wait for something."""
    bring_host_in_step(workplace, job.number)
    workplace.database.write(lambda tx: due.finish(tx, job))


def bring_host_in_step(workplace: Workplace, number: int) -> None:
    """What a host shall have in the cloud, by its number."""
    host = workplace.database.read(lambda connection: hosts.numbered(connection, number))
    if host is None:
        return
    if host.deleted_at is None:
        is_reserved = host.id in workplace.database.read(holders.hosts_in_use)
        take_over(workplace.cloud(), host, is_reserved=is_reserved)
    elif _successor(workplace, host) is None:
        let_go(workplace.cloud(), host)
        successor = _successor(workplace, host)
        if successor is not None:
            # Registered again just now: what was taken away is its.
            bring_host_in_step(workplace, successor.id)


def _successor(workplace: Workplace, host: Host) -> Host | None:
    """The host of the same name, registered since this one was deleted; all that is found by the name is its."""
    return workplace.database.read(lambda connection: hosts.named(connection, host.name))
