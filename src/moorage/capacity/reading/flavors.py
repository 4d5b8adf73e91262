"""Flavors, as the compute service lists them."""

from __future__ import annotations

from moorage.capacity.model.flavor import Flavor
from moorage.client.compute import ComputeClient


def read_flavors(compute: ComputeClient) -> tuple[Flavor, ...]:
    """All flavors, also those that are not for everybody, in the order of the service."""
    return tuple(
        Flavor(
            id=flavor.id,
            name=flavor.name,
            vcpus=flavor.vcpus,
            ram_mib=flavor.ram_mb,
            disk_gib=flavor.disk_gb,
            ephemeral_gib=flavor.ephemeral_gb,
            swap_mib=flavor.swap_mb,
            is_public=flavor.is_public,
            extra_specs=flavor.extra_specs,
        )
        for flavor in compute.flavors()
    )
