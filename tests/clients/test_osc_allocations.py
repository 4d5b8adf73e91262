"""Allocations and usages, as a user of the `openstack` command sees them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients.openstack_command import OpenStack

HOST = "3f1d2c6a-0000-4000-8000-000000000001"
STORAGE = "3f1d2c6a-0000-4000-8000-000000000002"

SERVER = "c0450000-0000-4000-8000-000000000001"
OTHER_SERVER = "c0450000-0000-4000-8000-000000000002"

OWNER = "--project-id astronomy --user-id tycho"


@pytest.fixture(autouse=True)
def cloud(openstack: OpenStack) -> None:
    openstack.shows(f"resource provider create az1-compute-01 --uuid {HOST}")
    openstack.shows(f"resource provider inventory set {HOST} --resource VCPU=8 --resource MEMORY_MB=4096")
    openstack.shows(f"resource provider create az1-storage --uuid {STORAGE}")
    openstack.shows(f"resource provider inventory set {STORAGE} --resource DISK_GB=1000")


def held(rows: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    return {row["resource_provider"]: row["resources"] for row in rows}


def usages(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {row["resource_class"]: row["usage"] for row in rows}


def test_a_consumer_holds_resources_of_several_providers(openstack: OpenStack) -> None:
    wanted = {HOST: {"VCPU": 2, "MEMORY_MB": 1024}, STORAGE: {"DISK_GB": 100}}
    claimed = openstack.shows(
        f"resource provider allocation set {SERVER} --allocation rp={HOST},VCPU=2,MEMORY_MB=1024"
        f" --allocation rp={STORAGE},DISK_GB=100 {OWNER}"
    )
    assert held(claimed) == wanted
    assert {(row["project_id"], row["user_id"]) for row in claimed} == {("astronomy", "tycho")}
    assert openstack.shows(f"resource provider allocation show {SERVER}") == claimed


def test_a_provider_shows_who_holds_its_resources(openstack: OpenStack) -> None:
    openstack.shows(f"resource provider allocation set {SERVER} --allocation rp={HOST},VCPU=2 {OWNER}", "1.14")
    openstack.shows(f"resource provider allocation set {OTHER_SERVER} --allocation rp={HOST},VCPU=3 {OWNER}", "1.14")
    shown = openstack.shows(f"resource provider show {HOST} --allocations", "1.14")
    assert shown["allocations"] == {SERVER: {"resources": {"VCPU": 2}}, OTHER_SERVER: {"resources": {"VCPU": 3}}}


def test_what_is_held_is_replaced_as_a_whole(openstack: OpenStack) -> None:
    openstack.shows(f"resource provider allocation set {SERVER} --allocation rp={HOST},VCPU=2,MEMORY_MB=512 {OWNER}")
    claimed = openstack.shows(f"resource provider allocation set {SERVER} --allocation rp={HOST},VCPU=4 {OWNER}")
    assert held(claimed) == {HOST: {"VCPU": 4}}


def test_in_1_0_a_consumer_belongs_to_nobody(openstack: OpenStack) -> None:
    claimed = openstack.shows(f"resource provider allocation set {SERVER} --allocation rp={HOST},VCPU=2", "1.0")
    assert claimed == [{"resource_provider": HOST, "generation": 2, "resources": {"VCPU": 2}}]
    assert openstack.shows(f"resource provider allocation show {SERVER}", "1.0") == claimed


@pytest.mark.parametrize("version", ["1.14", "1.28", "1.37"])
def test_before_1_38_a_consumer_has_no_type(openstack: OpenStack, version: str) -> None:
    command = f"resource provider allocation set {SERVER} --allocation rp={HOST},VCPU=2 {OWNER}"
    shown = {"resource_provider": HOST, "generation": 2, "resources": {"VCPU": 2}}
    assert openstack.shows(command, version) == [{**shown, "project_id": "astronomy", "user_id": "tycho"}]
    assert openstack.shows(f"resource provider allocation show {SERVER}", "1.39")[0]["consumer_type"] == "unknown"


@pytest.mark.parametrize("version", ["1.38", "1.39"])
def test_since_1_38_a_consumer_has_a_type(openstack: OpenStack, version: str) -> None:
    command = f"resource provider allocation set {SERVER} --allocation rp={HOST},VCPU=2 {OWNER}"
    assert openstack.shows(f"{command} --consumer-type INSTANCE", version)[0]["consumer_type"] == "INSTANCE"
    assert openstack.shows(f"{command} --consumer-type MIGRATION", version)[0]["consumer_type"] == "MIGRATION"


def test_nobody_gets_more_than_there_is(openstack: OpenStack) -> None:
    error = openstack.refuses(f"resource provider allocation set {SERVER} --allocation rp={HOST},VCPU=9 {OWNER}")
    assert error.startswith("Unable to allocate inventory:")
    assert HOST in error
    assert error.endswith("(HTTP 409)")
    assert openstack.shows(f"resource provider allocation show {SERVER}") == []


def test_nobody_gets_anything_from_an_unknown_provider(openstack: OpenStack) -> None:
    error = openstack.refuses(f"resource provider allocation set {SERVER} --allocation rp={SERVER},VCPU=1 {OWNER}")
    assert error == f"Allocation for resource provider '{SERVER}' that does not exist. (HTTP 400)"


@pytest.mark.parametrize("version", ["1.12", "1.28", "1.38"])
@pytest.mark.parametrize(
    ("options", "left"),
    [
        (f"--provider {HOST}", {STORAGE: {"DISK_GB": 100}}),
        ("--resource-class VCPU", {HOST: {"MEMORY_MB": 512}, STORAGE: {"DISK_GB": 100}}),
        (
            f"--provider {STORAGE} --resource-class VCPU",
            {HOST: {"VCPU": 2, "MEMORY_MB": 512}, STORAGE: {"DISK_GB": 100}},
        ),
        (f"--provider {STORAGE} --resource-class DISK_GB", {HOST: {"VCPU": 2, "MEMORY_MB": 512}}),
    ],
)
def test_a_part_of_what_is_held_is_given_back(
    openstack: OpenStack, version: str, options: str, left: dict[str, dict[str, int]]
) -> None:
    openstack.shows(
        f"resource provider allocation set {SERVER} --allocation rp={HOST},VCPU=2,MEMORY_MB=512"
        f" --allocation rp={STORAGE},DISK_GB=100 {OWNER} --consumer-type INSTANCE",
        "1.38",
    )
    assert held(openstack.shows(f"resource provider allocation unset {SERVER} {options}", version)) == left


@pytest.mark.parametrize("command", ["unset", "delete"])
def test_everything_is_given_back(openstack: OpenStack, command: str) -> None:
    openstack.shows(f"resource provider allocation set {SERVER} --allocation rp={HOST},VCPU=2 {OWNER}")
    if command == "delete":
        openstack.does(f"resource provider allocation delete {SERVER}")
    else:
        assert openstack.shows(f"resource provider allocation unset {SERVER}") == []
    assert openstack.shows(f"resource provider allocation show {SERVER}") == []


def test_what_is_not_held_cannot_be_deleted(openstack: OpenStack) -> None:
    error = openstack.refuses(f"resource provider allocation delete {SERVER}")
    assert error == f"No allocations for consumer '{SERVER}' (HTTP 404)"


def test_a_provider_in_use_is_not_deleted(openstack: OpenStack) -> None:
    openstack.shows(f"resource provider allocation set {SERVER} --allocation rp={HOST},VCPU=2 {OWNER}")
    error = openstack.refuses(f"resource provider delete {HOST}")
    assert error.endswith("Resource provider has allocations. (HTTP 409)")


def test_the_usage_of_a_provider(openstack: OpenStack) -> None:
    openstack.shows(f"resource provider allocation set {SERVER} --allocation rp={HOST},VCPU=2 {OWNER}")
    openstack.shows(f"resource provider allocation set {OTHER_SERVER} --allocation rp={HOST},VCPU=3 {OWNER}")
    assert usages(openstack.shows(f"resource provider usage show {HOST}", "1.0")) == {"VCPU": 5, "MEMORY_MB": 0}


def test_the_usage_of_a_project(openstack: OpenStack) -> None:
    mine, hers = "--project-id astronomy --user-id tycho", "--project-id astronomy --user-id sophie"
    openstack.shows(f"resource provider allocation set {SERVER} --allocation rp={HOST},VCPU=2 {mine}")
    openstack.shows(f"resource provider allocation set {OTHER_SERVER} --allocation rp={HOST},VCPU=3 {hers}")
    assert usages(openstack.shows("resource usage show astronomy", "1.9")) == {"VCPU": 5}
    assert usages(openstack.shows("resource usage show astronomy --user-id sophie", "1.28")) == {"VCPU": 3}
    assert usages(openstack.shows("resource usage show botany")) == {}


def test_since_1_38_the_usage_of_a_project_is_told_by_type(openstack: OpenStack) -> None:
    command = f"resource provider allocation set {SERVER} --allocation rp={HOST},VCPU=2 {OWNER}"
    openstack.shows(f"{command} --consumer-type INSTANCE", "1.38")
    shown = usages(openstack.shows("resource usage show astronomy", "1.38"))
    assert shown == {"INSTANCE": {"VCPU": 2, "consumer_count": 1}}
