"""A cloud that Moorage serves, reported by Moorage: what is used, what fits, and that both add up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.capacity.moorage_cloud import MoorageCloud, configured

ZONES = ["north", "south"]
CONFIGURATION = {
    "hypervisor_selection": {"aggregate_name_pattern": "^vc-"},
    "with_subcapacities": True,
    "with_subresources": True,
}


@pytest.fixture
def cloud(empty_database: str, installation: object, tmp_path: Path) -> MoorageCloud:
    cloud = MoorageCloud.over(empty_database, liquid__config_file=configured(tmp_path, CONFIGURATION))
    cloud.add_hosts("north", ["n1", "n2"], vcpus=32, ram=131072, disk=2000)
    cloud.add_hosts("south", ["s1"], vcpus=64, ram=262144, disk=4000)
    return cloud


def demand(report: Any) -> dict[str, Any]:
    """The demand that somebody would ask with who has seen a usage report of the only project."""
    return {
        name: {
            "perAZ": {
                zone: {"usage": found["usage"], "unusedCommitments": 0, "pendingCommitments": 0}
                for zone, found in resource["perAZ"].items()
            }
        }
        for name, resource in report["resources"].items()
        if name.startswith(("cores", "instances", "ram"))
    }


def test_usage_and_capacity_add_up(cloud: MoorageCloud) -> None:
    small = cloud.add_flavor("small", 2, 4096, 20)
    big = cloud.add_flavor("big", 16, 65536, 100, quota__separate="true")
    image = cloud.add_image("sles", vmware_ostype="sles15_64Guest")
    for number in range(3):
        cloud.add_server(f"small-{number}", small, image, "north")
    cloud.add_server("big-0", big, image, "north")
    cloud.add_server("big-1", big, image, "south")

    info = cloud.info()
    usage = cloud.usage(ZONES)
    report = cloud.capacity({"allAZs": ZONES, "demandByResource": demand(usage)})
    assert report["infoVersion"] == usage["infoVersion"] == info["version"]

    used = {
        name: {zone: at["usage"] for zone, at in each["perAZ"].items()} for name, each in usage["resources"].items()
    }
    assert used["cores"] == {"north": 6, "south": 0}
    assert used["ram"] == {"north": 3 * 4096, "south": 0}
    assert used["instances"] == {"north": 3, "south": 0}
    assert used["instances_big"] == {"north": 1, "south": 1}
    assert usage["resources"]["instances_big"]["quota"] == 7
    [listed] = usage["resources"]["instances_big"]["perAZ"]["south"]["subresources"]
    assert listed["name"] == "big-1"
    assert listed["attributes"]["os_type"] == "sles15_64Guest"
    assert listed["attributes"]["flavor"] == {"name": "big", "vcpu": 16, "ram_mib": 65536, "disk_gib": 100}

    found = report["resources"]
    for zone, cores in (("north", 64), ("south", 64)):
        big_there = found["instances_big"]["perAZ"][zone]["capacity"]
        assert big_there >= used["instances_big"][zone]
        assert found["cores"]["perAZ"][zone]["capacity"] == cores - 16 * big_there
        assert found["cores"]["perAZ"][zone]["capacity"] >= used["cores"][zone]
    assert [each["name"] for each in found["cores"]["perAZ"]["north"]["subcapacities"]] == ["n1", "n2"]
    assert sum(each["usage"] for each in found["cores"]["perAZ"]["north"]["subcapacities"]) == 6 + 16


def test_a_rebuilt_server_is_looked_at_again(cloud: MoorageCloud) -> None:
    small = cloud.add_flavor("small", 2, 4096, 20)
    first = cloud.add_image("first", vmware_ostype="sles15_64Guest")
    second = cloud.add_image("second", tags=["ostype:rhel9"])
    server = cloud.add_server("one", small, first, "north")

    def os_type() -> str:
        [listed] = cloud.usage(ZONES)["resources"]["instances"]["perAZ"]["north"]["subresources"]
        text: str = listed["attributes"]["os_type"]
        return text

    assert os_type() == "sles15_64Guest"
    cloud.do("POST", f"/compute/v2.1/servers/{server}/action", {"rebuild": {"imageRef": second}})
    assert os_type() == "rhel9"


def test_a_quota_writes_what_it_names(cloud: MoorageCloud) -> None:
    cloud.add_flavor("big", 16, 65536, 100, quota__separate="true")
    before = cloud.do("GET", "/compute/v2.1/os-quota-sets/harbour")["quota_set"]
    assert cloud.set_quota({"cores": 100, "instances_big": 3}).status == 204
    after = cloud.do("GET", "/compute/v2.1/os-quota-sets/harbour")["quota_set"]
    assert after == {**before, "cores": 100, "instances_big": 3}
    quotas = {name: each["quota"] for name, each in cloud.usage(ZONES)["resources"].items()}
    assert quotas["cores"] == 100
    assert quotas["instances_big"] == 3


def test_a_quota_below_the_usage_is_refused_with_the_reason(cloud: MoorageCloud) -> None:
    small = cloud.add_flavor("small", 2, 4096, 20)
    cloud.add_server("one", small, cloud.add_image("any"), "north")
    response = cloud.set_quota({"cores": 1})
    assert response.status == 400
    assert "Quota limit 1 for cores must be greater than or equal to already used 2." in response.body.decode()


def test_the_info_changes_with_the_flavors_and_not_otherwise(cloud: MoorageCloud) -> None:
    cloud.add_flavor("small", 2, 4096, 20)
    first = cloud.info()
    assert "instances_big" not in first["resources"]
    cloud.add_flavor("another", 4, 8192, 20)
    report = cloud.capacity({"allAZs": ZONES})
    assert report["infoVersion"] == first["version"]
    cloud.add_flavor("big", 16, 65536, 100, quota__separate="true")
    report = cloud.capacity({"allAZs": ZONES})
    second = cloud.info()
    assert report["infoVersion"] == second["version"] > first["version"]
    assert "instances_big" in second["resources"]
    assert report["resources"]["instances_big"]["perAZ"] == {"north": {"capacity": 4}, "south": {"capacity": 4}}
