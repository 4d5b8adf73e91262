"""Hypervisors: what Placement knows about compute hosts, as Nova's API shows it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from moorage.client.placement import ConsumerAllocations
from moorage.placement.model.inventory import Inventory
from tests.compute.api.people import Cloud, Person


@pytest.fixture
def uuids(cloud: Cloud) -> dict[str, str]:
    """Two hosts, of which the first has a server on it, and a provider that is no host."""
    hosts = {"h1": cloud.add_host("h1"), "h2": cloud.add_host("h2", disabled=True)}
    cloud.placement.create_provider(str(uuid4()), "storage")
    held = ConsumerAllocations({hosts["h1"]: {"VCPU": 2, "MEMORY_MB": 1024, "DISK_GB": 10}}, "p", "u", "INSTANCE")
    cloud.placement.put_allocations(str(uuid4()), held)
    return hosts


def names(answer: Any) -> list[str]:
    return [host["hypervisor_hostname"] for host in answer["hypervisors"]]


def test_the_list(admin: Person, uuids: dict[str, str]) -> None:
    assert admin.get("/os-hypervisors")["hypervisors"] == [
        {"id": uuids["h1"], "hypervisor_hostname": "h1", "state": "up", "status": "enabled"},
        {"id": uuids["h2"], "hypervisor_hostname": "h2", "state": "up", "status": "disabled"},
    ]


def test_figures_are_there_until_2_87(admin: Person, uuids: dict[str, str]) -> None:
    shown = admin.at("2.87").get("/os-hypervisors/detail")["hypervisors"][0]
    assert shown == {
        "id": uuids["h1"],
        "hypervisor_hostname": "h1",
        "state": "up",
        "status": "enabled",
        "hypervisor_type": "moorage",
        "hypervisor_version": 0,
        "host_ip": None,
        "service": {"id": uuids["h1"], "host": "h1", "disabled_reason": None},
        "vcpus": 8,
        "vcpus_used": 2,
        "memory_mb": 16384,
        "memory_mb_used": 1536,
        "free_ram_mb": 14848,
        "local_gb": 100,
        "local_gb_used": 10,
        "free_disk_gb": 90,
        "disk_available_least": 90,
        "current_workload": 0,
        "running_vms": 0,
        "cpu_info": {},
    }
    assert admin.at("2.27").get("/os-hypervisors/detail")["hypervisors"][0]["cpu_info"] == ""
    newest = admin.get("/os-hypervisors/detail")["hypervisors"][0]
    assert not {"vcpus", "memory_mb", "running_vms", "cpu_info"} & newest.keys()
    assert newest["uptime"] is None
    assert admin.get(f"/os-hypervisors/{uuids['h1']}")["hypervisor"] == newest


def test_what_is_in_numa_nodes_belongs_to_the_host(cloud: Cloud, uuids: dict[str, str]) -> None:
    node = str(uuid4())
    cloud.placement.create_provider(node, "h1_numa0", uuids["h1"])
    cloud.placement.put_inventories(node, {"PCPU": Inventory(total=4), "MEMORY_MB": Inventory(total=1000)}, 0)
    shown = cloud.admin.at("2.87").get(f"/os-hypervisors/{uuids['h1']}")["hypervisor"]
    assert (shown["vcpus"], shown["memory_mb"]) == (12, 17384)


def test_statistics_leave_out_disabled_hosts(admin: Person, uuids: dict[str, str]) -> None:
    shown = admin.at("2.87").get("/os-hypervisors/statistics")["hypervisor_statistics"]
    assert (shown["count"], shown["vcpus"], shown["vcpus_used"], shown["memory_mb"]) == (1, 8, 2, 16384)
    assert admin.status("GET", "/os-hypervisors/statistics") == 404


def test_statistics_of_nothing(admin: Person) -> None:
    assert set(admin.at("2.1").get("/os-hypervisors/statistics")["hypervisor_statistics"].values()) == {0}


def test_ids_are_numbers_before_2_53(admin: Person, uuids: dict[str, str]) -> None:
    number = admin.at("2.52").get("/os-hypervisors")["hypervisors"][0]["id"]
    assert 0 < number < 2**53
    assert admin.at("2.52").get(f"/os-hypervisors/{number}")["hypervisor"]["hypervisor_hostname"] == "h1"
    assert admin.at("2.52").status("GET", f"/os-hypervisors/{uuids['h1']}") == 404
    assert admin.status("GET", f"/os-hypervisors/{number}") == 400


def test_what_is_no_hypervisor(cloud: Cloud, uuids: dict[str, str]) -> None:
    storage = cloud.placement.provider_named("storage")
    assert storage is not None
    for uuid in (storage.uuid, str(uuid4())):
        code, message = cloud.admin.refused("GET", f"/os-hypervisors/{uuid}")
        assert (code, uuid in message) == (404, True)


def test_pages(admin: Person, uuids: dict[str, str]) -> None:
    first = admin.get("/os-hypervisors", limit=1)
    assert names(first) == ["h1"]
    assert first["hypervisors_links"][0]["href"].endswith(f"/os-hypervisors?limit=1&marker={uuids['h1']}")
    assert names(admin.get("/os-hypervisors/detail", limit=1, marker=uuids["h1"])) == ["h2"]
    assert admin.status("GET", "/os-hypervisors", marker=str(uuid4())) == 400
    assert names(admin.at("2.32").get("/os-hypervisors", limit=1)) == ["h1", "h2"]


def test_parts_of_names(admin: Person, uuids: dict[str, str]) -> None:
    assert names(admin.get("/os-hypervisors", hypervisor_hostname_pattern="2")) == ["h2"]
    assert names(admin.at("2.52").get("/os-hypervisors/h/search")) == ["h1", "h2"]
    assert admin.status("GET", "/os-hypervisors", hypervisor_hostname_pattern="x") == 404
    assert admin.at("2.52").status("GET", "/os-hypervisors/x/search") == 404
    assert admin.status("GET", "/os-hypervisors", hypervisor_hostname_pattern="h", limit=1) == 400
    assert admin.status("GET", "/os-hypervisors/h/search") == 404


def test_servers_are_listed_on_request(admin: Person, uuids: dict[str, str]) -> None:
    assert admin.get("/os-hypervisors", with_servers="true")["hypervisors"][0]["servers"] == []
    assert "servers" not in admin.at("2.74").get("/os-hypervisors", with_servers="true")["hypervisors"][0]
    assert admin.status("GET", "/os-hypervisors", with_servers="perhaps") == 400
    assert names(admin.at("2.52").get("/os-hypervisors/h1/servers")) == ["h1"]


def test_uptime_is_not_known(admin: Person, uuids: dict[str, str]) -> None:
    assert admin.at("2.87").status("GET", f"/os-hypervisors/{uuids['h1']}/uptime") == 501
    assert admin.at("2.87").status("GET", f"/os-hypervisors/{uuid4()}/uptime") == 404
    assert admin.status("GET", f"/os-hypervisors/{uuids['h1']}/uptime") == 404


def test_only_administrators_see_hosts(cloud: Cloud, uuids: dict[str, str]) -> None:
    for path in ("/os-hypervisors", "/os-hypervisors/detail", f"/os-hypervisors/{uuids['h1']}"):
        assert cloud.tycho.status("GET", path) == 403
