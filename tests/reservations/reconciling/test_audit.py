"""Leases and the cloud are compared, and what does not agree is put right."""

from __future__ import annotations

from moorage.reservations.enactment.providers import slots_of
from moorage.reservations.reconciling.audit import audit
from moorage.reservations.reconciling.repairs import repair
from tests.reservations.harbour import HOUR, PROJECT, Harbour


def fix(harbour: Harbour) -> list[bool]:
    done = [repair(harbour.workplace, finding) for finding in audit(harbour.workplace)]
    harbour.settle()
    return done


def test_what_agrees_is_not_mentioned(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    harbour.lease((quay, 1))
    harbour.lease((pier, 1), whole_hosts=True)
    for at in (0, 1, 2):
        harbour.settle(at=at * HOUR)
        assert audit(harbour.workplace) == []


def test_what_is_missing_is_made_again(harbour: Harbour) -> None:
    host = harbour.host("quay")
    lease = harbour.lease((host, 2))
    harbour.settle(at=HOUR)
    [reservation] = lease.reservations
    provider = harbour.provider(host)
    assert provider is not None
    harbour.placement.delete_inventory(provider.uuid, reservation.resource_class)
    harbour.compute.revoke_flavor(reservation.id, PROJECT)
    assert {finding.kind for finding in audit(harbour.workplace)} == {"missing"}
    assert all(fix(harbour))
    assert audit(harbour.workplace) == []
    assert harbour.slots(host) == {reservation.resource_class: 2}
    harbour.compute.delete_flavor(reservation.id)
    assert all(fix(harbour))
    assert harbour.flavors() == {reservation.id: frozenset({PROJECT})}


def test_what_is_left_of_a_lease_that_is_over_is_removed(harbour: Harbour) -> None:
    host = harbour.host("quay")
    lease = harbour.lease((host, 2))
    harbour.settle(at=HOUR)
    harbour.settle(at=2 * HOUR)
    [reservation] = lease.reservations
    # As if a backup of Placement had been restored.
    harbour.placement.ensure_resource_class(reservation.resource_class)
    provider = harbour.provider(host)
    assert provider is not None
    known = harbour.placement.inventories(provider.uuid)
    harbour.placement.put_inventories(provider.uuid, {reservation.resource_class: slots_of(2)}, known.generation)
    [finding] = audit(harbour.workplace)
    assert (finding.kind, finding.repair) == ("leftover", "end again")
    assert fix(harbour) == [True]
    assert (harbour.slots(host), harbour.classes(), audit(harbour.workplace)) == ({}, set(), [])


def test_what_belongs_to_nobody_known_is_left_alone(harbour: Harbour) -> None:
    harbour.host("quay")
    harbour.settle()
    harbour.placement.ensure_resource_class("CUSTOM_RESERVATION_SOMEBODY_ELSES")
    [finding] = audit(harbour.workplace)
    assert (finding.kind, finding.repair) == ("unknown", None)
    assert fix(harbour) == [False]
    assert harbour.classes() == {"CUSTOM_RESERVATION_SOMEBODY_ELSES"}


def test_hosts_get_their_provider_and_their_place_in_the_pool_back(harbour: Harbour) -> None:
    host = harbour.host("quay")
    harbour.settle()
    provider = harbour.provider(host)
    assert provider is not None
    harbour.placement.delete_provider(provider.uuid)
    harbour.compute.remove_host(harbour.cloud.pool, "quay")
    assert len(audit(harbour.workplace)) == 2
    assert all(fix(harbour))
    assert (harbour.provider(host) is not None, harbour.aggregates()) == (True, {"freepool": ("quay",)})
