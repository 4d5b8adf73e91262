"""What a project may have and has: its limits, its servers, and the members of its server groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from moorage.capacity.model.demand import CORES, INSTANCES, RAM
from moorage.capacity.usage.limits import NO_LIMIT, Limit, ProjectLimits
from moorage.capacity.usage.server import ProjectServer, ServerFlavor
from moorage.client.compute import ComputeClient, FlavorOfServer, ServerFilter


class _Server(Struct, frozen=True):
    """A server as Nova lists it, where `null` is told from nothing, and what stands for an image may be anything."""

    id: str
    name: str
    status: str
    flavor: FlavorOfServer
    image: Any = None
    metadata: Mapping[str, str] | None = None
    tags: tuple[str, ...] | None = None
    updated: str | None = None
    zone: str | None = field(name="OS-EXT-AZ:availability_zone", default=None)


def read_limits(compute: ComputeClient, project_id: str) -> ProjectLimits:
    """What a project may have and has, as the compute service counts it."""
    told = compute.limits(project_id)
    absolute = told.absolute
    return ProjectLimits(
        cores=_limit(absolute, "maxTotalCores", "totalCoresUsed"),
        instances=_limit(absolute, "maxTotalInstances", "totalInstancesUsed"),
        ram=_limit(absolute, "maxTotalRAMSize", "totalRAMUsed"),
        server_groups=_limit(absolute, "maxServerGroups", "totalServerGroupsUsed"),
        server_group_members=absolute.get("maxServerGroupMembers", NO_LIMIT),
        per_flavor={
            name: _limit(limits, "maxTotalInstances", "totalInstancesUsed")
            for name, limits in (told.per_flavor or {}).items()
        },
        per_hardware={
            version: {
                CORES: _limit(limits, "maxTotalCores", "totalCoresUsed"),
                INSTANCES: _limit(limits, "maxTotalInstances", "totalInstancesUsed"),
                RAM: _limit(limits, "maxTotalRAMSize", "totalRAMUsed"),
            }
            for version, limits in (told.per_hardware_version or {}).items()
        },
    )


def read_servers(compute: ComputeClient, project_id: str) -> tuple[ProjectServer, ...]:
    """All servers of a project."""
    return tuple(_server(found) for found in compute.servers_as(_Server, ServerFilter(project_id=project_id)))


def _server(found: _Server) -> ProjectServer:
    has_image = isinstance(found.image, Mapping)
    image_id = found.image.get("id") if has_image else None
    return ProjectServer(
        id=found.id,
        name=found.name,
        status=found.status,
        flavor=ServerFlavor(
            name=found.flavor.name,
            vcpus=found.flavor.vcpus,
            ram_mib=found.flavor.ram_mb,
            disk_gib=found.flavor.disk_gb,
            extra_specs=found.flavor.extra_specs,
        ),
        zone=found.zone or "",
        metadata=found.metadata,
        tags=found.tags,
        has_image=has_image,
        image_id=image_id if isinstance(image_id, str) and image_id else None,
        updated=found.updated or "",
    )


def _limit(told: Mapping[str, int], quota: str, used: str) -> Limit:
    return Limit(told.get(quota, NO_LIMIT), told.get(used, 0))
