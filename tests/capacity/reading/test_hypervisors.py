"""What is read of hypervisors: all that Placement says of their inventories and that some answer depends on."""

from __future__ import annotations

from moorage.capacity.model.configuration import Configuration
from moorage.capacity.model.hypervisor import Inventory
from moorage.capacity.reading.cloud import read_room
from tests.capacity.fake_cloud import FakeCloud

SAID = {"total": 64, "reserved": 4, "min_unit": 2, "max_unit": 32, "step_size": 2, "allocation_ratio": 4.0}
HOST = {
    "id": "h",
    "hypervisor_hostname": "h",
    "hypervisor_type": "QEMU",
    "running_vms": 1,
    "service_host": "compute-h",
    "traits": ["FAST", "COMPUTE_NODE"],
    "inventories": {"VCPU": SAID},
    "usages": {"VCPU": 8},
}


def test_all_of_an_inventory_is_read() -> None:
    services = FakeCloud({"flavors": [], "hypervisors": [HOST], "aggregates": []}).services()
    [host] = read_room(services.compute, services.placement, Configuration()).hypervisors
    assert host.inventories == {"VCPU": Inventory(**SAID)}  # type: ignore[arg-type]
    assert (host.usages, host.traits) == ({"VCPU": 8}, ("COMPUTE_NODE", "FAST"))
