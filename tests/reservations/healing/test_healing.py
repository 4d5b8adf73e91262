"""Hosts that fail before and during leases: reservations move where they can, and are flagged where they cannot."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

from moorage.db.database import Transaction
from moorage.reservations.healing.healing import heal
from moorage.reservations.model.host import Host, Maintenance
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.period import Period
from moorage.reservations.model.reservation import Reservation
from moorage.reservations.store import booking_lock, hosts
from tests.reservations.harbour import HOUR, NOON, Harbour


def fail(harbour: Harbour, host: Host, *, failed: bool = True) -> None:
    """Have a host disabled in the cloud, or enabled again."""
    known = harbour.placement.traits(host.provider_uuid)
    wanted = known.traits | {"COMPUTE_STATUS_DISABLED"} if failed else known.traits - {"COMPUTE_STATUS_DISABLED"}
    harbour.placement.put_traits(host.provider_uuid, wanted, known.generation)


def where(harbour: Harbour, lease: Lease) -> dict[int, int]:
    [reservation] = harbour.shown(lease).reservations
    return {slots.host_id: slots.count for slots in reservation.slots}


def test_a_reservation_moves_before_it_starts(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    lease = harbour.lease((quay, 2))
    harbour.settle()
    fail(harbour, quay)
    assert [healed.id for healed in heal(harbour.room)] == [lease.id]
    assert where(harbour, lease) == {pier.id: 2}
    [reservation] = harbour.shown(lease).reservations
    assert (reservation.missing_resources, reservation.resources_changed) == (False, False)
    harbour.settle(at=HOUR)
    assert (harbour.slots(quay), harbour.slots(pier)) == ({}, {reservation.resource_class: 2})


def test_a_reservation_that_is_active_moves_and_says_so(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    lease = harbour.lease((quay, 2))
    harbour.settle(at=HOUR)
    fail(harbour, quay)
    heal(harbour.room)
    harbour.settle()
    [reservation] = harbour.shown(lease).reservations
    assert (where(harbour, lease), reservation.resources_changed) == ({pier.id: 2}, True)
    assert (harbour.slots(quay), harbour.slots(pier)) == ({}, {reservation.resource_class: 2})
    assert harbour.launch(reservation.id) == "pier"
    assert heal(harbour.room) == []


def test_what_finds_no_place_is_flagged_until_the_host_is_back(harbour: Harbour) -> None:
    quay = harbour.host("quay")
    lease = harbour.lease((quay, 2))
    harbour.settle(at=HOUR)
    fail(harbour, quay)
    heal(harbour.room)
    harbour.settle()
    flagged = harbour.shown(lease)
    assert (flagged.degraded, flagged.reservations[0].missing_resources) == (True, True)
    assert heal(harbour.room) == []
    [known] = harbour.database.read(hosts.everything)
    assert (known.reservable, known.disabled_reason) == (False, "compute says: it is disabled")
    fail(harbour, quay, failed=False)
    heal(harbour.room)
    harbour.settle()
    mended = harbour.shown(lease)
    assert (mended.status, mended.degraded, mended.reservations[0].missing_resources) == ("ACTIVE", False, False)
    assert harbour.slots(quay) == {lease.reservations[0].resource_class: 2}
    assert harbour.database.read(hosts.everything)[0].reservable


def test_what_begins_much_later_may_find_the_host_repaired(harbour: Harbour) -> None:
    quay = harbour.host("quay")
    harbour.host("pier")
    lease = harbour.lease((quay, 1), start=10 * HOUR, end=11 * HOUR)
    harbour.settle()
    fail(harbour, quay)
    assert heal(harbour.room) == []
    harbour.clock.now = NOON + 9.5 * HOUR
    assert [healed.id for healed in heal(harbour.room)] == [lease.id]


def test_whole_hosts_are_replaced(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    lease = harbour.lease((quay, 1), whole_hosts=True)
    harbour.settle(at=HOUR)
    fail(harbour, quay)
    heal(harbour.room)
    harbour.settle()
    assert where(harbour, lease) == {pier.id: 1}
    name = f"reservation:{lease.reservations[0].id}"
    assert harbour.aggregates() == {"freepool": ("quay",), name: ("pier",)}


def test_reservations_make_way_for_maintenance(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    lease = harbour.lease((quay, 1))
    harbour.settle()
    window = Maintenance(id=str(uuid4()), period=Period(NOON + 1.5 * HOUR, NOON + 3 * HOUR))

    def work(tx: Transaction) -> None:
        revision = booking_lock.acquire(tx)
        known = hosts.lock(tx, quay.id)
        hosts.save(tx, known, replace(known, maintenance=(window,), revision=revision))

    harbour.database.write(work)
    heal(harbour.room)
    assert where(harbour, lease) == {pier.id: 1}


def test_what_is_sound_stays_and_as_much_moves_as_there_is_room_for(harbour: Harbour) -> None:
    resources = {"VCPU": 4, "MEMORY_MB": 8192, "DISK_GB": 100}
    quay, pier, mole = (harbour.host(name, resources) for name in ("quay", "pier", "mole"))
    lease = harbour.lease((quay, 3), (pier, 1), (mole, 2))
    harbour.lease((pier, 1))
    harbour.settle(at=HOUR)
    [reservation] = lease.reservations
    fail(harbour, quay)
    heal(harbour.room)
    # Of three, two find a place on each of the others; none leaves a host that works.
    assert where(harbour, lease) == {pier.id: 3, mole.id: 3} or where(harbour, lease) == {pier.id: 2, mole.id: 4}
    fail(harbour, mole)
    heal(harbour.room)
    harbour.settle()
    degraded = harbour.shown(lease)
    found = where(harbour, lease)
    assert degraded.degraded
    assert degraded.reservations[0].missing_resources
    assert (found[pier.id], sum(found.values())) == (3, 6)
    assert harbour.slots(pier)[reservation.resource_class] == 3
    fail(harbour, mole, failed=False)
    heal(harbour.room)
    assert (sum(where(harbour, lease).values()), harbour.shown(lease).degraded) == (6, False)


def test_healing_takes_no_more_hosts_than_there_were(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    lease = harbour.lease((quay, 1), whole_hosts=True)
    harbour.change(lease, lambda known: replace(known, reservations=(with_most(known.reservations[0], 5),)))
    harbour.host("mole")
    harbour.settle()
    fail(harbour, quay)
    heal(harbour.room)
    assert len(where(harbour, lease)) == 1
    assert quay.id not in where(harbour, lease), pier


def with_most(reservation: Reservation, most: int) -> Reservation:
    return replace(reservation, request=replace(reservation.hosts, max=most))
