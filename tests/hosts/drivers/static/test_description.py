"""What a file may describe, and the providers that it comes to."""

from __future__ import annotations

import uuid

from moorage.hosts.drivers.driver import NativeProviders
from moorage.hosts.drivers.static.driver import described_by
from moorage.placement.model.inventory import Inventory
from tests.hosts.drivers.trees import named

AGGREGATE = "0d6f2f60-2f0c-4a9a-8f5e-3c6f0b0c7d11"
UUID = "5a0e8f7e-6d0f-4b8e-9f0a-3c1d2e4f5a6b"


def described(text: str) -> NativeProviders:
    return described_by("static.yaml", text.encode())


def test_a_node_with_everything() -> None:
    found = described(f"""
nodes:
  - name: node
    uuid: {UUID.upper()}
    inventories:
      VCPU: {{total: 64, reserved: 2, min_unit: 2, max_unit: 32, step_size: 2, allocation_ratio: 4}}
      MEMORY_MB: 1024
    traits: [HW_CPU_X86_AVX2, CUSTOM_GOLD]
    aggregates: [{AGGREGATE}]
""")
    (node,) = found.tree
    assert found.nodes == {UUID}
    assert (node.uuid, node.name, node.parent_uuid) == (UUID, "node", None)
    assert dict(node.inventories) == {
        "VCPU": Inventory(64, 2, 2, 32, 2, 4.0),
        # Placement's own defaults.
        "MEMORY_MB": Inventory(1024),
    }
    assert node.traits == {"COMPUTE_NODE", "HW_CPU_X86_AVX2", "CUSTOM_GOLD"}
    assert node.aggregates == {AGGREGATE}


def test_a_name_is_enough() -> None:
    (node,) = described("nodes: [{name: node}]").tree
    assert (node.name, node.traits) == ("node", frozenset({"COMPUTE_NODE"}))
    assert not node.inventories


def test_many_nodes_alike() -> None:
    found = described("nodes: [{name: 'node-{:04}', count: 1000, inventories: {VCPU: 8}}]")
    assert [provider.name for provider in found.tree][:2] == ["node-0001", "node-0002"]
    assert len(found.tree) == len(found.nodes) == 1000
    assert named(found.tree, "node-1000").inventories["VCPU"].total == 8


def test_the_first_number_may_be_another() -> None:
    found = described("nodes: [{name: 'n{}', count: 2, first: 0}, {name: 'n{}', count: 2, first: 40}]")
    assert [provider.name for provider in found.tree] == ["n0", "n1", "n40", "n41"]


def test_children_of_many_to_any_depth() -> None:
    found = described("""
nodes:
  - name: node-{}
    count: 2
    children:
      - name: "{parent}_numa{}"
        count: 2
        first: 0
        traits: [HW_NUMA_ROOT]
        children:
          - name: "{parent}_gpu"
            inventories: {PGPU: 1}
""")
    assert len(found.tree) == 2 * (1 + 2 * (1 + 1))
    assert {found.tree[uuid].name for uuid in found.nodes} == {"node-1", "node-2"}
    gpu = named(found.tree, "node-2_numa1_gpu")
    numa = named(found.tree, "node-2_numa1")
    assert gpu.parent_uuid == numa.uuid
    assert numa.parent_uuid == named(found.tree, "node-2").uuid
    # Being a compute node is a matter of roots.
    assert gpu.traits == frozenset()
    assert numa.traits == {"HW_NUMA_ROOT"}


def test_providers_that_are_no_nodes() -> None:
    found = described("providers: [{name: storage, inventories: {DISK_GB: 5}, traits: [MISC_SHARES_VIA_AGGREGATE]}]")
    (storage,) = found.tree
    assert storage.traits == {"MISC_SHARES_VIA_AGGREGATE"}
    assert found.nodes == frozenset()


def test_uuids_are_made_from_names_and_so_the_same_in_every_file() -> None:
    here = described("nodes: [{name: node-2, children: [{name: '{parent}_a'}]}]")
    there = described("nodes: [{name: 'node-{}', count: 3, children: [{name: '{parent}_a'}]}]")
    for name in ("node-2", "node-2_a"):
        assert named(here.tree, name).uuid == named(there.tree, name).uuid
    assert len({provider.uuid for provider in there.tree}) == 6
    assert {uuid.UUID(provider.uuid).version for provider in there.tree} == {5}


def test_children_keep_their_uuids_when_a_node_with_a_uuid_is_renamed() -> None:
    before, after = (
        described(f"nodes: [{{name: {name}, uuid: {UUID}, children: [{{name: '{{parent}}_a'}}]}}]").tree
        for name in ("old", "new")
    )
    assert named(before, "old_a").uuid == named(after, "new_a").uuid


def test_anchors_save_repetition() -> None:
    found = described("nodes: [{name: a, inventories: &all {VCPU: 1}}, {name: b, inventories: *all}]")
    assert [provider.inventories["VCPU"].total for provider in found.tree] == [1, 1]


def test_empty_lists_describe_nothing() -> None:
    assert len(described("nodes: []\nproviders: []").tree) == 0
