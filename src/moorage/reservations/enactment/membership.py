"""Hosts join aggregates and leave them: in compute, and in Placement, by whose word alone servers are kept off.

Compute tells Placement second. A Nova that Placement does not listen to then says so in its log, and answers as if all
were well or leaves half of it done; whoever tries again hears that the host is in the aggregate already. So what
Placement knows is looked at here, and put right.
"""

from __future__ import annotations

from contextlib import suppress

from moorage.client.compute import Aggregate
from moorage.client.errors import Conflict, NotFound
from moorage.reservations.enactment.cloud import Cloud
from moorage.reservations.enactment.errors import NotYet
from moorage.reservations.enactment.providers import add_to_aggregate, remove_from_aggregate
from moorage.reservations.model.host import Host


def join(cloud: Cloud, aggregate: Aggregate, host: Host) -> None:
    """Have a host in an aggregate; NotYet if Placement does not know the host."""
    try:
        cloud.compute.add_host(aggregate.id, host.service_name)
    except Conflict:
        found = cloud.compute.aggregate(aggregate.id)
        if found is None or host.service_name not in found.hosts:
            raise
    root = cloud.placement.provider_named(host.name)
    if root is None:
        raise NotYet(f"Placement knows no provider {host.name}.")
    add_to_aggregate(cloud.placement, root.uuid, aggregate.uuid)


def leave(cloud: Cloud, aggregate: Aggregate, host: Host) -> None:
    """Have a host not in an aggregate."""
    with suppress(NotFound):
        cloud.compute.remove_host(aggregate.id, host.service_name)
    root = cloud.placement.provider_named(host.name)
    if root is not None:
        remove_from_aggregate(cloud.placement, root.uuid, aggregate.uuid)
