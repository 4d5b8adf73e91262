"""The steps of the document on instance reservation, one after the other, watched in Placement and compute."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moorage.client.placement import ConsumerAllocations
from moorage.placement.model.inventory import Inventory
from moorage.reservations.model.reservation import SourceFlavor
from tests.compute.servers.yard import MEMBER, STRANGER
from tests.reservations.harbour import HOUR, PROJECT, Harbour


def test_creating_a_host(harbour: Harbour) -> None:
    host = harbour.host("quay")
    assert harbour.provider(host) is None
    harbour.settle()
    provider = harbour.provider(host)
    assert provider is not None
    assert (provider.name, provider.parent_uuid) == ("blazar_quay", host.provider_uuid)
    assert harbour.aggregates() == {"freepool": ("quay",)}
    [pool] = harbour.compute.aggregates()
    [key] = pool.metadata
    assert key.startswith("reservation:")
    assert len(key) > len("reservation:")


def test_creating_a_lease(harbour: Harbour) -> None:
    host = harbour.host("quay")
    lease = harbour.lease((host, 3))
    harbour.settle()
    [reservation] = lease.reservations
    name = f"CUSTOM_RESERVATION_{reservation.id.upper().replace('-', '_')}"
    assert harbour.classes() == {name}
    assert harbour.flavors() == {reservation.id: frozenset()}
    flavor = harbour.compute.flavor(reservation.id)
    assert flavor is not None
    assert (flavor.vcpus, flavor.ram_mb, flavor.disk_gb, flavor.is_public) == (1, 512, 5, False)
    [pool] = harbour.compute.aggregates()
    [key] = pool.metadata
    assert flavor.extra_specs == {f"resources:{name}": "1", key: "true"}
    # No aggregate and no server group of its own, and nothing to use yet.
    assert harbour.aggregates() == {"freepool": ("quay",)}
    assert harbour.compute.server_groups() == ()
    assert harbour.slots(host) == {}
    assert harbour.shown(lease).status == "PENDING"


def test_starting_a_lease(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    lease = harbour.lease((quay, 3), (pier, 1))
    harbour.settle()
    harbour.to_placement.written.clear()
    harbour.to_compute.written.clear()
    harbour.settle(at=HOUR)
    [reservation] = lease.reservations
    expected = Inventory(total=3, reserved=0, min_unit=1, max_unit=1, step_size=1, allocation_ratio=1.0)
    assert harbour.inventory(quay, reservation.resource_class) == expected
    assert harbour.slots(pier) == {reservation.resource_class: 1}
    assert harbour.flavors() == {reservation.id: frozenset({PROJECT})}
    # Nobody may use the flavor before the slots are there: access is the last word.
    assert harbour.to_compute.written == [("POST", f"/flavors/{reservation.id}/action")]
    shown = harbour.shown(lease)
    assert (shown.status, [part.status for part in shown.reservations]) == ("ACTIVE", ["active"])
    assert [event.status for event in shown.events] == ["DONE", "DONE", "UNDONE", "UNDONE"]


def test_a_reservation_provider_that_is_missing_is_made_again(harbour: Harbour) -> None:
    host = harbour.host("quay")
    lease = harbour.lease((host, 2))
    harbour.settle()
    provider = harbour.provider(host)
    assert provider is not None
    harbour.placement.delete_provider(provider.uuid)
    harbour.settle(at=HOUR)
    assert harbour.slots(host) == {lease.reservations[0].resource_class: 2}


def test_launching_instances(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    harbour.yard.host("open")
    lease = harbour.lease((quay, 2), (pier, 1))
    harbour.settle(at=HOUR)
    [reservation] = lease.reservations
    assert sorted(str(harbour.launch(reservation.id)) for _ in range(3)) == ["pier", "quay", "quay"]
    # More than were reserved there are not, and everybody else stays away.
    assert harbour.launch(reservation.id) is None
    ordinary = harbour.yard.flavor("ordinary")
    assert {harbour.launch(ordinary) for _ in range(3)} == {"open"}
    provider = harbour.provider(quay)
    assert provider is not None
    assert harbour.placement.usages(provider.uuid) == {reservation.resource_class: 2}


def test_others_cannot_use_the_flavor(harbour: Harbour) -> None:
    lease = harbour.lease((harbour.host("quay"), 1))
    flavor = lease.reservations[0].id
    harbour.settle()
    assert harbour.yard.by(MEMBER).order(flavor).status in (400, 404)
    harbour.settle(at=HOUR)
    assert harbour.yard.by(STRANGER).order(flavor).status in (400, 404)
    assert harbour.yard.by(MEMBER).order(flavor).status == 202


def test_terminating_a_lease(harbour: Harbour) -> None:
    host = harbour.host("quay")
    lease = harbour.lease((host, 2))
    harbour.settle(at=HOUR)
    [reservation] = lease.reservations
    server = harbour.yard.by(MEMBER).server(reservation.id)
    harbour.settle(at=2 * HOUR)
    assert harbour.compute.server(server) is None
    assert (harbour.flavors(), harbour.slots(host), harbour.classes()) == ({}, {}, set())
    assert harbour.provider(host) is not None
    shown = harbour.shown(lease)
    assert (shown.status, [part.status for part in shown.reservations]) == ("TERMINATED", ["deleted"])
    assert {event.status for event in shown.events} == {"DONE"}


def test_deleting_a_host(harbour: Harbour) -> None:
    host = harbour.host("quay")
    harbour.settle()
    harbour.to_placement.written.clear()
    harbour.to_compute.written.clear()
    provider = harbour.provider(host)
    assert provider is not None
    gone: list[bool] = []
    harbour.to_compute.before = lambda _method, _path: gone.append(harbour.provider(host) is None)
    harbour.delete_host(host)
    harbour.settle()
    assert harbour.provider(host) is None
    assert harbour.aggregates() == {"freepool": ()}
    # The provider went first.
    assert gone == [True]


def test_a_host_that_comes_back_as_another_provider(harbour: Harbour) -> None:
    host = harbour.host("quay")
    harbour.settle()
    other = harbour.yard.host("other")
    stale = harbour.provider(host)
    assert stale is not None
    harbour.placement.update_provider(stale.uuid, stale.name, other)
    harbour.touch_host(host)
    harbour.settle()
    found = harbour.provider(host)
    assert found is not None
    assert found.root_uuid == host.provider_uuid


# --- changes


def test_a_host_that_was_deleted_and_is_registered_again_keeps_what_it_has(harbour: Harbour) -> None:
    quay = harbour.host("quay")
    harbour.settle()
    # Nobody has come to the deletion yet.
    harbour.delete_host(quay)
    again = harbour.host_again("quay")
    harbour.settle()
    assert harbour.provider(again) is not None
    assert harbour.aggregates() == {"freepool": ("quay",)}

    # Registered while its deletion is carried out.
    def register(_method: str, _path: str) -> None:
        harbour.to_compute.before = lambda _method, _path: None
        harbour.host_again("quay")

    harbour.delete_host(again)
    harbour.to_compute.before = register
    harbour.settle()
    assert harbour.provider(again) is not None
    assert harbour.aggregates() == {"freepool": ("quay",)}


def test_a_pending_lease_gets_another_shape(harbour: Harbour) -> None:
    lease = harbour.lease((harbour.host("quay"), 1))
    harbour.settle()
    [reservation] = lease.reservations
    larger = replace(reservation, request=replace(reservation.instances, vcpus=4))
    harbour.change(lease, lambda known: replace(known, status="UPDATING", reservations=(larger,)))
    harbour.settle()
    flavor = harbour.compute.flavor(reservation.id)
    assert flavor is not None
    assert flavor.vcpus == 4
    assert flavor.extra_specs[f"resources:{reservation.resource_class}"] == "1"
    assert harbour.shown(lease).status == "PENDING"


def test_the_flavor_of_a_flavor_reservation_has_all_that_its_source_has(harbour: Harbour) -> None:
    lease = harbour.lease((harbour.host("quay"), 1))
    [reservation] = lease.reservations
    source = SourceFlavor(
        id="7",
        name="gpu",
        vcpus=1,
        ram_mb=512,
        disk_gb=2,
        ephemeral_gb=1,
        swap_mb=64,
        extra_specs={"resources:VGPU": "1"},
    )
    of_flavor = replace(reservation, request=replace(reservation.instances, flavor=source))
    harbour.change(lease, lambda known: replace(known, reservations=(of_flavor,)))
    harbour.settle()
    flavor = harbour.compute.flavor(reservation.id)
    assert flavor is not None
    assert (flavor.disk_gb, flavor.ephemeral_gb, flavor.swap_mb) == (2, 1, 64)
    assert flavor.extra_specs["resources:VGPU"] == "1"
    assert flavor.extra_specs["quota:flavor"] == "gpu"
    assert flavor.extra_specs[f"resources:{reservation.resource_class}"] == "1"


def test_an_active_lease_gets_more_slots_and_moves(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    lease = harbour.lease((quay, 1))
    harbour.settle(at=HOUR)
    [reservation] = lease.reservations
    moved = replace(reservation, status="active", slots=(replace(reservation.slots[0], host_id=pier.id, count=2),))
    harbour.change(lease, lambda known: replace(known, reservations=(moved,)))
    harbour.settle()
    assert (harbour.slots(quay), harbour.slots(pier)) == ({}, {reservation.resource_class: 2})


def test_slots_that_a_lease_moved_away_from_are_closed_while_instances_have_them(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    lease = harbour.lease((quay, 2))
    harbour.settle(at=HOUR)
    [reservation] = lease.reservations
    assert harbour.launch(reservation.id) == "quay"
    moved = replace(reservation, status="active", slots=(replace(reservation.slots[0], host_id=pier.id),))
    harbour.change(lease, lambda known: replace(known, reservations=(moved,)))
    harbour.settle()
    assert harbour.inventory(quay, reservation.resource_class).capacity == 0
    assert harbour.launch(reservation.id) == "pier"
    harbour.settle(at=2 * HOUR)
    assert (harbour.slots(quay), harbour.slots(pier), harbour.classes()) == ({}, {}, set())


# --- ends


@pytest.mark.parametrize("at", [0, 1], ids=["before it starts", "while it is active"])
def test_a_lease_that_is_deleted_leaves_nothing(harbour: Harbour, at: int) -> None:
    host = harbour.host("quay")
    lease = harbour.lease((host, 2))
    harbour.settle(at=at * HOUR)
    harbour.delete_lease(lease)
    harbour.settle()
    assert (harbour.flavors(), harbour.slots(host), harbour.classes()) == ({}, {}, set())
    shown = harbour.shown(lease)
    assert shown.deleted_at is not None
    assert {event.status for event in shown.events} == {"DONE"}


def test_slots_stay_booked_until_whoever_holds_them_is_gone(harbour: Harbour) -> None:
    host = harbour.host("quay")
    lease = harbour.lease((host, 2))
    harbour.settle(at=HOUR)
    [reservation] = lease.reservations
    provider = harbour.provider(host)
    assert provider is not None
    # A migration is no server, and no list of servers has it.
    migration = "7d2a7dc4-5ab4-4f16-8e84-ecf2e2ad2f6e"
    held = ConsumerAllocations({provider.uuid: {reservation.resource_class: 1}}, PROJECT, "mate", "MIGRATION")
    harbour.placement.put_allocations(migration, held)
    harbour.settle(at=2 * HOUR)
    waiting = harbour.shown(lease)
    assert (waiting.status, [part.status for part in waiting.reservations]) == ("TERMINATING", ["active"])
    assert migration in waiting.status_reason
    assert reservation.resource_class in harbour.slots(host)
    # Nobody may start anything there, meanwhile.
    assert harbour.flavors() == {reservation.id: frozenset()}
    harbour.placement.delete_allocations(migration)
    harbour.settle(at=3 * HOUR)
    ended = harbour.shown(lease)
    assert (ended.status, ended.status_reason) == ("TERMINATED", "")
    assert (harbour.slots(host), harbour.classes()) == ({}, set())


def test_a_lease_whose_start_and_end_were_both_missed_is_over(harbour: Harbour) -> None:
    host = harbour.host("quay")
    lease = harbour.lease((host, 1))
    harbour.settle()
    harbour.settle(at=5 * HOUR)
    assert harbour.shown(lease).status == "TERMINATED"
    assert (harbour.flavors(), harbour.slots(host), harbour.classes()) == ({}, {}, set())
