"""A whole lease in the cloud: each of its reservations in the phase that the lease is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from moorage.db.database import Database
from moorage.reservations.enactment.cloud import Cloud
from moorage.reservations.enactment.created_resources import CreatedResources
from moorage.reservations.enactment.errors import NotYet
from moorage.reservations.enactment.instances import InstanceEnactment
from moorage.reservations.enactment.phase import Phase
from moorage.reservations.enactment.whole_hosts import HostEnactment
from moorage.reservations.model.host import Host
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.reservation import PHYSICAL_HOST, Reservation


def enact(
    database: Database,
    cloud: Cloud,
    lease: Lease,
    phase: Phase,
    hosts: Mapping[int, Host],
    heartbeat: Callable[[], None],
) -> None:
    """Bring the cloud in step with a lease.

    A reservation that has to wait does not hold up the others; in the end, NotYet says what is waited for.
    """
    waiting: list[str] = []
    for reservation in lease.reservations:
        if reservation.status == "deleted":
            continue
        enactment = enactment_of(database, cloud, lease, reservation, hosts, heartbeat)
        step = {Phase.PROMISED: enactment.promise, Phase.IN_FORCE: enactment.begin, Phase.OVER: enactment.end}[phase]
        try:
            step()
        except NotYet as reason:
            waiting.append(str(reason))
    if waiting:
        raise NotYet(" ".join(waiting))


def enactment_of(
    database: Database,
    cloud: Cloud,
    lease: Lease,
    reservation: Reservation,
    hosts: Mapping[int, Host],
    heartbeat: Callable[[], None],
) -> InstanceEnactment | HostEnactment:
    """All that the steps of one reservation need."""
    created = CreatedResources(database, lease.id, reservation.id)
    kind = HostEnactment if reservation.resource_type == PHYSICAL_HOST else InstanceEnactment
    return kind(cloud, reservation, lease.project_id, hosts, created, heartbeat)
