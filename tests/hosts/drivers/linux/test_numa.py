"""NUMA nodes as the kernel shows them."""

from __future__ import annotations

from pathlib import Path

from moorage.hosts.drivers.machine.policy import Policy
from tests.hosts.drivers import kernels
from tests.hosts.drivers.trees import Examine, named, totals

NUMA = Policy(numa=True)


def test_two_nodes(root: Path, examine: Examine) -> None:
    kernels.intel(root)
    tree = examine(NUMA)
    host, first, second = (named(tree, name) for name in ("host", "host_numa0", "host_numa1"))
    assert totals(host) == {}
    assert totals(first) == {"VCPU": 8, "MEMORY_MB": 49408}
    assert totals(second) == {"VCPU": 8, "MEMORY_MB": 48896}
    assert first.parent_uuid == second.parent_uuid == host.uuid
    assert "HW_NUMA_ROOT" in first.traits & second.traits
    assert "HW_NUMA_ROOT" not in host.traits


def test_they_are_not_there_unless_asked_for(root: Path, examine: Examine) -> None:
    kernels.intel(root)
    assert [provider.name for provider in examine()] == ["host"]


def test_a_kernel_without_numa_has_one_node(root: Path, examine: Examine) -> None:
    kernels.add_processors(root, "0-1", "flags\t: sse")
    kernels.add_memory(root, 2048)
    assert totals(named(examine(NUMA), "host_numa0")) == {"VCPU": 2, "MEMORY_MB": 2048}


def test_numbers_need_not_follow_each_other(root: Path, examine: Examine) -> None:
    kernels.amd(root)
    kernels.add_memory(root, 36864)
    kernels.add_numa_node(root, 10, "", 4096)
    kernels.add_numa_node(root, 8, "", 0)
    tree = examine(NUMA)
    children = tree.children(named(tree, "host").uuid)
    assert [(child.name, totals(child)) for child in children] == [
        ("host_numa0", {"VCPU": 8, "MEMORY_MB": 32768}),
        ("host_numa10", {"MEMORY_MB": 4096}),
    ]


def test_other_files_beside_the_nodes_are_passed_over(root: Path, examine: Examine) -> None:
    kernels.amd(root)
    kernels.write(root / "sys/devices/system/node/online", "0")
    kernels.write(root / "sys/devices/system/node/nodes_to_come", "0")
    assert len(examine(NUMA)) == 2


def test_nodes_never_have_more_memory_than_the_machine(root: Path, examine: Examine) -> None:
    kernels.intel(root)
    kernels.add_memory(root, 4096)
    tree = examine(Policy(numa=True, reserved_memory_mb=512))
    parts = [named(tree, name).inventories["MEMORY_MB"] for name in ("host_numa0", "host_numa1")]
    assert [(part.total, part.max_unit) for part in parts] == [(2059, 2059), (2037, 2037)]
    assert sum(part.reserved for part in parts) == 512
