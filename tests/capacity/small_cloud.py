"""A small cloud whose numbers can be told by heart: hosts of 100 cores, a pooled flavor, a split one of ten cores."""

from __future__ import annotations

from collections.abc import Mapping

from moorage.capacity.model.cloud import Cloud, Server, Snapshot
from moorage.capacity.model.configuration import Configuration, HypervisorSelection
from moorage.capacity.model.demand import CapacityRequest, Demand, ResourceDemand
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.model.hypervisor import Aggregate, Hypervisor, Inventory

POOLED = Flavor(id="small", name="small", vcpus=4, ram_mib=4, disk_gib=10)
SPLIT = Flavor(id="big", name="big", vcpus=10, ram_mib=10, disk_gib=10, extra_specs={"quota:separate": "true"})
SHADOWING = "CUSTOM_ON_THE_WAY_OUT"


def host(name: str, *traits: str, used: int = 0) -> Hypervisor:
    inventories = {name: Inventory(100, 0, 100) for name in ("VCPU", "MEMORY_MB")} | {
        "DISK_GB": Inventory(1000, 0, 1000)
    }
    usages = {"VCPU": used, "MEMORY_MB": used, "DISK_GB": used}
    return Hypervisor(
        id=name,
        hostname=name,
        service_host=name,
        hypervisor_type="QEMU",
        traits=traits,
        inventories=inventories,
        usages=usages,
    )


def snapshot(
    zones: Mapping[str, tuple[Hypervisor, ...]],
    demand: Mapping[tuple[str, str], Demand],
    split_on: tuple[str, ...] = (),
    flavors: tuple[Flavor, ...] = (POOLED, SPLIT),
) -> Snapshot:
    """Hosts by zone, demand by resource and zone, and where instances of the split flavor run."""
    zone_of = {each.hostname: zone for zone, hosts in zones.items() for each in hosts}
    by_resource: dict[str, dict[str, Demand]] = {}
    for (resource, zone), asked in demand.items():
        by_resource.setdefault(resource, {})[zone] = asked
    return Snapshot(
        cloud=Cloud(
            flavors=flavors,
            hypervisors=tuple(each for hosts in zones.values() for each in hosts),
            aggregates=tuple(
                Aggregate(name=zone, availability_zone=zone, hosts=tuple(each.service_host for each in hosts))
                for zone, hosts in zones.items()
            ),
            servers=tuple(
                Server(flavor_id=SPLIT.id, availability_zone=zone_of[name], hypervisor_hostname=name)
                for name in split_on
            ),
        ),
        request=CapacityRequest(
            tuple(zones), {resource: ResourceDemand(per_zone) for resource, per_zone in by_resource.items()}
        ),
        configuration=Configuration(hypervisor_selection=HypervisorSelection(shadowing_traits=(SHADOWING,))),
    )
