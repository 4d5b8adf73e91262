"""Snapshots: what is written is what is read, and what is no snapshot is refused with a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moorage.capacity.model.cloud import Cloud, Server, Snapshot, SnapshotUnreadable, read_snapshot, write_snapshot
from moorage.capacity.model.configuration import (
    BinpackBehavior,
    Category,
    CategoryRule,
    Configuration,
    HypervisorSelection,
    Strategy,
)
from moorage.capacity.model.demand import CapacityRequest, Demand, ResourceDemand
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.model.hypervisor import Aggregate, Hypervisor, Inventory

SNAPSHOT = Snapshot(
    cloud=Cloud(
        flavors=(
            Flavor(id="f1", name="big", vcpus=8, ram_mib=64, disk_gib=10, extra_specs={"quota:separate": "true"}),
        ),
        hypervisors=(
            Hypervisor(
                id="h1",
                hostname="node-1",
                service_host="compute-1",
                traits=("FAST",),
                inventories={"VCPU": Inventory(96, 4, 48)},
                usages={"VCPU": 12},
            ),
        ),
        aggregates=(Aggregate(name="rack-1", availability_zone="east", hosts=("compute-1",)),),
        servers=(Server(flavor_id="f1", availability_zone="east", hypervisor_hostname="node-1"),),
    ),
    request=CapacityRequest(("east",), {"cores": ResourceDemand({"east": Demand(1, 2, 3)}, 1.5)}),
    configuration=Configuration(
        binpack_behavior=BinpackBehavior(strategy=Strategy.OPTIMIZED),
        category_for_split_flavor=(CategoryRule("instances_.*", Category("big", "Big ones")),),
    ),
    taken_at="2026-03-01T00:00:00Z",
)


def test_a_snapshot_comes_back_as_it_was_written() -> None:
    assert read_snapshot(write_snapshot(SNAPSHOT)) == SNAPSHOT


def test_the_same_snapshot_is_always_the_same_bytes() -> None:
    assert write_snapshot(read_snapshot(write_snapshot(SNAPSHOT))) == write_snapshot(SNAPSHOT)


def test_a_refused_file_says_where_it_is_wrong() -> None:
    with pytest.raises(SnapshotUnreadable, match=r"Expected `int`, got `str`.*vcpus"):
        read_snapshot(write_snapshot(SNAPSHOT).replace(b'"vcpus":8', b'"vcpus":"8"'))


def test_a_format_of_the_future_is_refused() -> None:
    with pytest.raises(SnapshotUnreadable, match="format 2"):
        read_snapshot(write_snapshot(SNAPSHOT).replace(b'"format":1', b'"format":2'))


@pytest.mark.parametrize("content", [b"\xff\xfe", b'{"taken_at": "\xff"}', b'{"cloud": ' + b"[" * 100_000])
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(SnapshotUnreadable, match="This is no snapshot of a cloud's capacity"):
        read_snapshot(content)


def test_settings_that_make_no_sense_are_refused() -> None:
    selection = HypervisorSelection(aggregate_name_pattern="(")
    written = write_snapshot(replace(SNAPSHOT, configuration=Configuration(hypervisor_selection=selection)))
    with pytest.raises(SnapshotUnreadable, match=r"aggregate_name_pattern is '\(', which is no regular expression"):
        read_snapshot(written)
