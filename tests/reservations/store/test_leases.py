"""What is written about leases and hosts is what is read, on every database."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4

import pytest

from moorage.db.database import Database, Transaction
from moorage.reservations.model.event import Event
from moorage.reservations.model.host import Host, Hypervisor, Maintenance
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.period import Period
from moorage.reservations.model.reservation import HostRequest, InstanceRequest, Reservation, Slots, SourceFlavor
from moorage.reservations.model.step import Step
from moorage.reservations.store import booking_lock, hosts, leases, steps
from moorage.reservations.store.errors import AlreadyThere, NotFound

pytestmark = pytest.mark.every_database

NOW = datetime.fromisoformat("2030-01-01T12:00:00")
LEASE = "10000000-0000-0000-0000-000000000001"


def a_host(name: str) -> Host:
    return Host(
        id=0,
        provider_uuid=f"provider of {name}",
        name=name,
        service_name=f"{name}-service",
        availability_zone="nova",
        hypervisor=Hypervisor(vcpus=8, memory_mb=4096, local_gb=100, cpu_info="{}", hypervisor_type="QEMU"),
        capabilities={"gpu": "true", "ssd": "1"},
        maintenance=(Maintenance(id=str(uuid4()), period=Period(NOW, NOW + timedelta(hours=2)), reason="fans"),),
        created_at=NOW,
        updated_at=NOW,
    )


def a_lease(host_ids: list[int]) -> Lease:
    instances = InstanceRequest(
        amount=3,
        vcpus=1,
        memory_mb=512,
        disk_gb=0,
        affinity=False,
        resource_properties='["==", "$gpu", "true"]',
        flavor=SourceFlavor(id="f", name="small", vcpus=1, ram_mb=512, disk_gb=0, extra_specs={"a": "b"}),
        resources={"VCPU": 1, "MEMORY_MB": 512},
        required_traits=frozenset({"HW_CPU_X86_AVX"}),
    )
    common = {"lease_id": LEASE, "created_at": NOW, "updated_at": NOW}
    return Lease(
        id=LEASE,
        name="mine",
        project_id="p",
        user_id="u",
        start=NOW,
        end=NOW + timedelta(days=1),
        created_at=NOW,
        updated_at=NOW,
        reservations=(
            Reservation(
                id="r1",
                resource_type="flavor:instance",
                request=instances,
                slots=tuple(Slots(host_id=number, count=2) for number in host_ids),
                **common,  # type: ignore[arg-type]
            ),
            Reservation(
                id="r2",
                resource_type="physical:host",
                request=HostRequest(min=1, max=2),
                **common,  # type: ignore[arg-type]
            ),
        ),
        events=tuple(
            Event(id=f"e-{kind}", event_type=kind, time=NOW, next_attempt_at=NOW, **common)  # type: ignore[arg-type]
            for kind in ("start_lease", "end_lease")
        ),
    )


def made(database: Database) -> Lease:
    def work(tx: Transaction) -> Lease:
        booking_lock.acquire(tx)
        lease = a_lease([hosts.add(tx, a_host("one")), hosts.add(tx, a_host("two"))])
        leases.add(tx, lease)
        return lease

    return database.write(work)


def test_a_lease_is_read_as_it_was_written(database: Database) -> None:
    lease = made(database)
    assert database.read(lambda connection: leases.find(connection, LEASE)) == lease
    assert database.read(lambda connection: leases.some(connection, [LEASE, "other"])) == [lease]


def test_only_what_differs_is_written_and_all_of_it_is(database: Database) -> None:
    lease = made(database)
    first, second = lease.reservations
    start, end = lease.events
    later = NOW + timedelta(days=2)
    changed = replace(
        lease,
        name="ours",
        end=later,
        status="ACTIVE",
        reservations=(
            replace(first, status="active", slots=first.slots[:1], request=replace(first.instances, amount=2)),
            second,
            replace(second, id="r3"),
        ),
        events=(
            replace(start, status="DONE", attempts=1),
            replace(end, id="e-other", time=later, next_attempt_at=later),
        ),
    )
    database.write(lambda tx: leases.save(tx, lease, changed))
    assert database.read(lambda connection: leases.find(connection, LEASE)) == changed


def test_a_deleted_lease_is_found_only_by_those_who_ask_for_history(database: Database) -> None:
    lease = made(database)
    deleted = replace(lease, deleted_at=NOW)
    database.write(lambda tx: leases.save(tx, lease, deleted))
    assert database.read(lambda connection: leases.find(connection, LEASE)) is None
    assert database.read(lambda connection: leases.find(connection, LEASE, deleted=True)) == deleted
    assert database.write(lambda tx: leases.lock(tx, LEASE)) is None


def test_a_host_is_read_as_it_was_written_and_changed(database: Database) -> None:
    number = database.write(lambda tx: hosts.add(tx, a_host("one")))
    host = database.read(lambda connection: hosts.find(connection, number))
    assert host == replace(a_host("one"), id=number, maintenance=host.maintenance)
    assert [window.reason for window in host.maintenance] == ["fans"]
    changed = replace(host, reservable=False, disabled_reason="on fire", capabilities={"ssd": "2"}, maintenance=())
    database.write(lambda tx: hosts.save(tx, hosts.lock(tx, number), changed))
    assert database.read(hosts.everything) == [changed]


def test_the_name_of_a_host_is_taken_until_it_is_deleted(database: Database) -> None:
    number = database.write(lambda tx: hosts.add(tx, a_host("one")))
    with pytest.raises(AlreadyThere):
        database.write(lambda tx: hosts.add(tx, a_host("one")))
    host = database.read(lambda connection: hosts.find(connection, number))
    database.write(lambda tx: hosts.save(tx, host, replace(host, deleted_at=NOW)))
    with pytest.raises(NotFound):
        database.read(lambda connection: hosts.find(connection, number))
    assert database.write(lambda tx: hosts.add(tx, a_host("one"))) > number


def test_turns_are_numbered_one_after_the_other(database: Database) -> None:
    assert [database.write(booking_lock.acquire) for _ in range(3)] == [1, 2, 3]
    assert database.read(booking_lock.last_revision) == 3


def test_steps_are_remembered_once_and_forgotten_when_undone(database: Database) -> None:
    made(database)
    step = Step(reservation_id="r1", step="inventory", subject="one", reference="", done_at=NOW)
    database.write(lambda tx: steps.record(tx, step))
    database.write(lambda tx: steps.record(tx, replace(step, reference="abc")))
    assert database.read(lambda connection: steps.of_lease(connection, LEASE)) == [replace(step, reference="abc")]
    database.write(lambda tx: steps.forget(tx, step))
    assert database.read(lambda connection: steps.of_lease(connection, LEASE)) == []
