"""Hosts in the cloud: a reservation provider and a place in the free pool, while they belong to this service."""

from __future__ import annotations

from moorage.client.errors import Conflict
from moorage.reservations.enactment.cloud import Cloud
from moorage.reservations.enactment.membership import join, leave
from moorage.reservations.enactment.providers import delete_reservation_provider, ensure_reservation_provider
from moorage.reservations.model.host import Host


def take_over(cloud: Cloud, host: Host, *, is_reserved: bool) -> None:
    """What a host that was created has; one that is reserved as a whole is in the free pool again afterwards."""
    found = ensure_reservation_provider(cloud, host)
    root = cloud.placement.provider_named(host.name)
    if root is not None and found.root_uuid != root.uuid:
        # The host has come back as another provider.
        try:
            cloud.placement.update_provider(found.uuid, found.name, root.uuid)
        except Conflict:
            delete_reservation_provider(cloud, host)
            ensure_reservation_provider(cloud, host)
    if not is_reserved:
        join(cloud, cloud.pool, host)


def let_go(cloud: Cloud, host: Host) -> None:
    """What a host that was deleted has: nothing. First the provider goes, so that nobody can be sent there."""
    delete_reservation_provider(cloud, host)
    leave(cloud, cloud.pool, host)
