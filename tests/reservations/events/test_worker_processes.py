"""Workers that are processes, and are killed: fifty leases start at the same moment, each of them once and whole."""

from __future__ import annotations

import random
import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from moorage.db.database import Database
from moorage.reservations.events.worker import Worker
from moorage.reservations.events.worker_context import WorkerContext
from moorage.reservations.reconciling.audit import audit
from tests.processes import FORKS
from tests.reservations.harbour import HOUR, NOON, PROJECT, Harbour, open_harbour

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerProcess

pytestmark = pytest.mark.every_database

LEASES, WORKERS = 50, 4
BETWEEN_KILLS = 5
"""Whenever so many more leases have started, one of the workers is killed."""
MINUTES_A_SECOND = 1
"""How fast time runs for the workers, so that what a killed one was at is free for others within seconds."""


def work(url: str, began: float) -> None:
    """A worker's whole life. The clock of the machine is the same for all of its processes."""

    def clock() -> datetime:
        return NOON + HOUR + timedelta(minutes=MINUTES_A_SECOND) * (time.monotonic() - began)

    harbour = open_harbour(Database(url))
    worker = Worker(WorkerContext(harbour.database, harbour.context.cloud, clock))
    while True:
        if not worker.work_once():
            time.sleep(0.05)


def start_one(url: str, began: float) -> ForkServerProcess:
    process = FORKS.Process(target=work, args=(url, began), daemon=True)
    process.start()
    return process


def test_workers_that_are_killed_lose_nothing_and_repeat_nothing(harbour: Harbour, database_url: str) -> None:
    room = {"VCPU": 64, "MEMORY_MB": 65536, "DISK_GB": 1000}
    hosts = [harbour.host(f"quay-{number}", room) for number in range(4)]
    leases = [
        harbour.lease((hosts[number % 4], 1), (hosts[(number + 1) % 4], 1), end=100 * HOUR) for number in range(LEASES)
    ]
    harbour.settle()
    began, chance, kills = time.monotonic(), random.Random(1), 0
    workers = [start_one(database_url, began) for _ in range(WORKERS)]
    try:
        while (started := sum(harbour.shown(lease).status == "ACTIVE" for lease in leases)) < LEASES:
            assert time.monotonic() - began < 120, f"{started} of {LEASES} leases have started"
            if started > kills * BETWEEN_KILLS:
                victim, kills = chance.randrange(WORKERS), kills + 1
                workers[victim].kill()
                workers[victim].join()
                workers[victim] = start_one(database_url, began)
            time.sleep(0.02)
    finally:
        for worker in workers:
            worker.kill()
            worker.join()
    assert kills > 2, "there was hardly anybody to kill"
    expected = {lease.reservations[0].resource_class for lease in leases}
    assert harbour.classes() == expected
    assert harbour.flavors() == {lease.reservations[0].id: {PROJECT} for lease in leases}
    for number, host in enumerate(hosts):
        of_host = [each for at, each in enumerate(leases) if number in (at % 4, (at + 1) % 4)]
        assert harbour.slots(host) == {lease.reservations[0].resource_class: 1 for lease in of_host}
    assert audit(harbour.context) == []
