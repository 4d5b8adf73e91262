"""Reports of capacity and usage as they are sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from moorage.capacity.model import report as model

# --- capacity


class Subcapacity(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a capacity that has a name of its own."""

    name: str
    capacity: int
    usage: int | None = None
    attributes: Mapping[str, Any] | None = None


class ZoneCapacity(Struct, frozen=True, omit_defaults=True):
    """The capacity of a resource in a zone."""

    capacity: int
    usage: int | None = None
    subcapacities: tuple[Subcapacity, ...] = ()


class ResourceCapacity(Struct, frozen=True):
    """The capacity of a resource."""

    per_zone: Mapping[str, ZoneCapacity] = field(name="perAZ")


class CapacityReport(Struct, frozen=True):
    """The capacity of everything that has one."""

    info_version: int = field(name="infoVersion")
    resources: Mapping[str, ResourceCapacity]


def capacity_report(found: model.CapacityReport, info_version: int) -> CapacityReport:
    """What was found out, in the words of the protocol."""
    resources = {
        name: ResourceCapacity({zone: _zone_capacity(capacity) for zone, capacity in zones.items()})
        for name, zones in found.resources.items()
    }
    return CapacityReport(info_version, resources)


def _zone_capacity(found: model.ZoneCapacity) -> ZoneCapacity:
    return ZoneCapacity(
        found.capacity,
        found.usage,
        tuple(
            Subcapacity(
                name=part.name,
                capacity=part.capacity,
                usage=part.usage,
                attributes={"aggregate_name": part.aggregate_name, "traits": part.traits},
            )
            for part in found.subcapacities
        ),
    )


# --- usage


class Subresource(Struct, frozen=True):
    """A part of a usage that has a name of its own: a server."""

    id: str
    name: str
    attributes: Mapping[str, Any]


class ZoneUsage(Struct, frozen=True, omit_defaults=True):
    """The usage of a resource in a zone."""

    usage: int
    subresources: tuple[Subresource, ...] = ()


class ResourceUsage(Struct, frozen=True, omit_defaults=True):
    """The usage of a resource by a project, and its quota where it has one; a negative quota is no limit."""

    forbidden: bool
    per_zone: Mapping[str, ZoneUsage] = field(name="perAZ")
    quota: int | None = None


class UsageReport(Struct, frozen=True):
    """What a project uses of everything."""

    info_version: int = field(name="infoVersion")
    resources: Mapping[str, ResourceUsage]
