"""From a cloud and what is asked of it to a capacity report, and the account behind it: a pure function.

Pooled capacity is what the hypervisors have that take pooled flavors, less what split flavors were placed there. The
capacity of a split flavor is how many of its instances the simulation placed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from moorage.capacity.errors import Failure, UnusableOvercommit
from moorage.capacity.model import overcommit
from moorage.capacity.model.cloud import Cloud
from moorage.capacity.model.configuration import Configuration
from moorage.capacity.model.demand import CORES, INSTANCES, RAM, CapacityRequest
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.model.overcommit import raw
from moorage.capacity.model.report import CapacityReport, ZoneCapacity
from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.simulation import simulate
from moorage.capacity.packing.size import Size
from moorage.capacity.packing.zone import Account, BlockDemand, Zone
from moorage.capacity.pooled import PooledZone, pooled_zone
from moorage.capacity.selection.flavors import SelectedFlavors, select_flavors, split_flavor_of, trait_specs
from moorage.capacity.selection.hypervisors import SelectedHypervisor, select_hypervisors


@dataclass(frozen=True, slots=True)
class CapacityAccount:
    """A report and where its numbers come from: the zones as they were simulated, by their own names."""

    report: CapacityReport
    flavors: tuple[Flavor, ...]
    zones: Mapping[str, Zone]
    accounts: Mapping[str, Account]
    # By resource name and zone, instances of split flavors on shadowed hypervisors.
    shadowed: Mapping[str, Mapping[str, int]]
    skipped: tuple[Failure, ...] = ()
    homeless: tuple[str, ...] = ()


def report_capacity(cloud: Cloud, request: CapacityRequest, configuration: Configuration) -> CapacityAccount:
    """The capacity of a cloud; refuses with a CapacityError if it cannot be told."""
    flavors = select_flavors(configuration, cloud.flavors)
    _check_overcommit(request, flavors.split)
    found = select_hypervisors(configuration.hypervisor_selection, cloud, flavors.pooled_traits)
    by_zone: defaultdict[str, list[SelectedHypervisor]] = defaultdict(list)
    for each in found.hypervisors:
        by_zone[each.zone].append(each)
    existing, shadowed = _existing_instances(
        cloud, request, split_flavor_of(configuration.flavor_selection, cloud.flavors), found.hypervisors
    )
    zones = {
        zone: _zone(zone, by_zone[zone], request, flavors, configuration, existing[zone], shadowed)
        for zone in dict.fromkeys((*by_zone, *request.zones))
        # Where nothing can be placed, it still has to be told what finds no place.
        if any(not each.is_shadowed for each in by_zone[zone]) or _asks_for_split(request, flavors, zone)
    }
    accounts = {name: simulate(zone) for name, zone in zones.items()}
    report = _Report(request, flavors)
    for name in [*request.zones, *sorted(zone for zone in by_zone if zone not in request.zones)]:
        # A zone that nobody asked for and where nothing is offered is no zone.
        if name in request.zones or name in zones:
            pooled = pooled_zone(by_zone.get(name, ()), flavors.max_root_disk_gib, configuration)
            report.add(name, pooled, zones.get(name), accounts.get(name))
    for resource, counts in shadowed.items():
        for zone, count in counts.items():
            report.add_split(resource, zone, count)
    return CapacityAccount(
        report.finish(), flavors.split, zones, accounts, shadowed, skipped=found.skipped, homeless=found.homeless
    )


def _asks_for_split(request: CapacityRequest, flavors: SelectedFlavors, zone: str) -> bool:
    return any(request.of(flavor.resource_name).in_zone(zone).total for flavor in flavors.split)


def _check_overcommit(request: CapacityRequest, split: Iterable[Flavor]) -> None:
    for resource, demand in request.demand.items():
        if not overcommit.is_usable(demand.overcommit_factor):
            raise UnusableOvercommit(
                f"{resource} has the overcommit factor {demand.overcommit_factor:g}. A factor is a number from"
                f" {overcommit.LEAST:g} to {overcommit.MOST:g}, or 0 for none."
            )
    for flavor in split:
        factor = request.of(flavor.resource_name).overcommit_factor
        if factor not in (0, 1):
            raise UnusableOvercommit(
                f"{flavor.resource_name} has the overcommit factor {factor:g}, but instances of split flavors cannot "
                "be overcommitted: each takes the same place as any other. Only cores can; set the factor there."
            )


def _existing_instances(
    cloud: Cloud, request: CapacityRequest, flavor_of: Mapping[str, Flavor], hypervisors: Iterable[SelectedHypervisor]
) -> tuple[Mapping[str, Mapping[str, list[str]]], dict[str, dict[str, int]]]:
    """By zone and flavor, where instances run; by resource and zone, how many run on shadowed hypervisors."""
    shadowed_hosts = {each.hypervisor.hostname for each in hypervisors if each.is_shadowed}
    existing: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    shadowed: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for server in cloud.servers:
        flavor = flavor_of.get(server.flavor_id)
        if flavor is None:
            continue
        zone = request.known_zone(server.availability_zone)
        if server.hypervisor_hostname in shadowed_hosts:
            shadowed[flavor.resource_name][zone] += 1
        else:
            existing[zone][flavor.name].append(server.hypervisor_hostname)
    return existing, {resource: dict(counts) for resource, counts in shadowed.items()}


def _zone(
    name: str,
    hypervisors: Iterable[SelectedHypervisor],
    request: CapacityRequest,
    flavors: SelectedFlavors,
    configuration: Configuration,
    existing: Mapping[str, Sequence[str]],
    shadowed: Mapping[str, Mapping[str, int]],
) -> Zone:
    factor = request.of(CORES).overcommit_factor
    demands = [(flavor, request.of(flavor.resource_name).in_zone(name)) for flavor in flavors.split]
    return Zone(
        clusters=[
            Cluster(
                each.hypervisor.hostname,
                each.nodes.count,
                each.nodes.size,
                not each.accepts_pooled,
                frozenset(each.traits),
            )
            for each in hypervisors
            if each.nodes is not None
        ],
        blocks=[block_of(flavor, factor) for flavor in flavors.split],
        demand=[
            BlockDemand(
                demand.usage,
                demand.unused_commitments,
                demand.pending_commitments,
                existing.get(flavor.name, ()),
                shadowed.get(flavor.resource_name, {}).get(name, 0),
            )
            for flavor, demand in demands
        ],
        pooled=_pooled_demand(name, request, flavors.max_root_disk_gib),
        behavior=configuration.binpack_behavior,
        cores_overcommit=factor,
    )


def block_of(flavor: Flavor, cores_overcommit: float) -> Block:
    """A split flavor as a block; the cores of each instance are rounded up to whole raw ones."""
    vcpus = max(0, flavor.vcpus)
    size = Size(raw(cores_overcommit, vcpus), max(0, flavor.ram_mib), max(0, flavor.disk_gib))
    return Block(flavor.name, size, vcpus, trait_specs(flavor))


def _pooled_demand(zone: str, request: CapacityRequest, max_root_disk: int) -> tuple[Size, Size, Size]:
    """What each class of pooled demand takes; an instance takes the largest disk that pooled flavors have."""
    factor = request.of(CORES).overcommit_factor
    cores, instances, ram = (request.of(resource).in_zone(zone) for resource in (CORES, INSTANCES, RAM))
    return (
        Size(raw(factor, cores.usage), ram.usage, instances.usage * max_root_disk),
        Size(
            raw(factor, cores.unused_commitments),
            ram.unused_commitments,
            instances.unused_commitments * max_root_disk,
        ),
        Size(
            raw(factor, cores.pending_commitments),
            ram.pending_commitments,
            instances.pending_commitments * max_root_disk,
        ),
    )


class _Report:
    """A report in the making. Zones that the asker does not know are added up as `unknown`."""

    def __init__(self, request: CapacityRequest, flavors: SelectedFlavors) -> None:
        self._request = request
        names = (CORES, INSTANCES, RAM, *(flavor.resource_name for flavor in flavors.split))
        self._resources: dict[str, dict[str, ZoneCapacity]] = {name: {} for name in names}
        self._split = [flavor.resource_name for flavor in flavors.split]

    def add(self, zone: str, pooled: PooledZone, simulated: Zone | None, account: Account | None) -> None:
        """A zone: what is pooled, less what was placed there, and what was placed."""
        cores, instances, ram = pooled.cores, pooled.instances, pooled.ram
        for block, resource in enumerate(self._split):
            placed = account.total(block) if account else 0
            self.add_split(resource, zone, placed)
            if simulated and account:
                there = account.on_general[block]
                cores -= simulated.cores_of(block, there)
                ram -= there * simulated.blocks[block].size.ram
                instances -= there
        usage = pooled.usage
        for resource, capacity, used in (
            (CORES, cores, usage.cores),
            (INSTANCES, instances, pooled.running),
            (RAM, ram, usage.ram),
        ):
            self._add(resource, zone, ZoneCapacity(max(0, capacity), used, pooled.subcapacities[resource]))

    def add_split(self, resource: str, zone: str, count: int) -> None:
        """Instances of a split flavor in a zone."""
        self._add(resource, zone, ZoneCapacity(count))

    def _add(self, resource: str, zone: str, more: ZoneCapacity) -> None:
        zones = self._resources[resource]
        name = self._request.known_zone(zone)
        before = zones.get(name)
        zones[name] = more if before is None else _together(before, more)

    def finish(self) -> CapacityReport:
        return CapacityReport(self._resources)


def _together(one: ZoneCapacity, other: ZoneCapacity) -> ZoneCapacity:
    usage = None if one.usage is None or other.usage is None else one.usage + other.usage
    return ZoneCapacity(one.capacity + other.capacity, usage, one.subcapacities + other.subcapacities)
