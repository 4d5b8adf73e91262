"""What a server would ask Placement for."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest

from tests.compute.api.people import Cloud, Person

PATH = "/moorage/placement-query"


@pytest.fixture
def flavor(admin: Person) -> str:
    wanted = {"name": "web", "vcpus": 2, "ram": 4096, "disk": 20}
    made = admin.post("/flavors", {"flavor": wanted})["flavor"]["id"]
    admin.post(f"/flavors/{made}/os-extra_specs", {"extra_specs": {"trait:STORAGE_DISK_SSD": "required"}})
    return str(made)


def test_a_flavor_is_told_as_a_query(admin: Person, flavor: str) -> None:
    told = admin.get(f"{PATH}?flavor={flavor}")
    assert told["conditions"] == []
    asked = parse_qs(told["query"])
    assert asked["resources"] == ["DISK_GB:20,MEMORY_MB:4096,VCPU:2"]
    assert asked["required"] == ["STORAGE_DISK_SSD"]


def test_a_zone_is_a_condition_with_its_reason(admin: Person, flavor: str, cloud: Cloud) -> None:
    made = admin.post("/os-aggregates", {"aggregate": {"name": "rack", "availability_zone": "north"}})["aggregate"]
    told = admin.get(f"{PATH}?flavor={flavor}&availability_zone=north")
    assert f"in:{made['uuid']}" in parse_qs(told["query"])["member_of"]
    [condition] = told["conditions"]
    assert (condition["aggregates"], condition["forbidden"]) == ([made["uuid"]], False)
    assert "north" in condition["reason"]


@pytest.mark.parametrize("query", ["", "?flavor=", "?flavor=none-such", "?flavour=web"])
def test_what_cannot_be_understood_is_refused(admin: Person, flavor: str, query: str) -> None:
    assert admin.status("GET", f"{PATH}{query}") == 400
