"""Leases and the cloud are compared, and what does not agree is put right."""

from __future__ import annotations

from moorage.db.database import Transaction
from moorage.reservations.enactment.providers import slots_of
from moorage.reservations.reconciling.audit import audit
from moorage.reservations.reconciling.repairs import repair
from moorage.reservations.store.tables import enactment_steps, lease_events, leases, reservation_slots, reservations
from tests.reservations.harbour import HOUR, PROJECT, Harbour


def fix(harbour: Harbour) -> list[bool]:
    done = [repair(harbour.context, finding) for finding in audit(harbour.context)]
    harbour.settle()
    return done


def test_what_agrees_is_not_mentioned(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    harbour.lease((quay, 1))
    harbour.lease((pier, 1), whole_hosts=True)
    for at in (0, 1, 2):
        harbour.settle(at=at * HOUR)
        assert audit(harbour.context) == []


def test_what_is_missing_is_made_again(harbour: Harbour) -> None:
    host = harbour.host("quay")
    lease = harbour.lease((host, 2))
    harbour.settle(at=HOUR)
    [reservation] = lease.reservations
    provider = harbour.provider(host)
    assert provider is not None
    harbour.placement.delete_inventory(provider.uuid, reservation.resource_class)
    harbour.compute.revoke_flavor(reservation.id, PROJECT)
    assert {finding.kind for finding in audit(harbour.context)} == {"missing"}
    assert all(fix(harbour))
    assert audit(harbour.context) == []
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
    [finding] = audit(harbour.context)
    assert (finding.kind, finding.repair) == ("leftover", "end again")
    assert fix(harbour) == [True]
    assert (harbour.slots(host), harbour.classes(), audit(harbour.context)) == ({}, set(), [])


def test_what_belongs_to_nobody_known_is_left_alone(harbour: Harbour) -> None:
    harbour.host("quay")
    harbour.settle()
    harbour.placement.ensure_resource_class("CUSTOM_RESERVATION_SOMEBODY_ELSES")
    [finding] = audit(harbour.context)
    assert (finding.kind, finding.repair) == ("unknown", "remove")
    assert fix(harbour) == [False]
    assert harbour.classes() == {"CUSTOM_RESERVATION_SOMEBODY_ELSES"}


def test_hosts_get_their_provider_and_their_place_in_the_pool_back(harbour: Harbour) -> None:
    host = harbour.host("quay")
    harbour.settle()
    provider = harbour.provider(host)
    assert provider is not None
    harbour.placement.delete_provider(provider.uuid)
    harbour.compute.remove_host(harbour.cloud.pool.id, "quay")
    assert len(audit(harbour.context)) == 2
    assert all(fix(harbour))
    assert (harbour.provider(host) is not None, harbour.aggregates()) == (True, {"freepool": ("quay",)})


def test_slots_where_a_lease_has_no_place_go(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    lease = harbour.lease((quay, 2))
    harbour.settle(at=HOUR)
    [reservation] = lease.reservations
    provider = harbour.provider(pier)
    assert provider is not None
    known = harbour.placement.inventories(provider.uuid)
    harbour.placement.put_inventories(provider.uuid, {reservation.resource_class: slots_of(5)}, known.generation)
    [finding] = audit(harbour.context)
    assert (finding.kind, finding.providers) == ("leftover", ("blazar_pier",))
    assert fix(harbour) == [True]
    assert (harbour.slots(pier), harbour.slots(quay)) == ({}, {reservation.resource_class: 2})
    # The same after the end, when nobody has noted down where it was.
    harbour.settle(at=2 * HOUR)
    harbour.placement.ensure_resource_class(reservation.resource_class)
    known = harbour.placement.inventories(provider.uuid)
    harbour.placement.put_inventories(provider.uuid, {reservation.resource_class: slots_of(5)}, known.generation)
    assert fix(harbour) == [True]
    assert (harbour.slots(pier), harbour.classes(), audit(harbour.context)) == ({}, set(), [])


def test_a_flavor_that_somebody_has_changed_is_as_it_was(harbour: Harbour) -> None:
    host = harbour.host("quay")
    [reservation] = harbour.lease((host, 2)).reservations
    harbour.settle(at=HOUR)
    harbour.compute.unset_extra_spec(reservation.id, f"resources:{reservation.resource_class}")
    [finding] = audit(harbour.context)
    assert "somebody has changed" in finding.text
    assert fix(harbour) == [True]
    assert audit(harbour.context) == []


def test_what_nobody_knows_goes_if_it_is_nobody_elses(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    harbour.lease((quay, 2))
    harbour.lease((pier, 1), whole_hosts=True)
    harbour.settle(at=HOUR)
    # As if the database had been restored from a backup made before there were leases.
    harbour.database.write(forget_leases)
    findings = audit(harbour.context)
    assert sorted(finding.text.split()[1] for finding in findings if finding.kind == "unknown") == [
        "aggregate",
        "flavor",
        "resource",
    ]
    assert not any(repair(harbour.context, finding) for finding in findings if finding.kind == "unknown")
    assert all(repair(harbour.context, finding, unknown=True) for finding in findings)
    assert audit(harbour.context) == []
    assert harbour.aggregates() == {"freepool": ("pier", "quay")}


def test_what_nobody_knows_stays_while_somebody_uses_it(harbour: Harbour) -> None:
    host = harbour.host("quay")
    [reservation] = harbour.lease((host, 2)).reservations
    harbour.settle(at=HOUR)
    assert harbour.launch(reservation.id) == "quay"
    harbour.database.write(forget_leases)
    findings = [finding for finding in audit(harbour.context) if finding.kind == "unknown"]
    assert [repair(harbour.context, finding, unknown=True) for finding in findings] == [False, False]
    assert harbour.slots(host) == {reservation.resource_class: 2}


def forget_leases(tx: Transaction) -> None:
    for table in (enactment_steps, reservation_slots, reservations, lease_events, leases):
        tx.connection.execute(table.delete())
    tx.changed("lease", 0)
