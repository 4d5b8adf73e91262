"""Many who book at once, through several applications over one database: nothing is sold twice, nobody is lost."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from moorage.db.database import Database
from tests.reservations.api.clouds import ReservationCloud, at, instances, new_lease

pytestmark = pytest.mark.every_database


def test_the_last_slot_is_sold_once(cloud: ReservationCloud, empty_database: str) -> None:
    """D9: each thread has an application, a slot cache and connections of its own, as workers have."""
    cloud.tycho.lease(1, 25, instances(13))
    databases = [Database(empty_database) for _ in range(4)]
    clouds = [ReservationCloud(database) for database in databases]

    def book(number: int) -> int:
        tycho = clouds[number % len(clouds)].tycho
        return tycho.send("POST", "/leases", new_lease(2, 3, instances(1))).status_code

    with ThreadPoolExecutor(len(clouds)) as threads:
        assert Counter(threads.map(book, range(12))) == {201: 3, 409: 9}
    for database in databases:
        database.dispose()


def test_changes_and_bookings_at_once_never_exceed_a_host(cloud: ReservationCloud, empty_database: str) -> None:
    databases = [Database(empty_database) for _ in range(3)]
    clouds = [ReservationCloud(database) for database in databases]

    def live(number: int) -> None:
        tycho = clouds[number].tycho
        for turn in range(6):
            answer = tycho.send("POST", "/leases", new_lease(turn, turn + 3, instances(3 + number)))
            if answer.status_code != 201:
                assert answer.status_code == 409, answer.text
                continue
            lease = answer.json()["lease"]
            wanted = {"end_date": at(turn + 5), "reservations": [{"id": lease["reservations"][0]["id"], "amount": 5}]}
            assert tycho.send("PUT", f"/leases/{lease['id']}", wanted).status_code in {200, 409}
            if turn % 3 == 2:
                tycho.ask("DELETE", f"/leases/{lease['id']}")

    with ThreadPoolExecutor(len(clouds)) as threads:
        list(threads.map(live, range(len(clouds))))
    for database in databases:
        database.dispose()
    check_capacity(cloud, 8)


def check_capacity(cloud: ReservationCloud, vcpus: int) -> None:
    """Look at every instant at which anything changes; each slot takes one VCPU."""
    for host in cloud.admin.ask("GET", "/os-hosts/allocations")["allocations"]:
        slots = host["reservations"]
        times = sorted({slot[name] for slot in slots for name in ("start_date", "end_date")})
        for instant, _ in pairwise(times):
            held = sum(slot["start_date"] <= instant < slot["end_date"] for slot in slots)
            assert held <= vcpus, (host["resource_id"], instant, held)
