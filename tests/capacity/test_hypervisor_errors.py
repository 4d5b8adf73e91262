"""Hypervisors that cannot be understood stop the report, all are named, and a setting leaves them out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.capacity.clouds import ZONE, cloud
from moorage.capacity.errors import FailingHypervisors
from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.configuration import Configuration, HypervisorSelection
from moorage.capacity.model.hypervisor import Inventory
from moorage.capacity.report import report_capacity


def a_cloud_with_two_bad_hypervisors() -> Snapshot:
    snapshot = cloud(6)
    good = snapshot.cloud.hypervisors
    gone = replace(good[1], problem="Placement has no resource provider of this name.")
    odd = replace(good[4], inventories={**good[4].inventories, "MEMORY_MB": Inventory(100, 0, 10)})
    return replace(snapshot, cloud=replace(snapshot.cloud, hypervisors=(*good[:1], gone, *good[2:4], odd, good[5])))


def test_all_failing_hypervisors_are_named_with_what_to_do() -> None:
    snapshot = a_cloud_with_two_bad_hypervisors()

    with pytest.raises(FailingHypervisors) as raised:
        report_capacity(snapshot.cloud, snapshot.request, snapshot.configuration)

    text = str(raised.value)
    assert "2 hypervisors" in text
    assert "node-1" in text
    assert "VCPU makes it 1 nodes" in text
    assert "but MEMORY_MB makes it 10" in text
    assert "skip_failing" in text


def test_failing_hypervisors_can_be_skipped_and_are_counted() -> None:
    snapshot = a_cloud_with_two_bad_hypervisors()
    skipping = Configuration(hypervisor_selection=HypervisorSelection(skip_failing=True))

    account = report_capacity(snapshot.cloud, snapshot.request, skipping)

    assert [each.hypervisor.split()[1] for each in account.skipped] == ["node-1", "node-4"]
    assert len(account.zones[ZONE].clusters) == 4


def test_five_instances_of_32_cores_are_taken_off_the_pool() -> None:
    from moorage.capacity.model.cloud import Cloud
    from moorage.capacity.model.demand import CapacityRequest, Demand, ResourceDemand
    from moorage.capacity.model.flavor import Flavor
    from moorage.capacity.model.hypervisor import Aggregate, Hypervisor

    size = {"VCPU": Inventory(80, 0, 80), "MEMORY_MB": Inventory(1000, 0, 1000), "DISK_GB": Inventory(1000, 0, 1000)}
    hosts = [Hypervisor(id=name, hostname=name, service_host=name, inventories=size) for name in ("a", "b", "c", "d")]
    foo = Flavor(id="foo", name="foo", vcpus=32, ram_mib=100, disk_gib=10, extra_specs={"quota:separate": "true"})
    pooled = Flavor(id="p", name="p", vcpus=1, ram_mib=1, disk_gib=10)
    request = CapacityRequest(
        ("z",),
        {
            "instances_foo": ResourceDemand({"z": Demand(5)}),
            # All that is left is asked for, so nothing is filled up.
            "cores": ResourceDemand({"z": Demand(160)}),
            "ram": ResourceDemand({"z": Demand(3500)}),
            "instances": ResourceDemand({"z": Demand(395)}),
        },
    )
    everything = Cloud(
        flavors=(foo, pooled),
        hypervisors=tuple(hosts),
        aggregates=(Aggregate(name="z", availability_zone="z", hosts=("a", "b", "c", "d")),),
    )

    resources = report_capacity(everything, request, Configuration()).report.resources

    assert resources["instances_foo"]["z"].capacity == 5
    assert resources["cores"]["z"].capacity == 4 * 80 - 5 * 32
    assert resources["ram"]["z"].capacity == 4000 - 5 * 100
    assert resources["instances"]["z"].capacity == 400 - 5
