"""What is done shortly before a lease ends: snapshots of the servers on reserved hosts, if that was asked for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from moorage.client.errors import Refused
from moorage.db.database import Database
from moorage.reservations.enactment.cloud import Cloud
from moorage.reservations.enactment.created_resources import CreatedResources
from moorage.reservations.enactment.evictions import servers_on_host
from moorage.reservations.model.host import Host
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.names import snapshot_name
from moorage.reservations.model.reservation import PHYSICAL_HOST

LOG = logging.getLogger(__name__)

SNAPSHOT = "snapshot"
"""What a snapshot is called among the created resources; the subject is the server."""


def before_end(
    database: Database, cloud: Cloud, lease: Lease, hosts: Mapping[int, Host], heartbeat: Callable[[], None]
) -> None:
    """Have snapshots made, one of each server."""
    LOG.info("The lease %s (%s) ends at %s", lease.id, lease.name, lease.end)
    for reservation in lease.reservations:
        if reservation.resource_type != PHYSICAL_HOST or reservation.hosts.before_end != "snapshot":
            continue
        created = CreatedResources(database, lease.id, reservation.id)
        for slots in reservation.slots:
            for server in servers_on_host(cloud.compute, hosts[slots.host_id].service_name):
                heartbeat()
                if server in created.subjects(SNAPSHOT):
                    continue
                try:
                    cloud.compute.create_image(server, snapshot_name(reservation.id, server))
                except Refused as refusal:
                    LOG.warning("There is no snapshot of the server %s: %s", server, refusal)
                created.record(SNAPSHOT, [server])
