"""The story of the README with the stock `openstack` command, against a `moorage serve` of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.clients.openstack_command import OpenStack
from tests.clients.running_service import RunningService, running_service

CONFIGURATION = """
[scheduler]
placement_req_required_member_prefix = license:
placement_req_default_forbidden_member_prefix = license:
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("servers"), configuration=CONFIGURATION) as started:
        yield started


@pytest.fixture(scope="module")
def openstack(service: RunningService) -> OpenStack:
    return OpenStack(service.clouds_file)


@pytest.fixture
def _terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Somebody types: the client would take anything else for the bytes of an image."""
    keyboard, screen = os.openpty()
    with os.fdopen(screen) as standard_input:
        monkeypatch.setattr("sys.stdin", standard_input)
        yield
    os.close(keyboard)


def add_host(service: RunningService, name: str, *traits: str) -> None:
    """A host as its agent reports it."""
    headers = {"X-Auth-Token": service.token, "OpenStack-API-Version": "placement 1.39"}
    stocks = {"VCPU": {"total": 8, "max_unit": 8}, "MEMORY_MB": {"total": 8192}, "DISK_GB": {"total": 100}}
    with httpx.Client(base_url=service.placement, headers=headers) as api:
        for trait in traits:
            api.put(f"/traits/{trait}").raise_for_status()
        uuid = api.post("/resource_providers", json={"name": name}).raise_for_status().json()["uuid"]
        inventories = {"resource_provider_generation": 0, "inventories": stocks}
        api.put(f"/resource_providers/{uuid}/inventories", json=inventories).raise_for_status()
        marks = {"resource_provider_generation": 1, "traits": ["COMPUTE_NODE", *traits]}
        api.put(f"/resource_providers/{uuid}/traits", json=marks).raise_for_status()


def shown(openstack: OpenStack, server: str) -> Any:
    return openstack.shows(f"server show {server}")


@pytest.mark.usefixtures("_terminal")
def test_the_story(service: RunningService, openstack: OpenStack) -> None:
    add_host(service, "plain")
    add_host(service, "trusted", "CUSTOM_TRUSTED_HOST")
    add_host(service, "licensed")

    # A flavor and images with traits and keys; an aggregate for the licensed hosts.
    openstack.shows("flavor create m1.small --vcpus 2 --ram 2048 --disk 20")
    openstack.shows("flavor create m1.huge --vcpus 12 --ram 2048 --disk 20")
    openstack.does("flavor set m1.small --property trait:COMPUTE_NODE=required")
    openstack.shows("image create linux")
    openstack.shows("image create private-data --property trait:CUSTOM_TRUSTED_HOST=required")
    openstack.shows("image create windows --property license:windows=true")
    openstack.shows("aggregate create windows-hosts --property license:windows=true")
    openstack.shows("aggregate add host windows-hosts licensed")

    # Each server goes where it may.
    places = {"linux": {"plain", "trusted"}, "private-data": {"trusted"}, "windows": {"licensed"}}
    for image, hosts in places.items():
        openstack.shows(f"server create --flavor m1.small --image {image} --no-network --wait s-{image}")
        server = shown(openstack, f"s-{image}")
        assert server["status"] == "ACTIVE"
        assert server["OS-EXT-SRV-ATTR:host"] in hosts
        assert server["flavor"]["original_name"] == "m1.small"
    rows = openstack.shows("server list --long")
    assert {row["Name"]: row["Image Name"] for row in rows} == {
        f"s-{image}": image for image in ("linux", "private-data", "windows")
    }
    assert [row["Name"] for row in openstack.shows("server list --host licensed")] == ["s-windows"]

    # What fits nowhere says why.
    openstack.shows("server create --flavor m1.huge --image linux --no-network s-huge")
    fault = shown(openstack, "s-huge")["fault"]
    assert "VCPU:12" in str(fault)
    assert "free" in str(fault)

    # A rebuild is refused with the server untouched, or accepted.
    before = shown(openstack, "s-windows")
    assert "CUSTOM_TRUSTED_HOST" in openstack.run("server rebuild --image private-data s-windows").errors
    assert "windows-hosts" in openstack.run("server rebuild --image linux s-windows").errors
    assert shown(openstack, "s-windows") == before
    assert openstack.run("server rebuild --image linux --wait s-private-data").code == 0
    assert "linux" in str(shown(openstack, "s-private-data")["image"])

    # Another flavor, back, and again.
    openstack.shows("flavor create m1.medium --vcpus 4 --ram 2048 --disk 20")
    assert openstack.run("server resize --flavor m1.medium --wait s-linux").code == 0
    assert shown(openstack, "s-linux")["status"] == "VERIFY_RESIZE"
    assert openstack.run("server resize revert s-linux").code == 0
    assert shown(openstack, "s-linux")["flavor"]["original_name"] == "m1.small"
    assert openstack.run("server resize --flavor m1.medium --wait s-linux").code == 0
    assert openstack.run("server resize confirm s-linux").code == 0
    assert shown(openstack, "s-linux")["flavor"]["original_name"] == "m1.medium"

    # Names, properties and tags.
    openstack.does("server set --name s-renamed --property tide=high --tag blue s-linux")
    assert shown(openstack, "s-renamed")["properties"] == {"tide": "high"}
    assert shown(openstack, "s-renamed")["tags"] == ["blue"]
    openstack.does("server unset --property tide --tag blue s-renamed")
    assert shown(openstack, "s-renamed")["properties"] == {}

    # Together they go, and nothing is left.
    openstack.does("server delete --wait s-renamed s-private-data s-windows s-huge")
    assert openstack.shows("server list --all-projects") == []
    assert {row["Name"] for row in openstack.shows("server list --deleted")} >= {"s-renamed", "s-huge"}
    headers = {"X-Auth-Token": service.token, "OpenStack-API-Version": "placement 1.39"}
    for provider in httpx.get(f"{service.placement}/resource_providers", headers=headers).json()["resource_providers"]:
        path = f"{service.placement}/resource_providers/{provider['uuid']}/allocations"
        assert httpx.get(path, headers=headers).json()["allocations"] == {}


@pytest.mark.usefixtures("_terminal")
def test_several_servers_and_a_group(service: RunningService, openstack: OpenStack) -> None:
    for number in range(3):
        add_host(service, f"group-host-{number}")
    openstack.shows("flavor create m1.group --vcpus 1 --ram 1024 --disk 10")
    group = openstack.shows("server group create --policy anti-affinity apart")
    openstack.shows("image create any")
    how = f"--flavor m1.group --image any --no-network --min 2 --max 2 --hint group={group['id']}"
    openstack.shows(f"server create {how} g")
    rows = openstack.shows("server list --name ^g-")
    assert [row["Status"] for row in rows] == ["ACTIVE", "ACTIVE"]
    assert len({shown(openstack, row["ID"])["OS-EXT-SRV-ATTR:host"] for row in rows}) == 2
    openstack.does("server delete g-1 g-2")
