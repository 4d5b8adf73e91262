"""How quick questions about leases are: `python -m bench.reservations [--small]`.

Asked as a client asks: through the reservation API, with the Placement service in the same process and a database on
disk, so that a booking is the whole of it: reading what hosts offer, deciding, and one durable transaction. The first
request of each size, which reads all leases once, is shown by itself.

Blazar's own search over the same kind of data is a recorded figure, of Blazar 18.0.0 on SQLite with indexes added, on a
machine like this one: its `pickup_hosts`, which a booking calls twice.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table
from sqlalchemy import insert

from moorage.client.placement import ProviderWrite
from moorage.db.database import Database, Transaction, utc_now
from moorage.db.upgrade import upgrade
from moorage.placement.model.inventory import Inventory
from moorage.placement.store.names import synchronise_standard_names
from moorage.reservations.model.reservation import InstanceRequest
from moorage.reservations.store import booking_lock, tables
from moorage.reservations.store.lease_rows import encode
from moorage.service.application import Deployment
from moorage.service.reservation_service import reservation_application
from moorage.service.settings import load_settings

RECORDED_SECONDS = {(1_000, 5_000): 3.6}
"""What a booking's search took in Blazar, by hosts and leases."""

SIZES = ((1_000, 5_000), (10_000, 100_000))
REPETITIONS = 5
HOST = {"VCPU": 64, "MEMORY_MB": 65536, "DISK_GB": 1000}
SHAPE = {"vcpus": 8, "memory_mb": 4096, "disk_gb": 40}

Ask = Callable[[httpx.Client, datetime], httpx.Response]


def _order(begin: datetime, **more: object) -> dict[str, object]:
    reservation = {"resource_type": "virtual:instance", "amount": 5, "affinity": None, **SHAPE}
    dates = {"start_date": _date(begin + timedelta(days=10)), "end_date": _date(begin + timedelta(days=11))}
    return {"name": "bench", **dates, "reservations": [reservation], **more}


