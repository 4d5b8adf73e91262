"""Mistakes that were measured in Blazar 18.0.0, which the reservation API must not make: one test for each."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

import moorage.reservations
from moorage.client.placement import ConsumerAllocations
from moorage.reservations.healing.healing import heal
from tests.reservations.api.clouds import (
    ReservationCloud,
    Reserver,
    at,
    instances,
    new_lease,
    shown,
    whole_hosts,
)
from tests.reservations.api.conftest import cloud, tycho

__all__ = ["cloud", "tycho"]


def flavored(cloud: ReservationCloud, vcpus: int = 1) -> dict[str, object]:
    cloud.compute.admin.post("/flavors", {"flavor": {"name": "m1", "id": "m1", "vcpus": vcpus, "ram": 512, "disk": 1}})
    return {"resource_type": "flavor:instance", "flavor_id": "m1"}


def change_of(lease: dict[str, list[dict[str, str]]], **fields: object) -> dict[str, object]:
    return {"reservations": [{"id": lease["reservations"][0]["id"], **fields}]}


def test_d1_every_slot_counts(cloud: ReservationCloud, tycho: Reserver) -> None:
    """A reservation of several slots on a host counted once: 12 slots were sold on two hosts of 4."""
    tycho.lease(1, 2, instances(14))
    tycho.lease(1, 2, instances(2))
    assert tycho.refused("POST", "/leases", new_lease(1, 2, instances(1)))[0] == 409


def test_d2_a_slot_counts_only_where_it_is(cloud: ReservationCloud, tycho: Reserver) -> None:
    """The whole amount of a reservation of a flavor counted on every host it touched."""
    wanted = flavored(cloud)
    tycho.lease(1, 2, {**wanted, "amount": 2, "affinity": False})
    tycho.lease(1, 2, {**wanted, "amount": 14})
    assert tycho.refused("POST", "/leases", new_lease(1, 2, {**wanted, "amount": 1}))[0] == 409


def test_d3_leases_may_follow_each_other_without_a_gap(cloud: ReservationCloud, tycho: Reserver) -> None:
    tycho.lease(1, 2, instances(16))
    tycho.lease(2, 3, instances(16))
    tycho.lease(3, 4, whole_hosts(2))
    assert tycho.refused("POST", "/leases", new_lease(2 - 1 / 60, 2, instances(1)))[0] == 409


def test_d4_instances_are_healed(cloud: ReservationCloud, tycho: Reserver) -> None:
    """Healing of instances crashed, and nobody was told."""
    lease = tycho.lease(1, 5, instances(3, affinity=True))
    cloud.settle(1)
    [failed] = cloud.slots(lease)
    root = cloud.room.placement.provider_named(cloud.names()[failed])
    assert root is not None
    traits = cloud.room.placement.traits(root.uuid)
    cloud.room.placement.put_traits(root.uuid, traits.traits | {"COMPUTE_STATUS_DISABLED"}, traits.generation)
    heal(cloud.room)
    cloud.settle()
    assert failed not in cloud.slots(lease)
    assert sum(cloud.slots(lease).values()) == 3
    assert tycho.shown(lease)["reservations"][0]["resources_changed"]


@pytest.mark.parametrize("resource_type", ["virtual:instance", "flavor:instance"])
def test_d5_nothing_cannot_be_reserved(cloud: ReservationCloud, tycho: Reserver, resource_type: str) -> None:
    """Instances that take nothing fitted endlessly often: the manager never came back."""
    specs = {"resources:VCPU": "0", "resources:MEMORY_MB": "0", "resources:DISK_GB": "0"}
    flavored(cloud)
    cloud.compute.admin.post("/flavors/m1/os-extra_specs", {"extra_specs": specs})
    wanted = {"resource_type": resource_type, "vcpus": 0, "memory_mb": 0, "disk_gb": 0, "amount": 1, "flavor_id": "m1"}
    assert tycho.refused("POST", "/leases", new_lease(1, 2, wanted))[0] == 400


def test_d6_nothing_leaks_at_the_end(cloud: ReservationCloud, tycho: Reserver) -> None:
    """With something still allocated the lease was TERMINATED, and inventory and class stayed for ever."""
    lease = tycho.lease(1, 2, instances(1))
    cloud.settle(1)
    placement = cloud.room.placement
    resource_class = f"CUSTOM_RESERVATION_{lease['reservations'][0]['id'].upper().replace('-', '_')}"
    [host] = [cloud.names()[number] for number in cloud.slots(lease)]
    provider = placement.provider_named(f"blazar_{host}")
    assert provider is not None
    consumer = "6f0e0f5e-0000-4000-8000-000000000006"
    placement.put_allocations(
        consumer, ConsumerAllocations({provider.uuid: {resource_class: 1}}, "p", "u", "MIGRATION")
    )
    cloud.settle(2)
    waiting = tycho.shown(lease)
    assert (waiting["status"], consumer in waiting["status_reason"]) == ("TERMINATING", True)
    assert tycho.refused("POST", "/leases", new_lease(2.1, 2.5, instances(16)))[0] == 409
    placement.delete_allocations(consumer)
    cloud.settle(3)
    assert tycho.shown(lease)["status"] == "TERMINATED"
    assert resource_class not in placement.known_resource_classes()
    assert placement.inventories(provider.uuid).inventories == {}


@pytest.mark.parametrize("wanted", [{"before_end_date": at(9)}, {"vcpus": 2}], ids=str)
def test_d7_a_mistake_does_not_wreck_a_lease(
    cloud: ReservationCloud, tycho: Reserver, wanted: dict[str, object]
) -> None:
    """It went to ERROR."""
    lease = tycho.lease(1, 5, instances(1))
    cloud.settle(1)
    before = tycho.shown(lease)
    body = wanted if "before_end_date" in wanted else change_of(lease, **wanted)
    assert tycho.refused("PUT", f"/leases/{lease['id']}", body)[0] in {403, 409}
    assert tycho.shown(lease) == before
    assert before["status"] == "ACTIVE"


@pytest.mark.parametrize(
    ("wanted", "status"),
    [
        (instances(100), 409),
        ({"resource_type": "virtual:unicorn"}, 400),
        (instances(resource_properties='["==", "$unicorns", "1"]'), 400),
        ({**instances(), "amount": "abc"}, 400),
        ({**instances(), "vcpus": "x"}, 400),
    ],
)
def test_d8_what_users_do_is_no_error_of_the_server(tycho: Reserver, wanted: dict[str, object], status: int) -> None:
    """All of it was 500."""
    assert tycho.refused("POST", "/leases", new_lease(1, 2, wanted))[0] == status


def test_d8_what_was_an_error_and_is_none(tycho: Reserver) -> None:
    without_affinity = {key: value for key, value in instances(1).items() if key != "affinity"}
    tycho.lease(1, 2, without_affinity)
    tycho.lease(1, 2, {**instances(), "vcpus": "1"})


# D9, locking: tests/reservations/api/test_at_the_same_time.py books from several processes' worth of connections.


def test_d10_a_change_is_done_as_a_whole_or_not_at_all(cloud: ReservationCloud, tycho: Reserver) -> None:
    """What was changed before the part that failed stayed changed."""
    lease = tycho.lease(1, 5, instances(2), instances(2))
    before, slots = tycho.shown(lease), cloud.slots(lease)
    first, second = (one["id"] for one in lease["reservations"])
    wanted = {
        "name": "other",
        "end_date": at(6),
        "reservations": [{"id": first, "amount": 3}, {"id": second, "amount": 99}],
    }
    assert tycho.refused("PUT", f"/leases/{lease['id']}", wanted)[0] == 409
    assert (tycho.shown(lease), cloud.slots(lease)) == (before, slots)


def test_d11_it_answers_whatever_is_logged(tycho: Reserver) -> None:
    """The list of plugins was 500, and so was everything with a log level above INFO."""
    names = {one["resource_type"] for one in tycho.ask("GET", "/plugins")["plugins"]}
    assert names == {"virtual:instance", "flavor:instance", "physical:host"}
    logger, level = logging.getLogger(), logging.getLogger().level
    logger.setLevel(logging.CRITICAL)
    try:
        assert tycho.ask("GET", "/leases") == {"leases": []}
    finally:
        logger.setLevel(level)


def test_d12_a_lease_does_not_end_when_it_begins(tycho: Reserver) -> None:
    lease = tycho.lease(1, 5, instances(1))
    assert tycho.refused("PUT", f"/leases/{lease['id']}", {"end_date": at(1)})[0] == 400
    assert tycho.shown(lease)["end_date"] == shown(5)


def test_d13_a_lease_without_reservations_holds_nothing(cloud: ReservationCloud, tycho: Reserver) -> None:
    """That one is kept: upstream's own tests make such leases."""
    lease = tycho.lease(1, 5)
    tycho.lease(1, 5, whole_hosts(2))
    cloud.settle(1)
    assert tycho.shown(lease)["status"] == "ACTIVE"
    cloud.settle(5)
    assert tycho.shown(lease)["status"] == "TERMINATED"


