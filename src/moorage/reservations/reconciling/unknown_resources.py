"""What is there of reservations that nobody here knows, such as after a database was restored from a backup.

It is removed unless somebody uses it: no server is deleted, and no slot is taken away under one.
"""

from __future__ import annotations

from contextlib import suppress

from moorage.client.errors import Conflict, NotFound
from moorage.reservations.enactment.aggregates import aggregate_named
from moorage.reservations.enactment.cloud import Cloud
from moorage.reservations.enactment.errors import NotYet
from moorage.reservations.enactment.evictions import servers_of_flavor
from moorage.reservations.enactment.flavors import remove_flavor
from moorage.reservations.enactment.membership import join
from moorage.reservations.enactment.providers import remove_slots
from moorage.reservations.events.worker_context import WorkerContext
from moorage.reservations.model.host import Host
from moorage.reservations.model.names import is_class_of_reservation, reservation_of_name
from moorage.reservations.store import hosts


def remove_unknown(context: WorkerContext, name: str) -> bool:
    """Whether the class, or the flavor and aggregate, of a name is gone."""
    cloud, known = context.cloud(), context.database.read(hosts.everything)
    if is_class_of_reservation(name):
        return _remove_class(cloud, name, known)
    return _remove_flavor(cloud, reservation_of_name(name)) and _remove_aggregate(cloud, name, known)


def _remove_class(cloud: Cloud, name: str, known: list[Host]) -> bool:
    try:
        for host in known:
            provider = cloud.placement.provider_named(host.reservation_provider_name)
            if provider is not None:
                remove_slots(cloud.placement, provider.uuid, name)
        cloud.placement.delete_resource_class(name)
    except (Conflict, NotYet):
        return False
    except NotFound:
        pass
    return True


def _remove_flavor(cloud: Cloud, flavor_id: str) -> bool:
    if servers_of_flavor(cloud.compute, flavor_id):
        return False
    remove_flavor(cloud.compute, flavor_id)
    return True


def _remove_aggregate(cloud: Cloud, name: str, known: list[Host]) -> bool:
    found = aggregate_named(cloud.compute, name)
    if found is None:
        return True
    ours = {host.service_name: host for host in known}
    for name_of_host in found.hosts:
        if name_of_host in ours:
            join(cloud, cloud.pool, ours[name_of_host])
        with suppress(NotFound):
            cloud.compute.remove_host(found.id, name_of_host)
    with suppress(NotFound):
        cloud.compute.delete_aggregate(found.id)
    return True
