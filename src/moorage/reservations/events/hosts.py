"""A host that was created, changed or deleted: the cloud is brought in step with it."""

from __future__ import annotations

from moorage.reservations.enactment.hosts import let_go, take_over
from moorage.reservations.events.worker_context import WorkerContext
from moorage.reservations.model.host import Host
from moorage.reservations.store import due, host_reservations, hosts
from moorage.reservations.store.due import Job


def settle_host(context: WorkerContext, job: Job) -> None:
    """Bring the cloud in step with a host; NotYet if that has to wait for something."""
    bring_host_in_step(context, job.number)
    context.database.write(lambda tx: due.finish(tx, job))


def bring_host_in_step(context: WorkerContext, number: int) -> None:
    """What a host shall have in the cloud, by its number."""
    host = context.database.read(lambda connection: hosts.numbered(connection, number))
    if host is None:
        return
    if host.deleted_at is None:
        is_reserved = host.id in context.database.read(host_reservations.hosts_in_use)
        take_over(context.cloud(), host, is_reserved=is_reserved)
    elif _successor(context, host) is None:
        let_go(context.cloud(), host)
        successor = _successor(context, host)
        if successor is not None:
            # Registered again just now: what was taken away is its.
            bring_host_in_step(context, successor.id)


def _successor(context: WorkerContext, host: Host) -> Host | None:
    """The host of the same name, registered since this one was deleted; all that is found by the name is its."""
    return context.database.read(lambda connection: hosts.named(connection, host.name))
