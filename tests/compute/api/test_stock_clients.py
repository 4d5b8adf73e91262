"""The stock `openstack` command and openstacksdk, unchanged, with a running service."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from openstack.config import OpenStackConfig
from openstack.connection import Connection

from tests.clients.openstack_command import OpenStack
from tests.clients.running_service import RunningService, running_service

pytestmark = [
    # The SDK warns of what will change within itself.
    pytest.mark.filterwarnings("ignore::PendingDeprecationWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

HOST = "c0450000-0000-4000-8000-0000000000a1"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("service")) as started:
        add_host(started)
        yield started


def add_host(service: RunningService) -> None:
    """A compute host with 8 processors, as an agent reports one."""
    headers = {"X-Auth-Token": service.token, "OpenStack-API-Version": "placement 1.39"}
    with httpx.Client(base_url=service.placement, headers=headers) as api:
        api.post("/resource_providers", json={"name": "h1", "uuid": HOST}).raise_for_status()
        inventories = {"resource_provider_generation": 0, "inventories": {"VCPU": {"total": 8}}}
        api.put(f"/resource_providers/{HOST}/inventories", json=inventories).raise_for_status()
        traits = {"resource_provider_generation": 1, "traits": ["COMPUTE_NODE"]}
        api.put(f"/resource_providers/{HOST}/traits", json=traits).raise_for_status()


@pytest.fixture
def openstack(service: RunningService, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenStack]:
    """The command, with nothing to read from its standard input, as in a script."""
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        yield OpenStack(service.clouds_file)


@pytest.fixture
def sdk(service: RunningService) -> Iterator[Connection]:
    clouds = OpenStackConfig(config_files=[str(service.clouds_file)], load_envvars=False)
    with Connection(config=clouds.get_one("moorage")) as connection:
        yield connection


def succeeds(openstack: OpenStack, command: str) -> None:
    outcome = openstack.run(command)
    assert outcome.code == 0, outcome.errors


def column(rows: Any, name: str) -> list[Any]:
    return [row[name] for row in rows]


def test_flavors(openstack: OpenStack) -> None:
    create = "flavor create --ram 512 --vcpus 1 --disk 2 --swap 64 --property trait:HW_CPU_X86_AVX2=required tiny"
    made = openstack.shows(create)
    assert (made["ram"], made["vcpus"], made["disk"], made["swap"]) == (512, 1, 2, 64)
    assert made["properties"] == {"trait:HW_CPU_X86_AVX2": "required"}
    assert "already exists" in openstack.refuses(create)
    succeeds(openstack, "flavor set --description small --property resources:CUSTOM_GOLD=1 tiny")
    shown = openstack.shows("flavor show tiny")
    assert (shown["description"], shown["properties"]["resources:CUSTOM_GOLD"]) == ("small", "1")
    assert "the value is required or forbidden" in openstack.refuses("flavor set --property trait:X=maybe tiny")
    succeeds(openstack, "flavor unset --property resources:CUSTOM_GOLD tiny")
    openstack.shows("flavor create --private --project admin --ram 1 --vcpus 1 mine")
    assert openstack.shows("flavor show mine")["access_project_ids"] == ["admin"]
    succeeds(openstack, "flavor unset --project admin mine")
    assert column(openstack.shows("flavor list"), "Name") == ["tiny"]
    assert sorted(column(openstack.shows("flavor list --all --long"), "Name")) == ["mine", "tiny"]
    openstack.does("flavor delete tiny mine")
    assert openstack.shows("flavor list --all") == []


def test_images(openstack: OpenStack, tmp_path: Path) -> None:
    made = openstack.shows("image create --property trait:HW_CPU_X86_AVX2=required --tag gold cirros")
    assert (made["status"], made["tags"]) == ("active", ["gold"])
    assert made["properties"]["trait:HW_CPU_X86_AVX2"] == "required"
    data = tmp_path / "data"
    data.write_bytes(b"bytes")
    assert "not their data" in openstack.refuses(f"image create --file {data} other")
    assert column(openstack.shows("image list"), "Name") == ["cirros"]
    succeeds(openstack, "image set --name debian --property os=linux --tag silver cirros")
    shown = openstack.shows("image show debian")
    assert (sorted(shown["tags"]), shown["properties"]["os"]) == (["gold", "silver"], "linux")
    succeeds(openstack, "image unset --property os --tag silver debian")
    assert "os" not in openstack.shows("image show debian")["properties"]
    assert column(openstack.shows("image list --property trait:HW_CPU_X86_AVX2=required"), "Name") == ["debian"]
    assert openstack.shows("image list --tag silver") == []
    assert openstack.shows("image add project debian admin")["status"] == "pending"
    assert column(openstack.shows("image member list debian"), "Member ID") == ["admin"]
    succeeds(openstack, "image remove project debian admin")
    succeeds(openstack, "image set --deactivate debian")
    assert openstack.shows("image show debian")["status"] == "deactivated"
    succeeds(openstack, "image set --activate --public --protected debian")
    assert "protected" in openstack.refuses("image delete debian")
    succeeds(openstack, "image set --unprotected debian")
    openstack.does("image delete debian")
    assert openstack.shows("image list") == []


def test_aggregates_zones_and_hypervisors(openstack: OpenStack) -> None:
    # Without --compute the client also looks for networks, and logs in a broken way, which pytest does not forgive,
    # that there are none.
    assert column(openstack.shows("availability zone list --compute"), "Zone Name") == ["nova"]
    made = openstack.shows("aggregate create --zone north --property ssd=true rack")
    assert made["availability_zone"] == "north"
    uuid = openstack.shows("aggregate show rack")["uuid"]
    assert openstack.shows("aggregate add host rack h1")["hosts"] == ["h1"]
    assert openstack.shows(f"resource provider aggregate list {HOST}") == [{"uuid": uuid}]
    assert column(openstack.shows("availability zone list --compute --long"), "Zone Name") == ["north"]
    assert "could not be found" in openstack.refuses("aggregate add host rack h2")
    assert openstack.run("aggregate delete rack").code == 1
    succeeds(openstack, "aggregate set --property reservation:pool= --name row rack")
    assert openstack.shows("aggregate show row")["properties"] == {"ssd": "true", "reservation:pool": ""}
    succeeds(openstack, "aggregate unset --property ssd row")
    assert openstack.shows("aggregate remove host row h1")["hosts"] == []
    assert openstack.shows(f"resource provider aggregate list {HOST}") == []
    openstack.does("aggregate delete row")
    assert column(openstack.shows("hypervisor list"), "Hypervisor Hostname") == ["h1"]
    for version in ("2.1", "2.53", "2.96"):
        shown = openstack.shows(f"--os-compute-api-version {version} hypervisor show h1")
        assert shown["hypervisor_hostname"] == "h1"
    outcome = openstack.run("hypervisor stats show -f value -c count -c vcpus")
    assert outcome.output.split() == ["1", "8"]


def test_server_groups_quotas_and_limits(openstack: OpenStack) -> None:
    made = openstack.shows("server group create --policy anti-affinity --rule max_server_per_host=2 web")
    assert (made["policy"], made["rules"]) == ("anti-affinity", {"max_server_per_host": 2})
    assert openstack.shows("server group show web")["id"] == made["id"]
    assert column(openstack.shows("server group list"), "Name") == ["web"]
    succeeds(openstack, "quota set --cores 33 --server-groups 5 admin")
    used = {row["Resource"]: (row["Limit"], row["In Use"]) for row in openstack.shows("quota show --usage admin")}
    assert (used["cores"], used["server-groups"]) == ((33, 0), (5, 1))
    limits = {row["Name"]: row["Value"] for row in openstack.shows("limits show --absolute")}
    assert (limits["total_cores"], limits["server_groups_used"]) == (33, 1)
    succeeds(openstack, "quota delete --compute admin")
    assert {row["Resource"]: row["Limit"] for row in openstack.shows("quota show admin")}["cores"] == 20
    openstack.does("server group delete web")


def test_the_sdk(sdk: Any) -> None:
    flavor = sdk.compute.create_flavor(name="sdk", ram=512, vcpus=1, disk=1)
    sdk.compute.create_flavor_extra_specs(flavor, {"hw:cpu_policy": "shared"})
    assert sdk.compute.find_flavor("sdk", get_extra_specs=True).extra_specs == {"hw:cpu_policy": "shared"}
    images = [sdk.image.create_image(f"image{number}", data=b"", properties={"os": "linux"}) for number in range(3)]
    assert {image.name for image in sdk.image.images(limit=1)} == {"image0", "image1", "image2"}
    changed = sdk.image.update_image(images[0], name="renamed", os="bsd")
    assert (changed.name, changed.properties["os"]) == ("renamed", "bsd")
    assert [host.name for host in sdk.compute.hypervisors(details=True)] == ["h1"]
    aggregate = sdk.compute.create_aggregate(name="sdk")
    assert sdk.compute.add_host_to_aggregate(aggregate, "h1").hosts == ["h1"]
    assert sdk.compute.set_aggregate_metadata(aggregate, {"a": "b"}).metadata == {"a": "b"}
    sdk.compute.remove_host_from_aggregate(aggregate, "h1")
    group = sdk.compute.create_server_group(name="sdk", policy="affinity")
    assert [found.id for found in sdk.compute.server_groups()] == [group.id]
    assert sdk.compute.get_limits().absolute.total_cores == 20
    for each in images:
        sdk.image.delete_image(each)
    sdk.compute.delete_flavor(flavor)
    sdk.compute.delete_aggregate(aggregate)
    sdk.compute.delete_server_group(group)


def test_documents_for_discovery_need_no_token(service: RunningService) -> None:
    assert httpx.get(f"{service.url}/compute/v2.1/").json()["version"]["version"] == "2.96"
    assert httpx.get(f"{service.url}/image/").status_code == 300
    assert httpx.get(f"{service.url}/image/versions").json()["versions"][0]["id"] == "v2.9"
