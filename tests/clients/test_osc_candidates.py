"""Allocation candidates, as a user of the `openstack` command sees them.

The cloud: two hosts, the second of which has two GPUs as children; both are in the zone, the first alone in the rack.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients.openstack_command import OpenStack
from tests.clients.running_service import RunningService, remove_everything

HOST = "3f1d2c6a-0000-4000-8000-000000000001"
GPU_HOST = "3f1d2c6a-0000-4000-8000-000000000002"
GPU_0 = "3f1d2c6a-0000-4000-8000-000000000020"
GPU_1 = "3f1d2c6a-0000-4000-8000-000000000021"

RACK = "a66e0000-0000-4000-8000-000000000001"
ZONE = "a66e0000-0000-4000-8000-000000000002"


@pytest.fixture(scope="module")
def openstack(shell: OpenStack, service: RunningService) -> OpenStack:
    """The command on a cloud that is made once, since nothing here changes it."""
    remove_everything(service)
    for name, uuid in (("az1-compute-01", HOST), ("az1-gpu-01", GPU_HOST)):
        shell.shows(f"resource provider create {name} --uuid {uuid}")
        shell.shows(f"resource provider inventory set {uuid} --resource VCPU=8 --resource MEMORY_MB=4096")
    for name, uuid in (("az1-gpu-01_0", GPU_0), ("az1-gpu-01_1", GPU_1)):
        shell.shows(f"resource provider create {name} --uuid {uuid} --parent-provider {GPU_HOST}")
        shell.shows(f"resource provider inventory set {uuid} --resource VGPU=4")
    shell.shows(f"resource provider trait set {HOST} --trait HW_CPU_X86_AVX")
    shell.shows(f"resource provider trait set {GPU_HOST} --trait HW_CPU_X86_AVX --trait HW_CPU_X86_AVX2")
    shell.shows(f"resource provider aggregate set {HOST} --aggregate {RACK} --aggregate {ZONE}", "1.1")
    shell.shows(f"resource provider aggregate set {GPU_HOST} --aggregate {ZONE}", "1.1")
    return shell


def candidates(rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Of each candidate the providers with what each of them gives, in an order that does not depend on the search."""
    found: dict[int, dict[str, str]] = {}
    for row in rows:
        found.setdefault(row["#"], {})[row["resource provider"]] = row["allocation"]
    return sorted(found.values(), key=lambda candidate: sorted(candidate.items()))


def providers(rows: list[dict[str, Any]]) -> set[str]:
    return {row["resource provider"] for row in rows}


def test_a_candidate_is_shown_with_what_is_used_and_what_there_is(openstack: OpenStack) -> None:
    [row] = openstack.shows(f"allocation candidate list --resource VCPU=2 --member-of {RACK}", "1.28")
    amounts = row.pop("inventory used/capacity")
    assert set(amounts.split(",")) == {"VCPU=0/8", "MEMORY_MB=0/4096"}
    assert row == {"#": 1, "allocation": "VCPU=2", "resource provider": HOST, "traits": "HW_CPU_X86_AVX"}


@pytest.mark.parametrize("version", ["1.10", "1.12", "1.16"])
def test_before_1_17_traits_are_not_shown(openstack: OpenStack, version: str) -> None:
    rows = openstack.shows("allocation candidate list --resource VCPU=2", version)
    assert providers(rows) == {HOST, GPU_HOST}
    assert set(rows[0]) == {"#", "allocation", "resource provider", "inventory used/capacity"}


def test_several_resources_come_together(openstack: OpenStack) -> None:
    rows = openstack.shows("allocation candidate list --resource VCPU=2 --resource MEMORY_MB=512", "1.14")
    assert [set(candidate) for candidate in candidates(rows)] == [{HOST}, {GPU_HOST}]
    assert set(rows[0]["allocation"].split(",")) == {"VCPU=2", "MEMORY_MB=512"}
    assert openstack.shows("allocation candidate list --resource VCPU=9") == []


