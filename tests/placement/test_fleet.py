"""GET /moorage/fleet: every tree as one entry in columns."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from tests.placement.bulk import item, uuid_of, write
from tests.placement.rest import Api

RACK, ROW = (str(UUID(int=number)) for number in (0xA, 0xB))
FAST, SAFE = "HW_CPU_X86_AVX", "HW_CPU_X86_SGX"


@pytest.fixture
def fleet(api: Api) -> Any:
    stock = {"VCPU": {"total": 10, "reserved": 2, "allocation_ratio": 2.0}}
    write(
        api,
        item("berth", inventories={"DISK_GB": {"total": 7}}, traits=[FAST], aggregates=[RACK]),
        item("berth-1", "berth", inventories=stock, traits=[FAST, SAFE]),
        item("berth-2", "berth", inventories=stock),
        item("anchor", inventories=stock, traits=[FAST, SAFE], aggregates=[ROW]),
        item("empty"),
    )
    api.allocate({uuid_of("berth-1"): {"VCPU": 5}, uuid_of("anchor"): {"VCPU": 1}})
    return api.get("/moorage/fleet")


def test_each_tree_is_there_once_by_name(fleet: Any) -> None:
    assert fleet["trees"]["name"] == ["anchor", "berth", "empty"]
    assert fleet["trees"]["uuid"] == [uuid_of(name) for name in ("anchor", "berth", "empty")]
    assert fleet["trees"]["providers"] == [1, 3, 1]


def test_what_the_providers_of_a_tree_have_is_added_up(fleet: Any) -> None:
    assert fleet["resources"] == {
        "VCPU": {
            "tree": [0, 1],
            "total": [10, 20],
            "reserved": [2, 4],
            "capacity": [16, 32],
            "used": [1, 5],
            "largest_free": [15, 16],
        },
        "DISK_GB": {
            "tree": [1],
            "total": [7],
            "reserved": [0],
            "capacity": [7],
            "used": [0],
            "largest_free": [7],
        },
    }


def test_traits_and_aggregates_are_told_as_sets_that_trees_share(fleet: Any) -> None:
    trees = fleet["trees"]
    assert [set(fleet["trait_sets"][number]) for number in trees["traits"]] == [{FAST, SAFE}, {FAST, SAFE}, set()]
    assert len(fleet["trait_sets"]) == 2
    assert [fleet["aggregate_sets"][number] for number in trees["aggregates"]] == [[ROW], [RACK], []]


def test_of_an_empty_cloud_the_columns_are_empty(api: Api) -> None:
    fleet = api.get("/moorage/fleet")
    assert fleet["trees"]["name"] == []
    assert fleet["resources"] == {}


def test_there_are_no_parameters(api: Api) -> None:
    reply = api.send("GET", "/moorage/fleet", query={"name": "x"})
    assert reply.status == 400
    assert "Invalid query string parameters" in reply.detail
