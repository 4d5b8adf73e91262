"""Made-up clouds: of one zone, with twenty small split flavors, and with any number of hypervisors.

The same number and seed always make the same cloud. In *uneven* clouds no two hypervisors are alike, which is the
hardest case: nothing that holds for one of them holds for another.
"""

from __future__ import annotations

import random

from moorage.capacity.model.cloud import Cloud, Snapshot
from moorage.capacity.model.demand import CapacityRequest, Demand, ResourceDemand
from moorage.capacity.model.flavor import SEPARATE_QUOTA, Flavor
from moorage.capacity.model.hypervisor import DISK_GB, MEMORY_MB, VCPU, Aggregate, Hypervisor, Inventory

ZONE = "zone-1"
SPLIT_FLAVORS = 20
_SHAPES = ((96, 393_216, 4_000), (64, 524_288, 3_000), (128, 262_144, 6_000), (48, 196_608, 2_000))
_MAX_ROOT_DISK = 64


def cloud(hypervisors: int, *, uneven: bool = False, seed: int = 1) -> Snapshot:
    """A cloud with demand for about half of it, a quarter of that pooled."""
    dice = random.Random(seed)  # noqa: S311 - a made-up cloud is no secret
    flavors = [_flavor(number, dice) for number in range(SPLIT_FLAVORS)]
    hosts = [_hypervisor(number, dice, uneven=uneven) for number in range(hypervisors)]
    demand = {flavor.resource_name: ResourceDemand({ZONE: _some(dice, max(1, hypervisors // 7))}) for flavor in flavors}
    cores = sum(each.inventory(VCPU).total for each in hosts)
    for resource, amount in (("cores", cores // 8), ("ram", cores * 512), ("instances", hypervisors)):
        demand[resource] = ResourceDemand({ZONE: _some(dice, amount // 3)})
    pooled = Flavor(id="pooled", name="pooled", vcpus=2, ram_mib=4096, disk_gib=_MAX_ROOT_DISK)
    aggregate = Aggregate(name=ZONE, availability_zone=ZONE, hosts=tuple(each.service_host for each in hosts))
    return Snapshot(
        cloud=Cloud(flavors=(*flavors, pooled), hypervisors=tuple(hosts), aggregates=(aggregate,)),
        request=CapacityRequest((ZONE,), demand),
    )


def _flavor(number: int, dice: random.Random) -> Flavor:
    vcpus = dice.choice((1, 2, 4, 6, 8, 12))
    return Flavor(
        id=f"split-{number}",
        name=f"split-{number}",
        vcpus=vcpus,
        ram_mib=vcpus * dice.choice((1024, 2048, 4096, 6144, 8192)),
        disk_gib=dice.choice((20, 40, 80, 160)) + number,
        extra_specs={SEPARATE_QUOTA: "true"},
    )


def _hypervisor(number: int, dice: random.Random, *, uneven: bool) -> Hypervisor:
    cores, ram, disk = dice.choice(_SHAPES)
    if uneven:
        ram -= dice.randrange(0, ram // 8)
        disk -= dice.randrange(0, disk // 8)
    return Hypervisor(
        id=str(number),
        hostname=f"node-{number}",
        service_host=f"compute-{number}",
        running_vms=0,
        inventories={
            VCPU: Inventory(cores, 0, cores),
            MEMORY_MB: Inventory(ram, 0, ram),
            DISK_GB: Inventory(disk, 0, disk),
        },
    )


def _some(dice: random.Random, about: int) -> Demand:
    return Demand(*(dice.randrange(about // 2, about + about // 2 + 1) for _ in range(3)))
