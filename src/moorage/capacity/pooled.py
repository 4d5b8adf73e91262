"""The pooled capacity of a zone: what its hypervisors have that take pooled flavors, and what each contributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from moorage.capacity.model.configuration import Configuration
from moorage.capacity.model.demand import CORES, INSTANCES, RAM
from moorage.capacity.model.hypervisor import DISK_GB, MEMORY_MB, VCPU, Hypervisor
from moorage.capacity.model.report import Subcapacity
from moorage.capacity.packing.size import ZERO, Size
from moorage.capacity.selection.hypervisors import SelectedHypervisor

INSTANCES_PER_AGGREGATE = 10_000
"""How many instances an aggregate takes at most, whatever its disks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledZone:
    """Capacity and usage of the pooled resources in a zone, before split flavors are taken off."""

    cores: int
    instances: int
    ram: int
    usage: Size
    running: int
    subcapacities: Mapping[str, tuple[Subcapacity, ...]]


def pooled_zone(
    hypervisors: Iterable[SelectedHypervisor], max_root_disk: int, configuration: Configuration
) -> PooledZone:
    """Add up a zone. A shadowed hypervisor has only the capacity that is used there."""
    hypervisors = tuple(hypervisors)
    capacity, usage, running = ZERO, ZERO, 0
    aggregates = set()
    for each in hypervisors:
        if not each.accepts_pooled:
            continue
        has, uses = _capacity(each.hypervisor), _usage(each.hypervisor)
        if each.is_shadowed:
            has = Size(*(min(pair) for pair in zip(has, uses, strict=True)))
        capacity, usage = capacity.plus(has), usage.plus(uses)
        running += each.hypervisor.running_vms
        aggregates.add(each.aggregate_name)
    return PooledZone(
        cores=capacity.cores,
        instances=_instances(len(aggregates), capacity.disk, max_root_disk),
        ram=capacity.ram,
        usage=usage,
        running=running,
        subcapacities=_subcapacities(hypervisors if configuration.with_subcapacities else (), max_root_disk),
    )


def _capacity(hypervisor: Hypervisor) -> Size:
    return Size(*(hypervisor.inventory(each).available for each in (VCPU, MEMORY_MB, DISK_GB)))


def _usage(hypervisor: Hypervisor) -> Size:
    return Size(*(max(0, hypervisor.usages.get(each, 0)) for each in (VCPU, MEMORY_MB, DISK_GB)))


def _instances(aggregates: int, disk: int, max_root_disk: int) -> int:
    return min(INSTANCES_PER_AGGREGATE * aggregates, int(float(disk) / float(max_root_disk)))


def _subcapacities(hypervisors: Iterable[SelectedHypervisor], max_root_disk: int) -> dict[str, tuple[Subcapacity, ...]]:
    """One for each hypervisor: those that offer pooled capacity, then shadowed ones, then those of split flavors only.

    The last contribute nothing to pooled resources, but whoever looks for a hypervisor finds it. What a shadowed one
    has is shown in full, also where it does not count.
    """
    ordered = sorted(hypervisors, key=lambda each: 2 if not each.accepts_pooled else int(each.is_shadowed))
    found: dict[str, list[Subcapacity]] = {CORES: [], INSTANCES: [], RAM: []}
    for each in ordered:
        has, uses, running = _capacity(each.hypervisor), _usage(each.hypervisor), each.hypervisor.running_vms
        amounts = {
            CORES: (has.cores, uses.cores),
            INSTANCES: (_instances(1, has.disk, max_root_disk), running),
            RAM: (has.ram, uses.ram),
        }
        for resource, (capacity, usage) in amounts.items():
            found[resource].append(
                Subcapacity(
                    name=each.hypervisor.service_host,
                    capacity=capacity if each.accepts_pooled else 0,
                    usage=usage if each.accepts_pooled else 0,
                    aggregate_name=each.aggregate_name,
                    traits=each.traits,
                )
            )
    return {resource: tuple(subcapacities) for resource, subcapacities in found.items()}