def test_no_more_than_the_limit_are_listed(openstack: OpenStack) -> None:
    assert len(openstack.shows("allocation candidate list --resource VCPU=2 --limit 1", "1.16")) == 1


def test_traits_choose_among_the_candidates(openstack: OpenStack) -> None:
    def found(filters: str, version: str) -> set[str]:
        return providers(openstack.shows(f"allocation candidate list --resource VCPU=2 {filters}", version))

    assert found("--required HW_CPU_X86_AVX", "1.17") == {HOST, GPU_HOST}
    assert found("--required HW_CPU_X86_AVX --required HW_CPU_X86_AVX2", "1.17") == {GPU_HOST}
    assert found("--required HW_CPU_X86_AVX --forbidden HW_CPU_X86_AVX2", "1.22") == {HOST}
    assert found("--required HW_CPU_X86_AVX2,HW_CPU_X86_SSE", "1.39") == {GPU_HOST}


def test_aggregates_choose_among_the_candidates(openstack: OpenStack) -> None:
    def found(filters: str, version: str) -> set[str]:
        return providers(openstack.shows(f"allocation candidate list --resource VCPU=2 {filters}", version))

    assert found(f"--member-of {RACK}", "1.21") == {HOST}
    assert found(f"--member-of {RACK},{ZONE}", "1.21") == {HOST, GPU_HOST}
    assert found(f"--member-of {ZONE} --member-of {RACK}", "1.24") == {HOST}
    assert found(f"--aggregate-uuid {RACK} --aggregate-uuid {ZONE}", "1.28") == {HOST, GPU_HOST}


@pytest.mark.parametrize("version", ["1.29", "1.39"])
def test_groups_may_share_a_provider(openstack: OpenStack, version: str) -> None:
    groups = "--group 1 --resource VGPU=1 --group 2 --resource VGPU=2"
    found = candidates(openstack.shows(f"allocation candidate list {groups} --group-policy none", version))
    assert found == [
        {GPU_0: "VGPU=1", GPU_1: "VGPU=2"},
        {GPU_0: "VGPU=2", GPU_1: "VGPU=1"},
        {GPU_0: "VGPU=3"},
        {GPU_1: "VGPU=3"},
    ]


@pytest.mark.parametrize("version", ["1.29", "1.39"])
def test_groups_may_be_kept_apart(openstack: OpenStack, version: str) -> None:
    groups = "--group 1 --resource VGPU=1 --group 2 --resource VGPU=2"
    found = candidates(openstack.shows(f"allocation candidate list {groups} --group-policy isolate", version))
    assert found == [{GPU_0: "VGPU=1", GPU_1: "VGPU=2"}, {GPU_0: "VGPU=2", GPU_1: "VGPU=1"}]


def test_each_group_has_its_own_conditions(openstack: OpenStack) -> None:
    rows = openstack.shows(
        f"allocation candidate list --group 1 --resource VCPU=4 --required HW_CPU_X86_AVX2 --member-of {ZONE}"
        " --group 2 --resource VGPU=4 --forbidden HW_CPU_X86_AVX2"
    )
    assert candidates(rows) == [{GPU_HOST: "VCPU=4", GPU_0: "VGPU=4"}, {GPU_HOST: "VCPU=4", GPU_1: "VGPU=4"}]


def test_before_1_29_a_candidate_stays_within_one_provider(openstack: OpenStack) -> None:
    groups = "--group 1 --resource VCPU=1 --group 2 --resource VGPU=1"
    assert openstack.shows(f"allocation candidate list {groups}", "1.28") == []


def test_a_question_that_makes_no_sense_is_refused(openstack: OpenStack) -> None:
    error = openstack.refuses("allocation candidate list --resource VCPU=2 --required CUSTOM_UNHEARD_OF")
    assert error == "No such trait(s): CUSTOM_UNHEARD_OF. (HTTP 400)"
    error = openstack.refuses("allocation candidate list --resource CUSTOM_UNHEARD_OF=2")
    assert error.startswith("Invalid resource class in resources parameter:")
