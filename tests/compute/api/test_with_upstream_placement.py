"""Aggregates and hypervisors over upstream's Placement, which is reached over HTTP as the settings say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from moorage.client.connection import client_from_settings
from moorage.db.database import Database
from moorage.db.upgrade import upgrade
from moorage.placement.model.inventory import Inventory
from moorage.service.compute_service import compute_applications
from moorage.service.mounting import mounted
from moorage.service.settings import load_settings
from tests.client.upstream import ADMIN, running_upstream
from tests.compute.api.people import Person

HOST, NODE = "c0450000-0000-4000-8000-0000000000a1", "c0450000-0000-4000-8000-0000000000a2"
ELSEWHERE = "a66e0000-0000-4000-8000-000000000001"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[tuple[Person, Any]]:
    """An administrator of a cloud without a Placement of its own, and a client of the Placement that it uses."""
    with running_upstream(tmp_path) as endpoint:
        configuration = tmp_path / "moorage.conf"
        configuration.write_text(f"""
[placement_client]
auth_type = admin_token
endpoint = {endpoint}
endpoint_override = {endpoint}
token = {ADMIN}
""")
        overrides = {"api.auth_strategy": "noauth2", "state_path": str(tmp_path)}
        settings = load_settings(overrides, config_files=[str(configuration)])
        url = f"sqlite:///{tmp_path / 'moorage.sqlite'}"
        upgrade(url)
        database = Database(url)
        applications = mounted(compute_applications(settings, database, None))
        yield Person(applications, "admin:operations", "admin"), client_from_settings(settings)
        database.dispose()


def test_hosts_come_into_aggregates_and_are_seen_with_what_they_have(world: tuple[Person, Any]) -> None:
    admin, placement = world
    placement.create_provider(HOST, "h1")
    placement.create_provider(NODE, "h1_numa0", HOST)
    placement.put_inventories(NODE, {"VCPU": Inventory(total=4)}, 0)
    generation = placement.put_inventories(HOST, {"MEMORY_MB": Inventory(total=1024, reserved=24)}, 0)
    generation = placement.put_traits(HOST, ["COMPUTE_NODE"], generation)
    placement.put_aggregates(HOST, [ELSEWHERE], generation)

    rack = admin.post("/os-aggregates", {"aggregate": {"name": "rack", "availability_zone": "north"}})["aggregate"]
    path = f"/os-aggregates/{rack['id']}/action"
    assert admin.post(path, {"add_host": {"host": "h1"}})["aggregate"]["hosts"] == ["h1"]
    assert placement.aggregates(HOST).aggregates == {ELSEWHERE, rack["uuid"]}
    assert admin.status("POST", path, {"add_host": {"host": "h1_numa0"}}) == 404
    assert [zone["zoneName"] for zone in admin.get("/os-availability-zone")["availabilityZoneInfo"]] == ["north"]

    [shown] = admin.at("2.87").get("/os-hypervisors/detail")["hypervisors"]
    assert (shown["id"], shown["vcpus"], shown["memory_mb"], shown["free_ram_mb"]) == (HOST, 4, 1024, 1000)

    assert admin.post(path, {"remove_host": {"host": "h1"}})["aggregate"]["hosts"] == []
    assert placement.aggregates(HOST).aggregates == {ELSEWHERE}
