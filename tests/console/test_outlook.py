"""What the console reads of a cloud to tell its capacity, and how long that is good."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from moorage.capacity.fit import how_many_more
from moorage.capacity.model.configuration import Configuration
from moorage.console.outlook import Outlook
from tests.capacity.fake_cloud import FakeCloud

STOCK = {"total": 8, "reserved": 0, "max_unit": 8, "min_unit": 1, "step_size": 1, "allocation_ratio": 1.0}
CONTENT = {
    "flavors": [{"id": "1", "name": "small", "vcpus": 2, "ram": 1, "disk": 1, "extra_specs": {}}],
    "hypervisors": [
        {
            "id": name,
            "hypervisor_hostname": name,
            "hypervisor_type": "QEMU",
            "running_vms": 0,
            "service_host": name,
            "traits": ["COMPUTE_NODE"],
            "inventories": {"VCPU": STOCK, "MEMORY_MB": STOCK, "DISK_GB": STOCK},
            "usages": {"VCPU": 2, "MEMORY_MB": 0, "DISK_GB": 0},
        }
        for name in ("a", "b")
    ],
    "aggregates": [{"id": 1, "name": "north", "availability_zone": "north", "hosts": ["a", "b"]}],
    "servers": [],
}
SERVERS = "GET /compute/servers/detail"
HYPERVISORS = "GET /compute/os-hypervisors/detail"


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def cloud() -> FakeCloud:
    return FakeCloud(CONTENT)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def outlook(cloud: FakeCloud, clock: Clock) -> Outlook:
    return Outlook(cloud.services(), Configuration(), clock)


def test_how_many_more_fit_is_told_without_reading_the_servers(cloud: FakeCloud, outlook: Outlook) -> None:
    [fit] = how_many_more(outlook.room(), ["small"])
    assert (fit.total, dict(fit.by_zone)) == (6, {"north": 6})
    assert cloud.asked.count(HYPERVISORS) == 1
    assert SERVERS not in cloud.asked


def test_a_reading_is_good_for_a_while(cloud: FakeCloud, clock: Clock, outlook: Outlook) -> None:
    first = outlook.room()
    clock.now = 15
    assert outlook.room() is first
    clock.now = 16
    assert outlook.room() is not first
    assert cloud.asked.count(HYPERVISORS) == 2


def test_who_has_read_what_there_is_does_not_read_it_again_for_the_rest(cloud: FakeCloud, outlook: Outlook) -> None:
    room = outlook.room()
    whole = outlook.whole().snapshot
    assert whole.cloud.hypervisors is room.cloud.hypervisors
    assert outlook.whole().snapshot is whole
    assert (cloud.asked.count(HYPERVISORS), cloud.asked.count(SERVERS)) == (1, 1)
