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


@pytest.mark.parametrize(
    ("vcpu", "memory", "words"),
    [
        (Inventory(96, 0, 200), Inventory(1000, 0, 2000), "has no room for a single node"),
        (Inventory(96, 96, 2**31 - 1), Inventory(1000, 0, 2**31 - 1), "VCPU makes it 0 nodes"),
        (Inventory(2**31 - 1, 0, 1), Inventory(2**31 - 1, 0, 1), "would be 2147483647 nodes"),
        (Inventory(96, 200, 96), Inventory(1000, 2000, 1000), "has no room for a single node"),
        (Inventory(96, 0, 0), Inventory(1000, 0, 1000), "VCPU has no max_unit"),
    ],
)
def test_inventories_that_make_no_nodes(vcpu: Inventory, memory: Inventory, words: str) -> None:
    snapshot = cloud(2)
    first, second = snapshot.cloud.hypervisors
    odd = replace(first, inventories={**first.inventories, "VCPU": vcpu, "MEMORY_MB": memory})

    with pytest.raises(FailingHypervisors, match=words):
        report_capacity(replace(snapshot.cloud, hypervisors=(odd, second)), snapshot.request, snapshot.configuration)


def test_without_a_max_unit_a_hypervisor_is_one_node() -> None:
    snapshot = cloud(1)
    [host] = snapshot.cloud.hypervisors
    # What Placement says where nobody has set one.
    unset = {"VCPU": Inventory(96, 4, 2**31 - 1), "MEMORY_MB": Inventory(1000, 0, 2**31 - 1)}
    other = replace(snapshot.cloud, hypervisors=(replace(host, inventories={**host.inventories, **unset}),))

    [cluster] = report_capacity(other, snapshot.request, snapshot.configuration).zones[ZONE].clusters

    assert (cluster.nodes, cluster.size.cores, cluster.size.ram) == (1, 92, 1000)