def test_d14_nothing_is_printed(tycho: Reserver, capfd: pytest.CaptureFixture[str]) -> None:
    """A debugging aid was left in the search for hosts."""
    tycho.lease(1, 5, instances(1), whole_hosts(1))
    assert capfd.readouterr().out == ""
    files = Path(moorage.reservations.__file__).parent.rglob("*.py")
    assert not [file for file in files if "print(" in file.read_text()]


def test_d15_hosts_of_a_reserved_flavor_can_be_changed(cloud: ReservationCloud, tycho: Reserver) -> None:
    """No capability of a host could be changed once a flavor was reserved on it."""
    lease = tycho.lease(1, 5, {**flavored(cloud), "amount": 1})
    [host] = cloud.slots(lease)
    assert cloud.admin.ask("PUT", f"/os-hosts/{host}", {"rack": "7"})["host"]["rack"] == "7"


def test_d16_a_lease_does_not_stand_in_its_own_way(cloud: ReservationCloud, tycho: Reserver) -> None:
    """A lease that filled its hosts could not even be shrunk."""
    lease = tycho.lease(1, 5, instances(16))
    assert tycho.change(lease, **change_of(lease, amount=15))["reservations"][0]["amount"] == 15
    assert tycho.change(lease, **change_of(lease, amount=16, memory_mb=256))["reservations"][0]["memory_mb"] == 256
    assert tycho.change(lease, start_date=at(2), end_date=at(7))["end_date"] == shown(7)
