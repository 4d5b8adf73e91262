"""Whole hosts: out of the free pool into the reservation's aggregate, and back; both ends of the flow with servers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moorage.db.database import Database
from tests.compute.servers.yard import MEMBER, STRANGER
from tests.reservations.harbour import HOUR, PROJECT, TRAITS, Harbour, open_harbour


def test_a_host_moves_to_its_reservation_and_back(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    lease = harbour.lease((quay, 1), whole_hosts=True)
    name = f"reservation:{lease.reservations[0].id}"
    harbour.settle()
    assert harbour.aggregates() == {"freepool": ("pier", "quay"), name: ()}
    harbour.settle(at=HOUR)
    assert harbour.aggregates() == {"freepool": ("pier",), name: ("quay",)}
    [own] = [aggregate for aggregate in harbour.compute.aggregates() if aggregate.name == name]
    assert own.metadata == {name: "true", "filter_tenant_id": PROJECT}
    harbour.settle(at=2 * HOUR)
    assert harbour.aggregates() == {"freepool": ("pier", "quay")}
    assert harbour.shown(lease).status == "TERMINATED"
    assert pier.id != quay.id


def test_who_has_the_key_gets_the_reserved_host_and_who_has_not_stays_off(harbour: Harbour) -> None:
    harbour.host("quay")
    quay = harbour.host("pier")
    harbour.yard.host("open")
    lease = harbour.lease((quay, 1), whole_hosts=True)
    harbour.settle(at=HOUR)
    key = f"reservation:{lease.reservations[0].id}"
    flavor = harbour.yard.flavor("ordinary")
    with_key = harbour.yard.image("with the key", {key: "true"})
    assert {harbour.launch(flavor, with_key) for _ in range(4)} == {"pier"}
    assert {harbour.launch(flavor) for _ in range(4)} == {"open"}
    # The key alone helps nobody in another project.
    assert harbour.yard.by(STRANGER).order(flavor, with_key).status in (400, 404)


def test_servers_go_with_the_lease_and_the_host_comes_back_empty(harbour: Harbour) -> None:
    quay = harbour.host("quay")
    lease = harbour.lease((quay, 1), whole_hosts=True)
    harbour.settle(at=HOUR)
    key = f"reservation:{lease.reservations[0].id}"
    image = harbour.yard.image("with the key", {key: "true"})
    server = harbour.yard.by(MEMBER).server(harbour.yard.flavor("ordinary"), image)
    assert harbour.yard.place_of(server) == "quay"
    harbour.settle(at=2 * HOUR)
    assert harbour.compute.server(server) is None
    assert harbour.aggregates() == {"freepool": ("quay",)}


def test_a_host_is_in_one_of_both_at_every_step(harbour: Harbour) -> None:
    quay = harbour.host("quay")
    harbour.lease((quay, 1), whole_hosts=True)
    harbour.settle()

    def look(_method: str, _path: str) -> None:
        assert any("quay" in hosts for hosts in harbour.aggregates().values())

    harbour.to_compute.before = look
    harbour.settle(at=HOUR)
    harbour.settle(at=2 * HOUR)
    assert harbour.aggregates() == {"freepool": ("quay",)}


def test_a_host_is_handed_over_only_when_the_lease_before_has_left_it(harbour: Harbour) -> None:
    quay = harbour.host("quay")
    first = harbour.lease((quay, 1), whole_hosts=True)
    second = harbour.lease((quay, 1), whole_hosts=True, start=2 * HOUR, end=3 * HOUR)
    harbour.settle(at=HOUR)
    # The end of the first cannot be carried out for now.
    harbour.to_compute.before = _refuse_removal
    harbour.settle(at=2 * HOUR)
    assert (harbour.shown(first).status, harbour.shown(second).status) == ("TERMINATING", "STARTING")
    assert first.id in harbour.shown(second).status_reason
    harbour.to_compute.before = lambda _method, _path: None
    harbour.settle(at=2.2 * HOUR)
    harbour.settle(at=2.5 * HOUR)
    assert (harbour.shown(first).status, harbour.shown(second).status) == ("TERMINATED", "ACTIVE")
    assert harbour.aggregates() == {"freepool": (), f"reservation:{second.reservations[0].id}": ("quay",)}


def _refuse_removal(method: str, path: str) -> None:
    from moorage.client.errors import Unavailable

    if path.endswith("/action") and "aggregates" in path:
        raise Unavailable("Compute is away.")


# --- a cloud that understands traits alone, as Nova does


@pytest.fixture
def by_traits(database: Database) -> Harbour:
    return open_harbour(database, TRAITS)


def test_with_traits_a_private_flavor_leads_to_the_reserved_host(by_traits: Harbour) -> None:
    harbour = by_traits
    quay = harbour.host("quay")
    harbour.host("pier")
    harbour.yard.host("open")
    lease = harbour.lease((quay, 1), whole_hosts=True)
    harbour.settle(at=HOUR)
    [reservation] = lease.reservations
    assert reservation.resource_class in harbour.placement.traits(quay.provider_uuid).traits
    assert harbour.launch(reservation.id) == "quay"
    assert harbour.launch(reservation.id) is None
    assert {harbour.launch(harbour.yard.flavor("ordinary")) for _ in range(1)} == {"open"}
    harbour.settle(at=2 * HOUR)
    # The server that found no place on the full host has gone with the lease, too.
    assert [server.host for server in harbour.compute.servers()] == ["open"]
    assert reservation.resource_class not in harbour.placement.traits(quay.provider_uuid).traits
    assert harbour.placement.known_traits([reservation.resource_class]) == frozenset()
    assert (harbour.flavors(), harbour.aggregates()) == ({}, {"freepool": ("pier", "quay")})


def test_with_traits_the_private_flavor_is_no_larger_than_one_server_may_be(by_traits: Harbour) -> None:
    """A Nova that sells each core twice still gives no server more cores than the host has."""
    harbour = by_traits
    quay = harbour.host("quay")
    offered = harbour.placement.inventories(quay.provider_uuid)
    cores = replace(offered.inventories["VCPU"], allocation_ratio=2.0)
    harbour.placement.put_inventories(quay.provider_uuid, {**offered.inventories, "VCPU": cores}, offered.generation)
    lease = harbour.lease((quay, 1), whole_hosts=True)
    harbour.settle(at=HOUR)
    assert harbour.launch(lease.reservations[0].id) == "quay"


def test_with_traits_instances_go_to_their_slots_and_others_stay_off(by_traits: Harbour) -> None:
    harbour = by_traits
    quay, pier = harbour.host("quay"), harbour.host("pier")
    harbour.yard.host("open")
    lease = harbour.lease((quay, 2), (pier, 1))
    harbour.settle(at=HOUR)
    [reservation] = lease.reservations
    [pool] = harbour.compute.aggregates()
    assert pool.metadata["trait:CUSTOM_RESERVATION_FREE_POOL"] == "required"
    assert sorted(str(harbour.launch(reservation.id)) for _ in range(3)) == ["pier", "quay", "quay"]
    assert harbour.launch(reservation.id) is None
    ordinary = harbour.yard.flavor("ordinary")
    assert {harbour.launch(ordinary) for _ in range(3)} == {"open"}
    harbour.settle(at=2 * HOUR)
    assert (harbour.flavors(), harbour.slots(quay), harbour.classes()) == ({}, {}, set())
