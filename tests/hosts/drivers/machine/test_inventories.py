"""What a machine offers under a policy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.machine.facts import Machine, NumaNode
from moorage.hosts.drivers.machine.policy import Policy
from moorage.hosts.drivers.machine.providers import native_providers
from moorage.hosts.drivers.machine.shares import shares
from moorage.hosts.provider_tree import ProviderTree
from moorage.placement.model.inventory import Inventory
from tests.properties import effort

NODE = "4e8e5957-649f-477b-9e5b-f1f75b21c03c"

MACHINE = Machine(
    cpus=frozenset(range(8)),
    memory_mb=16384,
    disk_gb=100,
    processor_traits=frozenset({"HW_CPU_X86_AVX2"}),
    numa_nodes=(NumaNode(0, frozenset(range(4)), 8192), NumaNode(1, frozenset(range(4, 8)), 8192)),
    pci_devices=(),
)


def tree(policy: Policy, machine: Machine = MACHINE) -> ProviderTree:
    found = native_providers(machine, policy, NODE, "host")
    assert found.nodes == {NODE}
    return found.tree


def node(policy: Policy, machine: Machine = MACHINE) -> dict[str, Inventory]:
    return dict(tree(policy, machine)[NODE].inventories)


def test_everything_once() -> None:
    assert node(Policy()) == {
        "VCPU": Inventory(8, max_unit=8),
        "MEMORY_MB": Inventory(16384, max_unit=16384),
        "DISK_GB": Inventory(100, max_unit=100),
    }


def test_what_claims_to_be_larger_than_placement_counts_is_as_large_as_that() -> None:
    most = 2**31 - 1
    boundless = replace(MACHINE, disk_gb=8 * 2**30)
    assert node(Policy(), boundless)["DISK_GB"] == Inventory(most, max_unit=most)
    reserved = Policy(reserved_disk_mb=8 * 2**40)
    assert node(reserved, boundless)["DISK_GB"] == Inventory(most, reserved=most, max_unit=most)


def test_reserved_amounts_and_ratios() -> None:
    policy = Policy(
        reserved_cpus=2,
        reserved_memory_mb=512,
        reserved_disk_mb=1025,
        cpu_ratio=4.0,
        memory_ratio=1.5,
        disk_ratio=2.0,
    )
    assert node(policy) == {
        "VCPU": Inventory(8, reserved=2, max_unit=8, allocation_ratio=4.0),
        "MEMORY_MB": Inventory(16384, reserved=512, max_unit=16384, allocation_ratio=1.5),
        "DISK_GB": Inventory(100, reserved=2, max_unit=100, allocation_ratio=2.0),
    }


def test_dedicated_processors_and_the_rest() -> None:
    inventories = node(Policy(dedicated_cpus=frozenset({4, 5, 6}), reserved_cpus=1, cpu_ratio=4.0))
    assert inventories["PCPU"] == Inventory(3, max_unit=3)
    assert inventories["VCPU"] == Inventory(5, reserved=1, max_unit=5, allocation_ratio=4.0)


def test_processors_that_are_neither_dedicated_nor_shared_stay_with_the_host() -> None:
    inventories = node(Policy(dedicated_cpus=frozenset({4, 5, 6}), shared_cpus=frozenset({2, 3})))
    assert (inventories["PCPU"].total, inventories["VCPU"].total) == (3, 2)


@pytest.mark.parametrize(
    ("policy", "classes"),
    [
        (Policy(dedicated_cpus=MACHINE.cpus), {"PCPU", "MEMORY_MB", "DISK_GB"}),
        (Policy(dedicated_cpus=frozenset({1}), shared_cpus=frozenset()), {"PCPU", "MEMORY_MB", "DISK_GB"}),
        (Policy(shared_cpus=frozenset()), {"MEMORY_MB", "DISK_GB"}),
    ],
)
def test_what_there_is_nothing_of_is_left_out(policy: Policy, classes: set[str]) -> None:
    """Placement has no inventories with a total of 0."""
    assert node(policy).keys() == classes


@pytest.mark.parametrize("size", [None, 0])
def test_no_disk(size: int | None) -> None:
    assert "DISK_GB" not in node(Policy(), replace(MACHINE, disk_gb=size))


@pytest.mark.parametrize(
    ("policy", "complaint"),
    [
        (Policy(dedicated_cpus=frozenset({7, 8, 9, 11})), "cpu_dedicated_set names the processors 8-9,11, .* only 0-7"),
        (Policy(shared_cpus=frozenset({8})), "cpu_shared_set names the processors 8,"),
        (Policy(reserved_cpus=9), "reserved_host_cpus = 9 is more than the 8 shared"),
        (
            Policy(reserved_cpus=3, dedicated_cpus=frozenset(range(6))),
            "reserved_host_cpus = 3 is more than the 2 shared",
        ),
        (Policy(reserved_memory_mb=16385), "reserved_host_memory_mb = 16385 is more than the 16384 MiB of memory"),
        (
            Policy(reserved_disk_mb=102401, disk_path=PurePosixPath("/srv")),
            "102401 is more than the 102400 MiB on /srv",
        ),
        (Policy(reserved_memory_mb=16385, numa=True), "more than the 16384 MiB"),
    ],
)
def test_a_policy_that_the_machine_cannot_follow(policy: Policy, complaint: str) -> None:
    with pytest.raises(DriverError, match=complaint):
        tree(policy)


def test_numa_nodes_have_processors_and_memory_and_the_node_does_not() -> None:
    providers = tree(Policy(numa=True, dedicated_cpus=frozenset({3, 4, 5}), reserved_cpus=2, reserved_memory_mb=513))
    assert providers[NODE].inventories.keys() == {"DISK_GB"}
    first, second = providers.children(NODE)
    assert (first.name, second.name) == ("host_numa0", "host_numa1")
    assert dict(first.inventories) == {
        "VCPU": Inventory(3, reserved=1, max_unit=3),
        "PCPU": Inventory(1, max_unit=1),
        "MEMORY_MB": Inventory(8192, reserved=257, max_unit=8192),
    }
    assert dict(second.inventories) == {
        "VCPU": Inventory(2, reserved=1, max_unit=2),
        "PCPU": Inventory(2, max_unit=2),
        "MEMORY_MB": Inventory(8192, reserved=256, max_unit=8192),
    }


def test_traits_stand_where_they_are_asked_for() -> None:
    providers = tree(Policy(numa=True))
    assert providers[NODE].traits == {"COMPUTE_NODE", "HW_CPU_X86_AVX2"}
    assert {child.traits for child in providers.children(NODE)} == {frozenset({"HW_NUMA_ROOT", "HW_CPU_X86_AVX2"})}


def test_memory_without_processors_and_nodes_without_either() -> None:
    """As with memory on an expansion bus, and with the spare nodes of some accelerators."""
    nodes = (*MACHINE.numa_nodes, NumaNode(2, frozenset(), 4096), NumaNode(3, frozenset(), 0))
    providers = tree(Policy(numa=True), replace(MACHINE, numa_nodes=nodes))
    assert [child.name for child in providers.children(NODE)] == ["host_numa0", "host_numa1", "host_numa2"]
    memory = providers.named("host_numa2")
    assert memory
    assert memory.inventories.keys() == {"MEMORY_MB"}
    assert memory.traits == {"HW_NUMA_ROOT"}


def test_nested_providers_keep_their_uuids_when_the_host_is_renamed() -> None:
    before = {child.uuid for child in tree(Policy(numa=True)).children(NODE)}
    renamed = native_providers(MACHINE, Policy(numa=True), NODE, "renamed").tree
    assert {child.uuid for child in renamed.children(NODE)} == before
    another = native_providers(MACHINE, Policy(numa=True), NODE.replace("4", "5"), "host").tree
    assert not {provider.uuid for provider in another} & before


sizes = st.lists(st.integers(0, 1000), min_size=1, max_size=8)


@given(sizes, st.data())
@effort(300)
def test_shares(sizes: list[int], data: st.DataObject) -> None:
    amount = data.draw(st.integers(0, sum(sizes)))
    parts = shares(amount, sizes)
    assert sum(parts) == amount
    for part, size in zip(parts, sizes, strict=True):
        assert 0 <= part <= size
        assert abs(part * sum(sizes) - amount * size) < max(1, sum(sizes))
