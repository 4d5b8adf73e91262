"""The usage report of a project: Nova's totals, spread over zones by counting servers.

Nova counts without zones. What it counts and no server in a zone accounts for is reported in the zone `unknown`; and
where more servers are listed than Nova has counted, all of them are reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from moorage.capacity.declaration import SERVER_GROUP_MEMBERS, SERVER_GROUPS, Declaration, hardware_resource
from moorage.capacity.model.demand import CORES, INSTANCES, RAM
from moorage.capacity.protocol.info import ServiceInfo, Topology
from moorage.capacity.protocol.reports import ResourceUsage, Subresource, UsageReport, ZoneUsage
from moorage.capacity.protocol.zones import ANY, UNKNOWN
from moorage.capacity.usage.limits import NO_LIMIT, Limit, ProjectLimits
from moorage.capacity.usage.server import ProjectServer

_NOT_COUNTED = Limit(NO_LIMIT, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectUsage:
    """All that a usage report is made from."""

    limits: ProjectLimits
    servers: Sequence[ProjectServer]
    # How many members all server groups of the project have.
    group_members: int = 0
    # The operating system of each server, by id; None to report no subresources.
    os_types: Mapping[str, str] | None = None


@dataclass(slots=True)
class _Count:
    """What the servers of a project add up to, for one resource."""

    by_zone: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    subresources: dict[str, list[Subresource]] = field(default_factory=lambda: defaultdict(list))


def usage_report(
    declaration: Declaration, usage: ProjectUsage, zones: Sequence[str], *, with_hardware: bool
) -> UsageReport:
    """What a project uses of all that is declared; the zones are those of the request."""
    info = declaration.info
    counts: dict[str, _Count] = defaultdict(_Count)
    elsewhere: dict[str, int] = defaultdict(int)
    for server in usage.servers:
        if server.flavor.name in declaration.ironic_flavors:
            continue
        zone = server.zone if server.zone in zones else UNKNOWN
        for share in _shares(server, declaration, usage.limits, with_hardware=with_hardware):
            count = counts[share.resource]
            count.by_zone[zone] += share.amount
            if share.is_listed and usage.os_types is not None:
                count.subresources[zone].append(_subresource(server, usage.os_types[server.id]))
            for resource, amount in share.counted_by_nova.items():
                elsewhere[resource] += amount
    totals = _totals(info, usage)
    return UsageReport(
        info.version,
        {
            name: ResourceUsage(
                forbidden=False,
                per_zone=_flat(totals[name])
                if declared.topology is Topology.FLAT
                else _spread(totals[name].used - elsewhere[name], counts[name], zones),
                quota=totals[name].quota if declared.has_quota else None,
            )
            for name, declared in info.resources.items()
        },
    )


# --- what a server counts towards


@dataclass(frozen=True, slots=True)
class _Share:
    """What a server counts of a resource."""

    resource: str
    amount: int
    # Whether the server is listed with the resource.
    is_listed: bool = False
    # What a Nova that knows nothing of this resource has counted for this server elsewhere.
    counted_by_nova: Mapping[str, int] = field(default_factory=dict)


def _shares(
    server: ProjectServer, declaration: Declaration, limits: ProjectLimits, *, with_hardware: bool
) -> Iterator[_Share]:
    flavor, resources = server.flavor, declaration.info.resources
    own = f"instances_{flavor.counted_as}"
    # A Nova that counts split flavors by themselves may not know that this one counts as another.
    is_apart_in_nova = not limits.per_flavor.keys().isdisjoint((flavor.name, flavor.counted_as))
    hardware = flavor.hardware_version
    if hardware and not with_hardware:
        # Such servers belong to another service, but for their number.
        yield _Share(INSTANCES, 1)
        return
    if own in resources:
        in_pool = {INSTANCES: 1, CORES: flavor.vcpus, RAM: flavor.ram_mib}
        yield _Share(own, 1, True, {} if is_apart_in_nova else in_pool)
        return
    if flavor.counted_as in declaration.undeclared_flavors and is_apart_in_nova:
        # It has a quota of its own in Nova and no resource here.
        return
    for base, amount in ((INSTANCES, 1), (CORES, flavor.vcpus), (RAM, flavor.ram_mib)):
        variant = hardware_resource(hardware, base)
        if hardware and variant in resources:
            # A Nova that does not tell this version apart has counted the server with all others.
            in_pool = {} if hardware in limits.per_hardware else {base: amount}
            yield _Share(variant, amount, base == INSTANCES, in_pool)
        else:
            yield _Share(base, amount, base == INSTANCES)


def _subresource(server: ProjectServer, os_type: str) -> Subresource:
    flavor: dict[str, Any] = {
        "name": server.flavor.name,
        "vcpu": server.flavor.vcpus,
        "ram_mib": server.flavor.ram_mib,
        "disk_gib": server.flavor.disk_gib,
    }
    if server.flavor.video_ram_mib is not None:
        flavor["video_ram_mib"] = server.flavor.video_ram_mib
    attributes = {
        "status": server.status,
        "metadata": server.metadata,
        "tags": server.tags,
        "flavor": flavor,
        "os_type": os_type,
    }
    return Subresource(server.id, server.name, attributes)


# --- totals and zones


def _totals(info: ServiceInfo, usage: ProjectUsage) -> dict[str, Limit]:
    """What Nova says of each resource; what it does not know of is counted from the servers, without a limit."""
    limits = usage.limits
    totals = {
        CORES: limits.cores,
        INSTANCES: limits.instances,
        RAM: limits.ram,
        SERVER_GROUPS: limits.server_groups,
        SERVER_GROUP_MEMBERS: Limit(limits.server_group_members, usage.group_members),
        **{f"instances_{name}": limit for name, limit in limits.per_flavor.items()},
        **{
            hardware_resource(version, base): limit
            for version, by_base in limits.per_hardware.items()
            for base, limit in by_base.items()
        },
    }
    return {name: totals.get(name, _NOT_COUNTED) for name in info.resources}


def _flat(limit: Limit) -> Mapping[str, ZoneUsage]:
    return {ANY: ZoneUsage(limit.used)}


def _spread(total: int, count: _Count, zones: Iterable[str]) -> Mapping[str, ZoneUsage]:
    """The usage of each zone, and what is left of Nova's total in `unknown`, if there is anything."""
    found = {zone: ZoneUsage(count.by_zone[zone], tuple(count.subresources[zone])) for zone in zones}
    left = total - sum(usage.usage for usage in found.values())
    unknown = max(left, count.by_zone[UNKNOWN])
    if unknown > 0:
        found[UNKNOWN] = ZoneUsage(unknown, tuple(count.subresources[UNKNOWN]))
    return found
