"""Which operating system a server runs: looked up, remembered, and looked up again when it may have changed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from moorage.capacity.reading.os_types import REMEMBERED_SECONDS, OsTypes
from moorage.capacity.usage.os_type import is_valid_guest, of_image, of_volume
from moorage.capacity.usage.server import ProjectServer, ServerFlavor
from tests.capacity.fake_cloud import FakeCloud

FLAVOR = ServerFlavor(name="m1", vcpus=1, ram_mib=1, disk_gib=1)
FROM_IMAGE = ProjectServer(id="s1", name="", status="", flavor=FLAVOR, zone="", has_image=True, image_id="i1")
FROM_VOLUME = ProjectServer(id="s2", name="", status="", flavor=FLAVOR, zone="", updated="monday")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def cloud() -> FakeCloud:
    return FakeCloud(
        {
            "images": {"i1": {"vmware_ostype": "sles15_64Guest"}},
            "volumes": {"v1": {"id": "v1", "volume_image_metadata": {"vmware_ostype": "rhel9_64Guest"}}},
            "volume_attachments": {"s2": [{"device": "/dev/vda", "volumeId": "v1"}]},
        }
    )


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def os_types(cloud: FakeCloud, clock: Clock) -> OsTypes:
    return OsTypes(cloud.services(), clock)


def test_an_image_is_looked_at_once_for_all_its_servers(os_types: OsTypes, cloud: FakeCloud) -> None:
    servers = [FROM_IMAGE, replace(FROM_IMAGE, id="s3")]
    assert os_types.of_servers(servers) == {"s1": "sles15_64Guest", "s3": "sles15_64Guest"}
    os_types.of_servers(servers)
    assert cloud.asked == ["GET /image/images/i1"]


def test_an_image_is_looked_at_again_after_a_while(os_types: OsTypes, cloud: FakeCloud, clock: Clock) -> None:
    os_types.of_servers([FROM_IMAGE])
    cloud.content = {"images": {}}
    clock.now += REMEMBERED_SECONDS
    assert os_types.of_servers([FROM_IMAGE]) == {"s1": "image-deleted"}


def test_a_boot_volume_is_looked_at_again_when_its_server_changes(os_types: OsTypes, cloud: FakeCloud) -> None:
    assert os_types.of_servers([FROM_VOLUME]) == {"s2": "rhel9_64Guest"}
    assert os_types.of_servers([FROM_VOLUME]) == {"s2": "rhel9_64Guest"}
    assert len(cloud.asked) == 2
    metadata = {"vmware_ostype": "windows2022srvNext_64Guest"}
    cloud.content = {**cloud.content, "volumes": {"v1": {"id": "v1", "volume_image_metadata": metadata}}}
    rebuilt = replace(FROM_VOLUME, updated="tuesday")
    assert os_types.of_servers([rebuilt]) == {"s2": "windows2022srvNext_64Guest"}


def test_what_cannot_be_looked_at_is_tried_again(os_types: OsTypes, cloud: FakeCloud) -> None:
    good = cloud.content
    cloud.content = {**good, "images": {"i1": 500}, "volumes": {}}
    servers = [FROM_IMAGE, FROM_VOLUME]
    assert os_types.of_servers(servers) == {"s1": "image-inspect-error", "s2": "rootdisk-inspect-error"}
    cloud.content = good
    assert os_types.of_servers(servers) == {"s1": "sles15_64Guest", "s2": "rhel9_64Guest"}


@pytest.mark.parametrize("named", [{"volumeId": ""}, {"volumeId": None}, {}])
def test_a_boot_volume_without_id_is_missing(os_types: OsTypes, cloud: FakeCloud, named: dict[str, Any]) -> None:
    cloud.content = {**cloud.content, "volume_attachments": {"s2": [{"device": "/dev/sda", **named}]}}
    assert os_types.of_servers([FROM_VOLUME]) == {"s2": "rootdisk-missing"}


def test_an_image_without_id_is_unknown(os_types: OsTypes, cloud: FakeCloud) -> None:
    assert os_types.of_servers([replace(FROM_IMAGE, image_id=None)]) == {"s1": "image-unknown"}
    assert not cloud.asked


def test_many_ask_at_once(os_types: OsTypes) -> None:
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: os_types.of_servers([FROM_IMAGE, FROM_VOLUME]), range(40)))
    assert found == [{"s1": "sles15_64Guest", "s2": "rhel9_64Guest"}] * 40


IMAGES: list[tuple[dict[str, Any], str]] = [
    ({"vmware_ostype": "ubuntu64Guest", "tags": ["ostype:other"]}, "ubuntu64Guest"),
    ({"vmware_ostype": "nonsense", "tags": ["ostype:other"]}, "other"),
    ({"tags": ["x", "ostype:other"]}, "other"),
    ({"tags": ["ostype:a", "ostype:b"]}, "unknown"),
    ({"tags": ["ostype:"]}, "unknown"),
    ({"vmware_ostype": 7, "tags": None}, "unknown"),
    ({}, "unknown"),
]


@pytest.mark.parametrize(("image", "os_type"), IMAGES)
def test_what_an_image_says(image: dict[str, Any], os_type: str) -> None:
    assert of_image(image) == os_type


def test_what_a_volume_says() -> None:
    assert of_volume({"vmware_ostype": "centos8_64Guest"}) == "centos8_64Guest"
    assert of_volume({"vmware_ostype": "nonsense"}) == "unknown"
    assert of_volume({}) == "unknown"


VALID = [
    "almalinux_64Guest",
    "amazonlinux3_64Guest",
    "asianux7_64Guest",
    "asianux3Guest",
    "centos64Guest",
    "centosGuest",
    "centos6Guest",
    "centos9_64Guest",
    "coreos64Guest",
    "darwin10Guest",
    "darwin64Guest",
    "darwinGuest",
    "darwin23_64Guest",
    "debian4Guest",
    "debian12_64Guest",
    "freebsd64Guest",
    "freebsdGuest",
    "freebsd14_64Guest",
    "freebsd13Guest",
    "genericLinuxGuest",
    "netware6Guest",
    "openServer6Guest",
    "oracleLinux64Guest",
    "oracleLinuxGuest",
    "oracleLinux9_64Guest",
    "other24xLinuxGuest",
    "other5xLinux64Guest",
    "otherGuest",
    "otherGuest64",
    "otherLinux64Guest",
    "rhel2Guest",
    "rhel9_64Guest",
    "sles64Guest",
    "slesGuest",
    "sles99_64Guest",
    "solaris11_64Guest",
    "vmkernelGuest",
    "vmkernel65Guest",
    "win2000AdvServGuest",
    "win2000ProGuest",
    "win2000ServGuest",
    "win31Guest",
    "win98Guest",
    "windows7Guest",
    "windows7_64Guest",
    "windows7Server64Guest",
    "windows2019srv_64Guest",
    "windows2019srvNext_64Guest",
    "winXPProGuest",
    "winNetEnterprise64Guest",
    "winVistaGuest",
    "vmwarePhoton64Guest",
    "rockylinux_64Guest",
]


@pytest.mark.parametrize("name", VALID)
def test_names_of_guests(name: str) -> None:
    assert is_valid_guest(name)


@pytest.mark.parametrize(
    "name", ["", "BeOS", "Sles12_64guest", " sles12_64Guest", "sles12_64Guest\n", "sles１2_64Guest", 3]
)
def test_what_is_no_name_of_a_guest(name: object) -> None:
    assert not is_valid_guest(name)
