"""Workers: killed at any step, many at once, with services that are away; what is due is done once, and in order."""

from __future__ import annotations

import threading
from datetime import timedelta
from functools import partial

import pytest

from moorage.client.errors import Unavailable
from moorage.reservations.enactment.cloud import open_cloud
from moorage.reservations.events.worker import Worker
from moorage.reservations.store import due
from tests.reservations.harbour import HOUR, NOON, PROJECT, Harbour

pytestmark = pytest.mark.every_database


class Killed(BaseException):
    """The end of a worker: nothing more is done, not even what comes last."""


def kill_at(harbour: Harbour, step: int) -> None:
    """Kill the worker when it is about to write for the n-th time."""
    count = 0

    def before(_method: str, _path: str) -> None:
        nonlocal count
        count += 1
        if count == step:
            raise Killed

    harbour.to_placement.before = harbour.to_compute.before = before


def go_on(harbour: Harbour) -> None:
    harbour.to_placement.before = harbour.to_compute.before = lambda _method, _path: None


@pytest.mark.parametrize("whole_hosts", [False, True], ids=["instances", "whole hosts"])
def test_a_worker_that_is_killed_at_any_step_loses_nothing(harbour: Harbour, *, whole_hosts: bool) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    harbour.settle()
    for step in range(1, 40):
        killed = False
        lease = harbour.lease((quay, 1), (pier, 1), whole_hosts=whole_hosts)
        [reservation] = lease.reservations
        for at, status in ((timedelta(), "PENDING"), (HOUR, "ACTIVE"), (2 * HOUR, "TERMINATED")):
            kill_at(harbour, step)
            try:
                harbour.settle(at=at)
            except Killed:
                killed = True
                # Somebody else goes on when there was no sign of life for long enough.
                go_on(harbour)
                assert not harbour.worker().work_once()
                harbour.settle(at=at + timedelta(minutes=2))
            go_on(harbour)
            assert harbour.shown(lease).status == status
            if not whole_hosts:
                expected = {reservation.resource_class: 1} if status == "ACTIVE" else {}
                assert (harbour.slots(quay), harbour.slots(pier)) == (expected, expected)
                access = {"PENDING": frozenset[str](), "ACTIVE": frozenset({PROJECT})}
                assert harbour.flavors() == ({reservation.id: access[status]} if status in access else {})
                assert harbour.classes() == (set() if status == "TERMINATED" else {reservation.resource_class})
            else:
                pool = () if status == "ACTIVE" else ("pier", "quay")
                own = {"PENDING": (), "ACTIVE": ("pier", "quay")}
                name = f"reservation:{reservation.id}"
                assert harbour.aggregates() == {"freepool": pool, **({name: own[status]} if status in own else {})}
        harbour.clock.now = NOON
        if not killed:
            break
    assert not killed
    assert step > 4


def test_fifty_leases_that_start_in_the_same_second_all_start_once(harbour: Harbour) -> None:
    hosts = [harbour.host(f"quay-{number}", {"VCPU": 64, "MEMORY_MB": 65536, "DISK_GB": 1000}) for number in range(4)]
    leases = [harbour.lease((hosts[number % 4], 1), (hosts[(number + 1) % 4], 1)) for number in range(50)]
    harbour.settle()
    harbour.clock.now += HOUR
    harbour.to_compute.written.clear()
    errors: list[BaseException] = []

    def work() -> None:
        worker = harbour.worker()
        try:
            while worker.work_once():
                pass
        except Exception as error:  # noqa: BLE001 - shown by the test
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    harbour.settle()
    assert {harbour.shown(lease).status for lease in leases} == {"ACTIVE"}
    granted = [path for _method, path in harbour.to_compute.written if path.endswith("/action")]
    assert sorted(granted) == sorted(f"/flavors/{lease.reservations[0].id}/action" for lease in leases)
    assert sum(sum(harbour.slots(host).values()) for host in hosts) == 100


def test_one_lease_that_is_stuck_delays_no_other(harbour: Harbour) -> None:
    host = harbour.host("quay")
    stuck, others = harbour.lease((host, 1)), [harbour.lease((host, 1)) for _ in range(3)]
    harbour.settle()

    def refuse(_method: str, path: str) -> None:
        if stuck.reservations[0].id in path:
            raise Unavailable("Compute is away.")

    harbour.to_compute.before = refuse
    harbour.settle(at=HOUR)
    assert {harbour.shown(lease).status for lease in others} == {"ACTIVE"}
    waiting = harbour.shown(stuck)
    assert (waiting.status, waiting.status_reason.startswith("Compute is away.")) == ("STARTING", True)
    go_on(harbour)
    harbour.settle()
    assert harbour.shown(stuck).status == "STARTING"
    # The pause grows, and then it is tried again.
    harbour.settle(at=HOUR + timedelta(minutes=5))
    assert (harbour.shown(stuck).status, harbour.shown(stuck).status_reason) == ("ACTIVE", "")


def test_what_others_are_at_does_not_stand_in_the_way(harbour: Harbour, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due, "_AT_ONCE", 2)
    host = harbour.host("quay")
    taken, later = [harbour.lease((host, 1)) for _ in range(2)], harbour.lease((host, 1), start=1.1 * HOUR)
    harbour.settle()
    harbour.clock.now += 1.1 * HOUR
    until = harbour.clock() + HOUR
    for number in range(2):
        job = harbour.database.write(partial(due.take_one, owner=f"w{number}", now=harbour.clock(), until=until))
        assert job is not None
        assert job.uuid == taken[number].id
        # Something about it is changed meanwhile, and is due at once.
        harbour.change(taken[number], lambda known: known)
    harbour.settle()
    assert harbour.shown(later).status == "ACTIVE"


def test_a_lease_that_is_deleted_while_it_starts_is_over_in_the_end(harbour: Harbour) -> None:
    host = harbour.host("quay")
    lease = harbour.lease((host, 1))
    harbour.settle()

    def delete(_method: str, _path: str) -> None:
        go_on(harbour)
        harbour.delete_lease(lease)
        # Nobody else may begin with what this worker is still at.
        assert not Worker(harbour.context).work_once()

    harbour.to_compute.before = delete
    harbour.settle(at=HOUR)
    assert harbour.shown(lease).deleted_at is not None
    assert (harbour.flavors(), harbour.slots(host), harbour.classes()) == ({}, {}, set())


def test_the_free_pool_is_made_once_and_found_again(harbour: Harbour) -> None:
    first = harbour.cloud
    again = open_cloud(harbour.database, harbour.placement, harbour.compute)
    assert (again.pool.id, again.isolation) == (first.pool.id, first.isolation)
    assert list(harbour.aggregates()) == ["freepool"]
