"""Inventories of one provider or of a whole aggregate, as a user of the `openstack` command sees them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients.openstack_command import OpenStack

ZONE = "a66e0000-0000-4000-8000-000000000002"
SERVER = "c0450000-0000-4000-8000-000000000001"
OWNER = "--project-id 0e1f4a --user-id 5c9b7d"

MAX_UNIT = 2147483647
DEFAULTS = {"allocation_ratio": 1.0, "min_unit": 1, "max_unit": MAX_UNIT, "reserved": 0, "step_size": 1}


@pytest.fixture
def host(openstack: OpenStack) -> str:
    uuid: str = openstack.shows("resource provider create az1-compute-01")["uuid"]
    return uuid


@pytest.fixture
def other_host(openstack: OpenStack) -> str:
    uuid: str = openstack.shows("resource provider create az1-compute-02")["uuid"]
    return uuid


@pytest.fixture
def zone(openstack: OpenStack, host: str, other_host: str) -> str:
    for member in (host, other_host):
        openstack.shows(f"resource provider aggregate set {member} --aggregate {ZONE} --generation 0")
    return ZONE


def totals(rows: list[dict[str, Any]]) -> dict[str, int]:
    return {row["resource_class"]: row["total"] for row in rows}


@pytest.mark.parametrize("version", ["1.0", "1.14", "1.28", "1.39"])
def test_only_the_total_is_needed(openstack: OpenStack, host: str, version: str) -> None:
    inventory = {"resource_class": "VCPU", **DEFAULTS, "total": 16}
    assert openstack.shows(f"resource provider inventory set {host} --resource VCPU=16", version) == [inventory]
    assert openstack.shows(f"resource provider inventory list {host}", version) == [{**inventory, "used": 0}]


def test_every_field_can_be_given(openstack: OpenStack, host: str) -> None:
    shown = openstack.shows(
        f"resource provider inventory set {host} --resource MEMORY_MB:total=4096 --resource MEMORY_MB:reserved=512"
        " --resource MEMORY_MB:allocation_ratio=1.5 --resource MEMORY_MB:min_unit=128"
        " --resource MEMORY_MB:max_unit=2048 --resource MEMORY_MB:step_size=64"
    )
    fields = {"total": 4096, "reserved": 512, "allocation_ratio": 1.5, "min_unit": 128, "max_unit": 2048}
    assert shown == [{"resource_class": "MEMORY_MB", **fields, "step_size": 64}]


def test_inventories_are_replaced_unless_they_are_amended(openstack: OpenStack, host: str) -> None:
    openstack.shows(f"resource provider inventory set {host} --resource VCPU=16 --resource VCPU:reserved=2")
    amended = openstack.shows(f"resource provider inventory set {host} --amend --resource DISK_GB=500")
    assert totals(amended) == {"VCPU": 16, "DISK_GB": 500}
    openstack.shows(f"resource provider inventory set {host} --amend --resource VCPU:allocation_ratio=4.0")
    vcpu = openstack.shows(f"resource provider inventory show {host} VCPU")
    assert vcpu == {**DEFAULTS, "total": 16, "reserved": 2, "allocation_ratio": 4.0, "used": 0}
    assert totals(openstack.shows(f"resource provider inventory set {host} --resource DISK_GB=10")) == {"DISK_GB": 10}


def test_a_dry_run_changes_nothing(openstack: OpenStack, host: str) -> None:
    openstack.shows(f"resource provider inventory set {host} --resource VCPU=16")
    would_be = openstack.shows(f"resource provider inventory set {host} --amend --dry-run --resource DISK_GB=500")
    assert totals(would_be) == {"VCPU": 16, "DISK_GB": 500}
    assert totals(openstack.shows(f"resource provider inventory list {host}")) == {"VCPU": 16}


@pytest.mark.parametrize("version", ["1.3", "1.29", "1.39"])
def test_the_members_of_an_aggregate_are_set_together(
    openstack: OpenStack, zone: str, host: str, other_host: str, version: str
) -> None:
    rows = openstack.shows(f"resource provider inventory set {zone} --aggregate --resource VCPU=8", version)
    assert {(row["resource_provider"], row["total"]) for row in rows} == {(host, 8), (other_host, 8)}


def test_the_members_of_an_aggregate_are_amended_together(
    openstack: OpenStack, zone: str, host: str, other_host: str
) -> None:
    openstack.shows(f"resource provider inventory set {host} --resource VCPU=8")
    openstack.shows(f"resource provider inventory set {other_host} --resource VCPU=16")
    openstack.shows(f"resource provider inventory set {zone} --aggregate --amend --resource DISK_GB=500")
    assert totals(openstack.shows(f"resource provider inventory list {host}")) == {"VCPU": 8, "DISK_GB": 500}
    assert totals(openstack.shows(f"resource provider inventory list {other_host}")) == {"VCPU": 16, "DISK_GB": 500}


def test_the_members_of_an_aggregate_fail_one_by_one(
    openstack: OpenStack, zone: str, host: str, other_host: str
) -> None:
    openstack.shows(f"resource provider inventory set {host} --resource VCPU=8")
    openstack.shows(f"resource provider allocation set {SERVER} --allocation rp={host},VCPU=1 {OWNER}")
    error = openstack.refuses(f"resource provider inventory set {zone} --aggregate --resource DISK_GB=500")
    assert f"Failed to set inventory for resource provider {host}:" in error
    assert error.endswith("Failed to set inventory for 1 of 2 resource providers.")
    assert totals(openstack.shows(f"resource provider inventory list {other_host}")) == {"DISK_GB": 500}


def test_one_class_is_set_alone(openstack: OpenStack, host: str) -> None:
    openstack.shows(f"resource provider inventory set {host} --resource VCPU=16 --resource DISK_GB=500")
    options = "--total 32 --reserved 1 --min_unit 2 --max_unit 8 --step_size 2 --allocation_ratio 2.5"
    vcpu = {"total": 32, "reserved": 1, "min_unit": 2, "max_unit": 8, "step_size": 2, "allocation_ratio": 2.5}
    assert openstack.shows(f"resource provider inventory class set {host} VCPU {options}", "1.0") == vcpu
    assert openstack.shows(f"resource provider inventory show {host} VCPU", "1.0") == {**vcpu, "used": 0}
    assert totals(openstack.shows(f"resource provider inventory list {host}")) == {"VCPU": 32, "DISK_GB": 500}


def test_one_class_is_deleted_alone(openstack: OpenStack, host: str) -> None:
    openstack.shows(f"resource provider inventory set {host} --resource VCPU=16 --resource DISK_GB=500")
    openstack.does(f"resource provider inventory delete {host} --resource-class VCPU", "1.0")
    assert totals(openstack.shows(f"resource provider inventory list {host}")) == {"DISK_GB": 500}
    error = openstack.refuses(f"resource provider inventory show {host} VCPU")
    assert error == f"No inventory of class VCPU for {host} (HTTP 404)"


def test_all_classes_are_deleted_together_since_1_5(openstack: OpenStack, host: str) -> None:
    openstack.shows(f"resource provider inventory set {host} --resource VCPU=16 --resource DISK_GB=500")
    assert "--resource-class" in openstack.refuses(f"resource provider inventory delete {host}", "1.4")
    openstack.does(f"resource provider inventory delete {host}", "1.5")
    assert openstack.shows(f"resource provider inventory list {host}") == []


def test_what_is_in_use_is_not_deleted(openstack: OpenStack, host: str) -> None:
    openstack.shows(f"resource provider inventory set {host} --resource VCPU=16")
    openstack.shows(f"resource provider allocation set {SERVER} --allocation rp={host},VCPU=4 {OWNER}")
    assert openstack.shows(f"resource provider inventory show {host} VCPU")["used"] == 4
    for command in (
        f"resource provider inventory delete {host} --resource-class VCPU",
        f"resource provider inventory delete {host}",
        f"resource provider inventory set {host} --resource DISK_GB=500",
    ):
        error = openstack.refuses(command)
        assert "VCPU" in error
        assert "in use" in error
        assert error.endswith("(HTTP 409)")


def test_a_provider_cannot_keep_more_for_itself_than_it_has(openstack: OpenStack, host: str) -> None:
    command = f"resource provider inventory class set {host} VCPU --total 4 --reserved 5"
    assert openstack.refuses(command).endswith("(HTTP 400)")
    assert openstack.shows(f"resource provider inventory list {host}") == []


def test_an_unknown_class_is_refused(openstack: OpenStack, host: str) -> None:
    error = openstack.refuses(f"resource provider inventory set {host} --resource CUSTOM_UNHEARD_OF=1")
    assert "CUSTOM_UNHEARD_OF" in error
    assert error.endswith("(HTTP 400)")
