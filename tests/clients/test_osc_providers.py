"""Resource providers, their trees, aggregates and traits, as a user of the `openstack` command sees them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients.openstack_command import OpenStack

HOST = "3f1d2c6a-0000-4000-8000-000000000001"
OTHER_HOST = "3f1d2c6a-0000-4000-8000-000000000002"
NUMA_NODE = "3f1d2c6a-0000-4000-8000-000000000011"

RACK = "a66e0000-0000-4000-8000-000000000001"
ZONE = "a66e0000-0000-4000-8000-000000000002"


@pytest.fixture
def host(openstack: OpenStack) -> str:
    openstack.shows(f"resource provider create az1-compute-01 --uuid {HOST}")
    return HOST


@pytest.fixture
def other_host(openstack: OpenStack) -> str:
    openstack.shows(f"resource provider create az1-compute-02 --uuid {OTHER_HOST}")
    return OTHER_HOST


@pytest.fixture
def numa_node(openstack: OpenStack, host: str) -> str:
    openstack.shows(f"resource provider create az1-compute-01_NUMA0 --uuid {NUMA_NODE} --parent-provider {host}")
    return NUMA_NODE


def names(rows: list[dict[str, Any]]) -> set[str]:
    return {row["name"] for row in rows}


def test_a_new_provider_is_shown(openstack: OpenStack) -> None:
    created = openstack.shows("resource provider create az1-compute-01")
    assert created == {
        "uuid": created["uuid"],
        "name": "az1-compute-01",
        "generation": 0,
        "root_provider_uuid": created["uuid"],
        "parent_provider_uuid": None,
    }
    assert openstack.shows(f"resource provider show {created['uuid']}") == created
    assert openstack.shows("resource provider list") == [created]


@pytest.mark.parametrize("version", ["1.0", "1.13"])
def test_before_1_14_there_are_no_trees(openstack: OpenStack, version: str) -> None:
    flat = {"uuid": HOST, "name": "az1-compute-01", "generation": 0}
    assert openstack.shows(f"resource provider create az1-compute-01 --uuid {HOST}", version) == flat
    assert openstack.shows(f"resource provider show {HOST}", version) == flat
    assert openstack.shows("resource provider list", version) == [flat]
    assert openstack.shows(f"resource provider set {HOST} --name renamed", version) == {**flat, "name": "renamed"}


@pytest.mark.parametrize("version", ["1.14", "1.28", "1.39"])
def test_a_child_belongs_to_the_tree_of_its_parent(openstack: OpenStack, host: str, version: str) -> None:
    child = openstack.shows(f"resource provider create az1-compute-01_NUMA0 --parent-provider {host}", version)
    assert child["parent_provider_uuid"] == child["root_provider_uuid"] == host
    openstack.shows("resource provider create az1-compute-02", version)
    tree = openstack.shows(f"resource provider list --in-tree {child['uuid']}", version)
    assert names(tree) == {"az1-compute-01", "az1-compute-01_NUMA0"}


def test_a_provider_is_renamed(openstack: OpenStack, host: str) -> None:
    assert openstack.shows(f"resource provider set {host} --name az2-compute-07")["name"] == "az2-compute-07"
    assert openstack.shows(f"resource provider show {host}")["name"] == "az2-compute-07"


def test_a_provider_without_a_parent_gets_one(openstack: OpenStack, host: str, other_host: str) -> None:
    adopted = openstack.shows(f"resource provider set {other_host} --name child --parent-provider {host}", "1.14")
    assert adopted["parent_provider_uuid"] == host


def test_another_parent_is_possible_since_1_37(
    openstack: OpenStack, host: str, other_host: str, numa_node: str
) -> None:
    move = f"resource provider set {numa_node} --name moved --parent-provider {other_host}"
    assert "re-parenting a provider is not currently allowed. (HTTP 400)" in openstack.refuses(move, "1.29")
    assert openstack.shows(move, "1.38")["root_provider_uuid"] == other_host
    assert names(openstack.shows(f"resource provider list --in-tree {host}")) == {"az1-compute-01"}


def test_a_provider_never_becomes_its_own_ancestor(openstack: OpenStack, host: str, numa_node: str) -> None:
    loop = f"resource provider set {host} --name az1-compute-01 --parent-provider {numa_node}"
    assert "creating loop in the provider tree is not allowed. (HTTP 400)" in openstack.refuses(loop, "1.38")


def test_a_provider_is_deleted(openstack: OpenStack, host: str) -> None:
    openstack.does(f"resource provider delete {host}")
    assert openstack.shows("resource provider list") == []


def test_a_provider_with_children_is_not_deleted(openstack: OpenStack, host: str, numa_node: str) -> None:
    error = openstack.refuses(f"resource provider delete {host}")
    assert error.endswith("It has child resource providers. (HTTP 409)")


def test_providers_are_found_by_name_and_uuid(openstack: OpenStack, host: str, other_host: str) -> None:
    assert names(openstack.shows("resource provider list --name az1-compute-02", "1.0")) == {"az1-compute-02"}
    assert names(openstack.shows(f"resource provider list --uuid {host}", "1.0")) == {"az1-compute-01"}
    assert openstack.shows(f"resource provider list --uuid {host} --name az1-compute-02", "1.0") == []


def test_providers_are_found_by_what_they_can_still_give(openstack: OpenStack, host: str, other_host: str) -> None:
    openstack.shows(f"resource provider inventory set {host} --resource VCPU=8 --resource MEMORY_MB=4096")
    openstack.shows(f"resource provider inventory set {other_host} --resource VCPU=16")
    assert names(openstack.shows("resource provider list --resource VCPU=16", "1.4")) == {"az1-compute-02"}
    assert names(openstack.shows("resource provider list --resource VCPU=8 --resource MEMORY_MB=4096")) == {
        "az1-compute-01"
    }
    assert openstack.shows("resource provider list --resource VCPU=17") == []
    assert "Invalid resource class in resources parameter" in openstack.refuses(
        "resource provider list --resource CUSTOM_NOTHING=1"
    )


def test_providers_are_found_by_their_traits(openstack: OpenStack, host: str, other_host: str) -> None:
    openstack.shows(f"resource provider trait set {host} --trait HW_CPU_X86_AVX --trait HW_CPU_X86_SSE")
    openstack.shows(f"resource provider trait set {other_host} --trait HW_CPU_X86_AVX --trait HW_CPU_X86_AVX2")

    def found(filters: str, version: str) -> set[str]:
        return names(openstack.shows(f"resource provider list {filters}", version))

    assert found("--required HW_CPU_X86_AVX", "1.18") == {"az1-compute-01", "az1-compute-02"}
    assert found("--required HW_CPU_X86_AVX --required HW_CPU_X86_AVX2", "1.18") == {"az1-compute-02"}
    assert found("--forbidden HW_CPU_X86_AVX2", "1.22") == {"az1-compute-01"}
    assert found("--required HW_CPU_X86_AVX --forbidden HW_CPU_X86_SSE", "1.28") == {"az1-compute-02"}
    assert found("--required HW_CPU_X86_SSE,HW_CPU_X86_AVX2", "1.39") == {"az1-compute-01", "az1-compute-02"}
    assert found("--required HW_CPU_X86_SSE,HW_CPU_X86_AVX2 --forbidden HW_CPU_X86_SSE", "1.39") == {"az1-compute-02"}


def test_providers_are_found_by_their_aggregates(openstack: OpenStack, host: str, other_host: str) -> None:
    openstack.shows(f"resource provider aggregate set {host} --aggregate {RACK} --aggregate {ZONE}", "1.1")
    openstack.shows(f"resource provider aggregate set {other_host} --aggregate {ZONE}", "1.1")

    def found(filters: str, version: str) -> set[str]:
        return names(openstack.shows(f"resource provider list {filters}", version))

    assert found(f"--member-of {RACK}", "1.3") == {"az1-compute-01"}
    assert found(f"--member-of {RACK},{ZONE}", "1.14") == {"az1-compute-01", "az1-compute-02"}
    assert found(f"--member-of {ZONE} --member-of {RACK}", "1.24") == {"az1-compute-01"}
    assert found(f"--aggregate-uuid {RACK} --aggregate-uuid {ZONE}", "1.28") == {"az1-compute-01", "az1-compute-02"}


def test_aggregates_are_replaced_as_a_whole(openstack: OpenStack, host: str) -> None:
    both = f"resource provider aggregate set {host} --aggregate {RACK} --aggregate {ZONE} --generation 0"
    assert {row["uuid"] for row in openstack.shows(both)} == {RACK, ZONE}
    assert openstack.shows(f"resource provider aggregate set {host} --aggregate {ZONE} --generation 1") == [
        {"uuid": ZONE}
    ]
    assert openstack.shows(f"resource provider aggregate list {host}") == [{"uuid": ZONE}]
    assert openstack.shows(f"resource provider aggregate set {host} --generation 2") == []
    assert openstack.shows(f"resource provider aggregate list {host}", "1.1") == []


def test_aggregates_are_guarded_by_the_generation_since_1_19(openstack: OpenStack, host: str) -> None:
    openstack.shows(f"resource provider aggregate set {host} --aggregate {RACK}", "1.14")
    error = openstack.refuses(f"resource provider aggregate set {host} --aggregate {ZONE} --generation 5", "1.28")
    assert error.endswith("(HTTP 409)")
    assert openstack.shows(f"resource provider aggregate list {host}") == [{"uuid": RACK}]


def test_traits_of_a_provider_are_replaced_as_a_whole(openstack: OpenStack, host: str) -> None:
    openstack.does("trait create CUSTOM_GOLD")
    both = f"resource provider trait set {host} --trait CUSTOM_GOLD --trait HW_CPU_X86_VMX"
    assert names(openstack.shows(both, "1.6")) == {"CUSTOM_GOLD", "HW_CPU_X86_VMX"}
    assert openstack.shows(f"resource provider trait set {host} --trait CUSTOM_GOLD") == [{"name": "CUSTOM_GOLD"}]
    assert openstack.shows(f"resource provider trait list {host}") == [{"name": "CUSTOM_GOLD"}]
    openstack.does(f"resource provider trait delete {host}")
    assert openstack.shows(f"resource provider trait list {host}") == []


def test_a_provider_gets_only_traits_that_exist(openstack: OpenStack, host: str) -> None:
    error = openstack.refuses(f"resource provider trait set {host} --trait CUSTOM_UNHEARD_OF")
    assert "No such trait" in error
    assert "CUSTOM_UNHEARD_OF" in error
    assert error.endswith("(HTTP 400)")
