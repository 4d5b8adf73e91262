"""Hosts, allocations and properties through the API."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx
import pytest

from moorage.client.placement import ConsumerAllocations
from moorage.placement.model.inventory import Inventory
from tests.reservations.api.clouds import ReservationCloud, Reserver, at, instances, new_lease, shown, whole_hosts


def test_a_host_is_shown_with_what_it_is_and_can(cloud: ReservationCloud) -> None:
    host = cloud.add_host("three", vcpus=4, gpu="True")
    assert (host["hypervisor_hostname"], host["service_name"], host["reservable"]) == ("three", "three", True)
    assert (host["vcpus"], host["memory_mb"], host["local_gb"], host["gpu"]) == (4, 16384, 100, "True")
    assert host["id"].isdecimal()
    assert host["trust_id"] is None
    assert cloud.admin.ask("GET", f"/os-hosts/{host['id']}")["host"] == host
    assert host in cloud.admin.ask("GET", "/os-hosts")["hosts"]


def test_only_hosts_that_are_known_and_free_are_taken(cloud: ReservationCloud) -> None:
    admin = cloud.admin
    assert admin.refused("POST", "/os-hosts", {"name": "one"})[0] == 409
    assert admin.refused("POST", "/os-hosts", {"name": "nobody"})[0] == 404
    assert admin.refused("POST", "/os-hosts", {"gpu": "1"})[0] == 403
    uuid = cloud.compute.add_host("busy")
    somebody = ConsumerAllocations({uuid: {"VCPU": 1}}, "p", "u", "INSTANCE")
    cloud.compute.placement.put_allocations("6f0e0f5e-0000-4000-8000-000000000001", somebody)
    assert admin.refused("POST", "/os-hosts", {"name": "busy"})[0] == 409
    assert len(admin.ask("GET", "/os-hosts")["hosts"]) == 2


def test_capabilities_are_set_and_taken_away(cloud: ReservationCloud, tycho: Reserver) -> None:
    admin, host = cloud.admin, cloud.add_host("three", gpu="1", ssd="yes")
    path = f"/os-hosts/{host['id']}"
    assert admin.ask("PUT", path, {"gpu": "2"})["host"]["gpu"] == "2"
    assert "ssd" not in admin.ask("PUT", path, {"ssd": None})["host"]
    assert admin.refused("PUT", path, {})[0] == 400
    assert admin.refused("PUT", path, {"k" * 65: "v"})[0] == 400
    assert admin.refused("PUT", path, {"vcpus": "100"})[0] == 400
    tycho.lease(1, 25, whole_hosts(1, resource_properties='["==", "$gpu", "2"]'))
    assert admin.refused("PUT", path, {"gpu": "3"})[0] == 409
    assert admin.ask("PUT", path, {"ssd": "no"})["host"]["ssd"] == "no"


def test_a_reserved_host_stays(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 25, whole_hosts(1))
    [host] = cloud.slots(lease)
    assert cloud.admin.refused("DELETE", f"/os-hosts/{host}")[0] == 409
    tycho.ask("DELETE", f"/leases/{lease['id']}")
    cloud.admin.ask("DELETE", f"/os-hosts/{host}")
    assert cloud.admin.refused("GET", f"/os-hosts/{host}")[0] == 404
    assert cloud.admin.refused("DELETE", f"/os-hosts/{host}")[0] == 404
    assert tycho.refused("POST", "/leases", new_lease(1, 25, whole_hosts(2)))[0] == 409


def test_hosts_are_for_administrators(cloud: ReservationCloud, tycho: Reserver) -> None:
    for method, path in (
        ("GET", "/os-hosts"),
        ("GET", "/os-hosts/1"),
        ("DELETE", "/os-hosts/1"),
        ("GET", "/os-hosts/allocations"),
        ("GET", "/os-hosts/properties"),
    ):
        assert tycho.refused(method, path)[0] == 403
    assert tycho.refused("POST", "/os-hosts", {"name": "one"})[0] == 403


@pytest.mark.parametrize("host", ["0", "one", "99999999999999999999", "-1"])
def test_unknown_hosts_are_not_there(cloud: ReservationCloud, host: str) -> None:
    assert cloud.admin.refused("GET", f"/os-hosts/{host}")[0] == 404


def test_allocations_have_an_item_for_each_slot(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 25, instances(3, affinity=True))
    other = tycho.lease(2, 3, instances(1, affinity=True))
    [reservation] = lease["reservations"]
    item = {"id": reservation["id"], "lease_id": lease["id"], "start_date": shown(1), "end_date": shown(25)}
    [host] = cloud.slots(lease)
    admin = cloud.admin
    [allocation] = admin.ask("GET", "/os-hosts/allocations", lease_id=lease["id"])["allocations"]
    assert allocation == {"resource_id": host, "reservations": [item] * 3}
    assert admin.ask("GET", "/os-hosts/allocations", reservation_id=reservation["id"])["allocations"] == [allocation]
    shown_of_host = admin.ask("GET", f"/os-hosts/{host}/allocation")["allocation"]["reservations"]
    assert {found["lease_id"] for found in shown_of_host} == {lease["id"], other["id"]}


def test_properties_are_listed_and_hidden(cloud: ReservationCloud) -> None:
    admin = cloud.admin
    cloud.add_host("three", gpu="1")
    cloud.add_host("four", gpu="2", ssd="yes")
    assert admin.ask("GET", "/os-hosts/properties")["resource_properties"] == [{"property": "gpu"}, {"property": "ssd"}]
    hidden = admin.ask("PATCH", "/os-hosts/properties/ssd", {"private": True})["resource_property"]
    assert (hidden["property_name"], hidden["private"], hidden["resource_type"]) == ("ssd", True, "physical:host")
    assert admin.ask("GET", "/os-hosts/properties", detail=True)["resource_properties"] == [
        {"property": "gpu", "private": False, "values": ["1", "2"]}
    ]
    assert len(admin.ask("GET", "/os-hosts/properties", all=True)["resource_properties"]) == 2
    assert admin.refused("PATCH", "/os-hosts/properties/rgb", {"private": True})[0] == 404
    assert admin.refused("PATCH", "/os-hosts/properties/ssd", {"private": "yes"})[0] == 400


def test_capacity_is_what_placement_says(cloud: ReservationCloud, tycho: Reserver) -> None:
    """Ratio, what is held back, and the largest single amount count; so does what runs without a reservation."""
    uuid = cloud.compute.add_host("three")
    cloud.admin.ask("POST", "/os-hosts", {"name": "three", "big": "yes"})
    only_it: dict[str, Any] = {"resource_properties": '["==", "$big", "yes"]'}
    placement = cloud.compute.placement
    found = placement.inventories(uuid)
    vcpus = Inventory(total=8, reserved=2, allocation_ratio=4.0, max_unit=6)
    placement.put_inventories(uuid, {**found.inventories, "VCPU": vcpus}, found.generation)
    assert tycho.refused("POST", "/leases", new_lease(1, 2, instances(25, **only_it)))[0] == 409
    assert tycho.refused("POST", "/leases", new_lease(1, 2, instances(1, 7, **only_it)))[0] == 409
    tycho.lease(1, 2, instances(24, **only_it))
    somebody = ConsumerAllocations({uuid: {"VCPU": 4}}, "p", "u", "INSTANCE")
    placement.put_allocations("6f0e0f5e-0000-4000-8000-000000000002", somebody)
    assert tycho.refused("POST", "/leases", new_lease(3, 4, instances(21, **only_it)))[0] == 409
    tycho.lease(3, 4, instances(20, **only_it))
    assert tycho.refused("POST", "/leases", new_lease(5, 6, whole_hosts(1, **only_it)))[0] == 409


def test_versions_and_errors_are_worded_as_blazar_words_them(cloud: ReservationCloud, tycho: Reserver) -> None:

    with httpx.Client(transport=httpx.WSGITransport(app=cloud.application), base_url="http://cloud") as client:
        for path in ("/reservation/", "/reservation/versions"):
            answer = client.get(path)
            assert answer.status_code == 300
            [version] = answer.json()["versions"]
            assert (version["id"], version["status"], version["max_version"]) == ("v1.0", "CURRENT", "1.0")
        assert client.get("/reservation/v1/leases").status_code == 401
    answer = tycho.send("GET", "/leases")
    assert answer.headers["openstack-api-version"] == "reservation 1.0"
    for version, status in (("reservation latest", 200), ("reservation 1.1", 406), ("reservation one", 400)):
        answer = tycho.send("GET", "/leases", headers={"OpenStack-API-Version": version})
        assert answer.status_code == status
    assert tycho.send("PATCH", "/leases").json()["error"] == 405
    assert tycho.refused("GET", "/nowhere")[0] == 404
    assert tycho.ask("GET", "/plugins")["plugins"][0] == {"resource_type": "virtual:instance"}
    assert at(0) == "2030-01-01 12:00"


def test_a_host_in_maintenance_is_busy(cloud: ReservationCloud, tycho: Reserver) -> None:
    [one, _] = cloud.admin.ask("GET", "/os-hosts")["hosts"]
    path = f"/os-hosts/{one['id']}/maintenance"
    window = {"start_date": at(5), "end_date": at(6), "reason": "fans"}
    [shown_window] = cloud.admin.ask("PUT", path, {"maintenance": [window]})["host"]["maintenance"]
    assert (shown_window["start_date"], shown_window["reason"]) == (shown(5), "fans")
    assert tycho.refused("POST", "/leases", new_lease(5.5, 7, whole_hosts(2)))[0] == 409
    tycho.lease(6, 7, whole_hosts(2))
    backwards = {"maintenance": [{"start_date": at(6), "end_date": at(5)}]}
    assert cloud.admin.refused("PUT", path, backwards)[0] == 400
    assert tycho.refused("PUT", path, {"maintenance": []})[0] == 403
    cloud.admin.ask("PUT", path, {"maintenance": []})
    tycho.lease(5, 6, whole_hosts(2))


def test_a_host_is_found_again_when_its_provider_was_made_anew(cloud: ReservationCloud, tycho: Reserver) -> None:
    placement = cloud.room.placement
    old = placement.provider_named("one")
    assert old is not None
    placement.delete_provider(old.uuid)
    cloud.compute.add_host("one", vcpus=8)
    assert tycho.lease(1, 2, instances(16))["status"] == "PENDING"


def test_a_host_in_use_below_its_provider_is_in_use(cloud: ReservationCloud) -> None:
    cloud.compute.add_host("three")
    placement = cloud.room.placement
    root = placement.provider_named("three")
    assert root is not None
    card = str(uuid4())
    placement.create_provider(card, "three_gpu", root.uuid)
    placement.put_inventories(card, {"VGPU": Inventory(total=4)}, 0)
    placement.put_allocations(str(uuid4()), ConsumerAllocations({card: {"VGPU": 1}}, "p", "u", "INSTANCE"))
    assert cloud.admin.refused("POST", "/os-hosts", {"name": "three"})[0] == 409


def test_a_flavor_may_take_parts_from_several_providers(cloud: ReservationCloud, tycho: Reserver) -> None:
    """Three cards with one GPU each: one instance with two of them fits, and then one with a single one."""
    cloud.add_host("three")
    placement = cloud.room.placement
    root = placement.provider_named("three")
    assert root is not None
    for number in range(3):
        card = str(uuid4())
        placement.create_provider(card, f"three_gpu_{number}", root.uuid)
        placement.put_inventories(card, {"VGPU": Inventory(total=1)}, 0)
    for name, specs in {
        "two": {"resources1:VGPU": "1", "resources2:VGPU": "1", "group_policy": "isolate"},
        "one": {"resources:VGPU": "1"},
        "large": {"resources:VGPU": "2"},
    }.items():
        body = {"flavor": {"name": name, "id": name, "vcpus": 1, "ram": 512, "disk": 1}}
        cloud.compute.admin.post("/flavors", body)
        cloud.compute.admin.post(f"/flavors/{name}/os-extra_specs", {"extra_specs": specs})

    def of(name: str, amount: int = 1) -> dict[str, Any]:
        return {"resource_type": "flavor:instance", "flavor_id": name, "amount": amount}

    assert tycho.refused("POST", "/leases", new_lease(1, 2, of("large")))[0] == 409
    assert tycho.refused("POST", "/leases", new_lease(1, 2, of("two", 2)))[0] == 409
    lease = tycho.lease(1, 2, of("two"))
    assert lease["reservations"][0]["resources"] == {"VCPU": 1, "MEMORY_MB": 512, "DISK_GB": 1, "VGPU": 2}
    assert tycho.refused("POST", "/leases", new_lease(1, 2, of("two")))[0] == 409
    tycho.lease(1, 2, of("one"))
    assert tycho.refused("POST", "/leases", new_lease(1, 2, of("one")))[0] == 409
