"""A month with as many leases as one likes, on the hosts of a large cloud that are kept for them.

They are written and not asked for, and nothing carries them out: what is tested is how they are shown.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from moorage.db.database import Transaction
from moorage.reservations.model.host import Host
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.reservation import HostRequest, InstanceRequest, Request, Reservation, Slots
from moorage.reservations.store import booking_lock, hosts, leases
from tests.clients.running_service import RunningService
from tests.console.large_cloud import LargeHost, write_to, zone_name

_SHAPE = {"VCPU": 16, "MEMORY_MB": 65_536, "DISK_GB": 0}
_PURPOSES = ("course", "load-test", "release", "simulation", "training", "migration-drill")
_WHOLE_HOSTS = 10
"""Every lease of so many holds whole hosts."""


def write_leases(service: RunningService, cloud: Sequence[LargeHost], count: int) -> None:
    """So many leases over 30 days, of one to four hosts each."""
    write_to(service, lambda tx: _write(tx, [host for host in cloud if host.is_for_leases], count))


def _write(tx: Transaction, pool: Sequence[LargeHost], count: int) -> None:
    revision, chance = booking_lock.acquire(tx), random.Random(count)
    numbers = [hosts.add(tx, _host(host, revision, tx.now)) for host in pool]
    for number in range(count):
        leases.add(tx, _lease(number, numbers, revision, tx.now, chance))


def _host(host: LargeHost, revision: int, now: datetime) -> Host:
    return Host(
        id=0,
        provider_uuid=host.uuid,
        name=host.name,
        service_name=host.name,
        availability_zone=zone_name(host.zone),
        revision=revision,
        created_at=now,
        updated_at=now,
    )


def _lease(number: int, pool: Sequence[int], revision: int, now: datetime, chance: random.Random) -> Lease:
    minute = now.replace(second=0, microsecond=0)
    start = minute + timedelta(hours=chance.randrange(-48, 30 * 24))
    has_begun = start < minute
    end = (minute if has_begun else start) + timedelta(hours=chance.randrange(4, 72))
    wanted = sorted(chance.sample(pool, min(len(pool), chance.randrange(1, 5))))
    request: Request
    if number % _WHOLE_HOSTS:
        each = chance.randrange(1, 4)
        request = InstanceRequest(
            amount=each * len(wanted),
            vcpus=_SHAPE["VCPU"],
            memory_mb=_SHAPE["MEMORY_MB"],
            disk_gb=_SHAPE["DISK_GB"],
            resources={name: size for name, size in _SHAPE.items() if size},
        )
    else:
        each, request = 1, HostRequest(min=len(wanted), max=len(wanted))
    identifier = str(UUID(int=(1 << 64) + number))
    reservation = Reservation(
        id=str(UUID(int=(1 << 65) + number)),
        lease_id=identifier,
        resource_type="virtual:instance" if isinstance(request, InstanceRequest) else "physical:host",
        request=request,
        status="active" if has_begun else "pending",
        slots=tuple(Slots(host_id=host, count=each) for host in wanted),
        created_at=now,
        updated_at=now,
    )
    return Lease(
        id=identifier,
        name=f"{_PURPOSES[number % len(_PURPOSES)]}-{number:04}",
        project_id="harbour",
        user_id="me",
        start=start,
        end=end,
        status="ACTIVE" if has_begun else "PENDING",
        revision=revision,
        reservations=(reservation,),
        created_at=now,
        updated_at=now,
    )
