"""The rules of the document on capacity, each as an example: what is selected, what is added up, what is taken off.

How blocks and liquid share the vessels is in packing/test_simulation.py, what servers run in reading/test_os_types.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from moorage.capacity.errors import FailingHypervisors, PooledTraitsDisagree
from moorage.capacity.model.cloud import Cloud
from moorage.capacity.model.configuration import BinpackBehavior, Configuration
from moorage.capacity.model.demand import CapacityRequest, Demand, ResourceDemand
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.model.hypervisor import Aggregate, Hypervisor, Inventory
from moorage.capacity.model.report import ZoneCapacity
from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.size import ZERO, Size
from moorage.capacity.packing.vessels import Vessels
from moorage.capacity.report import report_capacity

POOLED = Flavor(id="p", name="pooled", vcpus=1, ram_mib=1, disk_gib=10)
FOO = Flavor(id="foo", name="foo", vcpus=32, ram_mib=100, disk_gib=10, extra_specs={"quota:separate": "true"})


def host(
    name: str, *traits: str, cores: int = 80, reserved: int = 0, kind: str = "QEMU", used: int = 0, disk: int = 1000
) -> Hypervisor:
    return Hypervisor(
        id=name,
        hostname=name,
        service_host=f"service-of-{name}",
        hypervisor_type=kind,
        traits=traits,
        inventories={
            "VCPU": Inventory(cores, reserved, cores - reserved),
            "MEMORY_MB": Inventory(1000, 0, 1000),
            "DISK_GB": Inventory(disk, 0, disk),
        },
        usages={"VCPU": used},
        running_vms=used,
    )


def a_cloud(*hosts: Hypervisor, flavors: tuple[Flavor, ...] = (POOLED,), aggregates: int = 1) -> Cloud:
    """All hosts in the zone z, dealt out to some aggregates."""
    return Cloud(
        flavors=flavors,
        hypervisors=hosts,
        aggregates=tuple(
            Aggregate(
                name=f"vc-{number}",
                availability_zone="z",
                hosts=tuple(each.service_host for each in hosts[number::aggregates]),
            )
            for number in range(aggregates)
        ),
    )


def capacity(cloud: Cloud, demand: Mapping[str, int] | None = None, **settings: Any) -> dict[str, ZoneCapacity]:
    """What is reported for the zone z, by resource, where so much is in use."""
    usage = {name: ResourceDemand({"z": Demand(amount)}) for name, amount in (demand or {}).items()}
    configuration = msgspec.convert(settings, Configuration)
    report = report_capacity(cloud, CapacityRequest(("z",), usage), configuration).report
    return {name: zones["z"] for name, zones in report.resources.items()}


# --- what is added up


def test_cores_and_ram_are_the_sums_over_hypervisors() -> None:
    found = capacity(a_cloud(host("a", used=7), host("b", cores=40, reserved=8, used=1)))

    assert (found["cores"].capacity, found["cores"].usage) == (80 + 32, 8)
    assert found["ram"].capacity == 2000
    assert found["instances"].usage == 8


def test_instances_are_as_many_as_the_disks_hold() -> None:
    flavors = (POOLED, replace(POOLED, id="l", name="large", disk_gib=30))

    assert capacity(a_cloud(host("a"), host("b"), flavors=flavors))["instances"].capacity == 2000 // 30


def test_instances_are_ten_thousand_for_each_aggregate_at_most() -> None:
    hosts = [host(name, disk=1_000_000) for name in "abc"]

    assert capacity(a_cloud(*hosts))["instances"].capacity == 10_000
    assert capacity(a_cloud(*hosts, aggregates=2))["instances"].capacity == 20_000


def test_five_instances_of_32_cores_are_taken_off_the_pool() -> None:
    everything = a_cloud(*map(host, "abcd"), flavors=(FOO, POOLED))
    # All that is left is asked for, so nothing is filled up.
    found = capacity(everything, {"instances_foo": 5, "cores": 160, "ram": 3500, "instances": 395})

    assert found["instances_foo"].capacity == 5
    assert found["cores"].capacity == 4 * 80 - 5 * 32
    assert found["ram"].capacity == 4000 - 5 * 100
    assert found["instances"].capacity == 400 - 5


# --- each field of the configuration


@pytest.mark.parametrize(
    ("ignored", "free"),
    [("cores", Size(50, 100, 100)), ("ram", Size(100, 50, 100)), ("disk", Size(100, 100, 50))],
)
def test_a_dimension_can_be_left_out_of_the_ranking(ignored: str, free: Size) -> None:
    nodes = [Cluster(name, 1, Size(100, 100, 100)) for name in "ab"]
    block = Block("block", Size(10, 10, 10), 10)

    def chosen(behavior: BinpackBehavior) -> int | None:
        return Vessels(nodes, [free, Size(100, 100, 100)], [block], behavior).place(0, ZERO)

    # The second node has the better proportions; where they don't count, both are equal, and the first is taken.
    assert chosen(BinpackBehavior()) == 1
    assert chosen(msgspec.convert({f"score_ignores_{ignored}": True}, BinpackBehavior)) == 0


@pytest.mark.parametrize(
    "selection", [{"excluded_extra_specs": {"age": "old"}}, {"required_extra_specs": {"age": "new"}}]
)
def test_flavors_are_selected_by_extra_specs(selection: Mapping[str, Any]) -> None:
    new, old = {"age": "new"}, {"age": "old"}
    flavors = (
        replace(POOLED, extra_specs=new),
        replace(POOLED, id="o", name="old", disk_gib=500, extra_specs=old),
        replace(FOO, extra_specs={**FOO.extra_specs, **old}),
    )
    found = capacity(a_cloud(host("a"), flavors=flavors), flavor_selection=selection)

    assert set(found) == {"cores", "instances", "ram"}
    assert found["instances"].capacity == 1000 // 10


def test_hypervisors_are_selected_by_their_aggregate() -> None:
    cloud = a_cloud(host("a"), host("b"), host("c"), aggregates=2)

    assert capacity(cloud, hypervisor_selection={"aggregate_name_pattern": "vc-1"})["cores"].capacity == 80


def test_a_hypervisor_in_two_aggregates_that_match_is_an_error() -> None:
    cloud = a_cloud(host("a"))
    twice = replace(cloud, aggregates=(*cloud.aggregates, replace(cloud.aggregates[0], name="vc-again")))

    with pytest.raises(FailingHypervisors, match="several aggregates that match: vc-0, vc-again"):
        capacity(twice, hypervisor_selection={"aggregate_name_pattern": "^vc-"})
    assert capacity(twice, hypervisor_selection={"aggregate_name_pattern": "again"})["cores"].capacity == 80


def test_hypervisors_are_selected_by_their_type() -> None:
    cloud = a_cloud(host("a", kind="VMware vCenter Server"), host("b", kind="ironic"))

    assert capacity(cloud, hypervisor_selection={"hypervisor_type_pattern": "VMware"})["cores"].capacity == 80


def test_hypervisors_are_selected_by_traits_that_they_have_and_lack() -> None:
    cloud = a_cloud(host("a", "FAST"), host("b", "FAST", "OLD"), host("c"))

    assert capacity(cloud, hypervisor_selection={"required_traits": ["FAST", "!OLD"]})["cores"].capacity == 80


@pytest.mark.parametrize("rule", ["DRAINED", "!OPEN"])
def test_of_shadowed_hypervisors_only_what_is_used_counts(rule: str) -> None:
    cloud = a_cloud(host("a", "OPEN"), host("b", "DRAINED", used=5), flavors=(POOLED, FOO))
    found = capacity(cloud, {"cores": 80}, hypervisor_selection={"shadowing_traits": [rule]})

    assert (found["cores"].capacity, found["cores"].usage) == (80 + 5, 5)
    # No split instance is placed there, however much room there is.
    assert found["instances_foo"].capacity == 0


def test_pooled_flavors_must_agree_on_traits_unless_these_are_ignored() -> None:
    one = replace(POOLED, extra_specs={"trait:FAST": "required"})
    other = replace(POOLED, id="o", name="other", extra_specs={"trait:FAST": "forbidden"})
    cloud = a_cloud(host("a"), flavors=(one, other))

    with pytest.raises(PooledTraitsDisagree, match="trait:FAST"):
        capacity(cloud)
    assert capacity(cloud, ignored_traits=["FAST"])["cores"].capacity == 80


def test_subcapacities_are_the_hypervisors() -> None:
    cloud = a_cloud(host("a", "FAST", "BIG", used=3), host("b"))

    assert capacity(cloud)["cores"].subcapacities == ()
    for resource, amount, usage in (("cores", 80, 3), ("instances", 100, 3), ("ram", 1000, 0)):
        first, second = capacity(cloud, with_subcapacities=True)[resource].subcapacities
        assert (first.name, first.capacity, first.usage) == ("service-of-a", amount, usage)
        assert (first.aggregate_name, first.traits) == ("vc-0", ("BIG", "FAST"))
        assert second.name == "service-of-b"


def test_hypervisors_of_split_flavors_alone_are_listed_with_nothing_for_the_pool() -> None:
    picky = replace(POOLED, extra_specs={"trait:SPLIT": "forbidden"})
    cloud = a_cloud(host("a"), host("b", "SPLIT"), flavors=(picky, FOO))
    found = capacity(cloud, {"instances_foo": 2, "cores": 80}, with_subcapacities=True)

    assert [(each.name, each.capacity) for each in found["cores"].subcapacities] == [
        ("service-of-a", 80),
        ("service-of-b", 0),
    ]
    # What is placed there is not taken off the pool.
    assert (found["instances_foo"].capacity, found["cores"].capacity) == (2, 80)