def _date(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M")


QUESTIONS: dict[str, Ask] = {
    "booking decision (dry run)": lambda client, begin: client.post("/leases?dry_run=true", json=_order(begin)),
    "whole booking": lambda client, begin: client.post("/leases", json=_order(begin)),
    "slot search over 30 days": lambda client, _begin: client.get(
        "/slots", params={**SHAPE, "amount": 5, "duration": 1440, "horizon": 30}
    ),
    "availability of a month": lambda client, begin: client.get(
        "/availability", params={**SHAPE, "start": "now", "end": _date(begin + timedelta(days=30))}
    ),
}


def a_busy_month(deployment: Deployment, hosts: int, leases: int) -> None:
    """Hosts, and leases of two slots each, spread over 30 days."""
    names = [f"host-{number:05}" for number in range(hosts)]
    providers = [
        ProviderWrite(
            uuid=str(uuid.UUID(int=number + 1)),
            name=name,
            inventories={resource: Inventory(total=size) for resource, size in HOST.items()},
        )
        for number, name in enumerate(names)
    ]
    for begin in range(0, hosts, 1000):
        deployment.placement_client.write_providers(providers[begin : begin + 1000])
    deployment.database.write(lambda tx: _fill(tx, names, leases))


def _fill(tx: Transaction, names: list[str], leases: int) -> None:
    revision, now, chance = booking_lock.acquire(tx), tx.now, random.Random(1)  # noqa: S311 - the same cloud each time
    stamps = {"created_at": now, "updated_at": now}
    tx.connection.execute(
        insert(tables.reservation_hosts),
        [
            {
                "id": number + 1,
                "provider_uuid": str(uuid.UUID(int=number + 1)),
                "name": name,
                "current_name": name,
                "service_name": name,
                "availability_zone": "nova",
                "hypervisor": "{}",
                "reservable": True,
                "disabled_reason": "",
                "revision": revision,
                **stamps,
            }
            for number, name in enumerate(names)
        ],
    )
    rows = list(_leases(chance, leases, now, {"revision": revision, **stamps}))
    tx.connection.execute(insert(tables.leases), [lease for lease, _ in rows])
    tx.connection.execute(insert(tables.reservations), [reservation for _, reservation in rows])
    slots = [
        {"reservation_id": number, "host_id": host, "amount": 1}
        for number in range(1, leases + 1)
        for host in chance.sample(range(1, len(names) + 1), 2)
    ]
    tx.connection.execute(insert(tables.reservation_slots), slots)
    tx.changed("lease", 0)


def _leases(
    chance: random.Random, count: int, now: datetime, more: dict[str, Any]
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    stamps = {name: more[name] for name in ("created_at", "updated_at")}
    minute = now.replace(second=0)
    for number in range(1, count + 1):
        start = minute + timedelta(minutes=chance.randrange(5, 30 * 1440))
        resources = {name: chance.randrange(1, size // 8) for name, size in HOST.items()}
        request = InstanceRequest(
            amount=2,
            vcpus=resources["VCPU"],
            memory_mb=resources["MEMORY_MB"],
            disk_gb=resources["DISK_GB"],
            resources=resources,
        )
        lease = {
            "id": number,
            "uuid": str(uuid.UUID(int=(1 << 64) + number)),
            "name": f"lease {number}",
            "project_id": "others",
            "user_id": "somebody",
            "start_date": start,
            "end_date": start + timedelta(minutes=chance.randrange(60, 3 * 1440)),
            "status": "PENDING",
            "status_reason": "",
            "degraded": False,
            **more,
        }
        reservation = {
            "id": number,
            "uuid": str(uuid.UUID(int=(1 << 65) + number)),
            "lease_id": number,
            "resource_type": "virtual:instance",
            "status": "pending",
            "missing_resources": False,
            "resources_changed": False,
            "request": encode(request).decode(),
            **stamps,
        }
        yield lease, reservation


def measured(hosts: int, leases: int) -> Iterator[tuple[str, float, float]]:
    """For each question the median of a few wall-clock times, and of the CPU times of this process."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'bench.sqlite'}"
        upgrade(url)
        database = Database(url)
        synchronise_standard_names(database)
        settings = load_settings({"api.auth_strategy": "noauth2"}, config_files=[])
        deployment = Deployment(settings, database, housekeeping=False)
        a_busy_month(deployment, hosts, leases)
        application = reservation_application(deployment.reservations)
        headers = {"X-Auth-Token": "admin:bench", "X-Roles": "admin,member,reader"}
        transport, begin = httpx.WSGITransport(app=application), utc_now()
        with httpx.Client(transport=transport, base_url="http://bench/v1", headers=headers, timeout=600) as client:
            yield "first request", *_seconds(lambda: QUESTIONS["booking decision (dry run)"](client, begin), 1)
            for title, ask in QUESTIONS.items():
                yield title, *_seconds(partial(ask, client, begin), REPETITIONS)
        database.dispose()


def _seconds(ask: Callable[[], httpx.Response], repetitions: int) -> tuple[float, float]:
    taken = []
    for _ in range(repetitions):
        begun, used = time.perf_counter(), time.process_time()
        answer = ask()
        taken.append((time.perf_counter() - begun, time.process_time() - used))
        if answer.status_code >= httpx.codes.MULTIPLE_CHOICES:
            raise SystemExit(f"{answer.request.url}: {answer.status_code} {answer.text}")
    wall, cpu = zip(*taken, strict=True)
    return sorted(wall)[repetitions // 2], sorted(cpu)[repetitions // 2]


def main(arguments: list[str]) -> None:
    """Measure, and show a table."""
    table = Table("hosts", "leases", "question", "seconds", "CPU", "Blazar, recorded", "times")
    for hosts, leases in [(50, 250)] if "--small" in arguments else SIZES:
        for title, taken, used in measured(hosts, leases):
            recorded = RECORDED_SECONDS.get((hosts, leases)) if "booking" in title else None
            compared = (f"{recorded} s", f"{recorded / taken:.0f}x") if recorded else ("", "")
            table.add_row(f"{hosts:,}", f"{leases:,}", title, f"{taken:.3f}", f"{used:.3f}", *compared)
    Console(width=110).print(table)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main(sys.argv[1:])
