"""A cloud with as many hosts as one likes, written at once.

Hosts of two kinds in four zones, more or less full of servers that compute knows; agents keep half of them; and every
tenth is empty and kept for leases (see `large_leases`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID, uuid5

import httpx
from sqlalchemy import insert

from moorage.compute.model.aggregate import AVAILABILITY_ZONE
from moorage.compute.model.flavor import Flavor
from moorage.compute.model.server import Server
from moorage.compute.store import aggregates, servers
from moorage.compute.store.tables import host_aggregate_hosts
from moorage.db.database import Database, Transaction
from tests.clients.running_service import RunningService

_NAMESPACE = UUID("6f3b1c8e-0000-4000-8000-000000000000")
_CHUNK = 1000
_ZONES = 4
_PROJECT = "harbour"

Item = TypeVar("Item")

# Every server takes an eighth of a host, or twice or four times or eight times as much.
_CORES, _MEGABYTES, _GIGABYTES = 32, 129_024, 900
_NAMES = {1: "general-32", 2: "database-64", 4: "analytics-128", 8: "simulation-256"}
FLAVORS = {
    size: Flavor(
        flavor_id=name,
        name=name,
        vcpus=size * _CORES,
        ram_mb=size * _MEGABYTES,
        disk_gb=size * _GIGABYTES,
        # All but the smallest are counted by themselves.
        extra_specs={"quota:separate": "true"} if size > 1 else {},
    )
    for size, name in _NAMES.items()
}
_SPARE = {f"spare-{number:02}": {"vcpus": number, "ram": 1024 * number, "disk": number} for number in range(1, 21)}
"""Flavors that nobody uses, so that there are more than are looked at at once."""


@dataclass(frozen=True, slots=True)
class LargeHost:
    """A host, and how many eighths of it are in use."""

    name: str
    zone: int
    has_fast_disk: bool
    has_agent: bool
    is_for_leases: bool
    eighths: int

    @property
    def uuid(self) -> str:
        """Of its root provider."""
        return _identifier(self.name)

    def servers(self) -> Iterator[tuple[str, Flavor]]:
        """The names of its servers, and what they take: no two of the same size."""
        for size, flavor in FLAVORS.items():
            if self.eighths & size:
                yield f"{flavor.name}-on-{self.name}", flavor


def large_hosts(count: int) -> list[LargeHost]:
    """The hosts of a cloud of so many; the same each time."""
    chance = random.Random(count)
    return [
        LargeHost(
            name=f"rack{number // 40:03}-host{number % 40:02}",
            zone=number * _ZONES // count,
            has_fast_disk=number % 3 > 0,
            has_agent=number % 2 == 0,
            is_for_leases=number % 10 == 0,
            eighths=0 if number % 10 == 0 else _filled(chance, number),
        )
        for number in range(count)
    ]


def _filled(chance: random.Random, number: int) -> int:
    """Racks are filled one after the other, and never quite evenly."""
    return round(8 * min(1.0, max(0.0, chance.gauss(0.25 + 0.6 * (number % 997) / 997, 0.12))))


def write_hosts(service: RunningService, count: int) -> list[LargeHost]:
    """The hosts in Placement, and zones, flavors and servers in compute."""
    hosts = large_hosts(count)
    headers = {"X-Auth-Token": service.token, "OpenStack-API-Version": "placement 1.39"}
    with httpx.Client(base_url=service.url, headers=headers, timeout=120) as api:
        for some in _chunks(hosts):
            told = {"providers": [_provider(host) for host in some]}
            api.post("/placement/moorage/providers", json=told).raise_for_status()
            claims = {_identifier(name): _claim(host, flavor) for host in some for name, flavor in host.servers()}
            api.post("/placement/allocations", json=claims).raise_for_status()
        for flavor in FLAVORS.values():
            sizes = {"vcpus": flavor.vcpus, "ram": flavor.ram_mb, "disk": flavor.disk_gb}
            made = {"id": flavor.flavor_id, "name": flavor.name, **sizes}
            api.post("/compute/v2.1/flavors", json={"flavor": made}).raise_for_status()
            specs = {"extra_specs": dict(flavor.extra_specs)}
            if flavor.extra_specs:
                api.post(f"/compute/v2.1/flavors/{flavor.name}/os-extra_specs", json=specs).raise_for_status()
        for name, sizes in _SPARE.items():
            api.post("/compute/v2.1/flavors", json={"flavor": {"name": name, **sizes}}).raise_for_status()
    write_to(service, lambda tx: _record(tx, hosts))
    return hosts


def write_to(service: RunningService, work: Callable[[Transaction], None]) -> None:
    """Write to the database of a service beside it."""
    database = Database(f"sqlite:///{service.state / 'moorage.sqlite'}")
    try:
        database.write(work)
    finally:
        database.dispose()


def zone_name(number: int) -> str:
    """What compute calls a zone."""
    return f"zone-{number + 1}"


def _chunks(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), _CHUNK):
        yield items[start : start + _CHUNK]


def _identifier(name: str) -> str:
    return str(uuid5(_NAMESPACE, name))


def _provider(host: LargeHost) -> dict[str, Any]:
    found = ["COMPUTE_NODE", "HW_CPU_X86_AVX2", *(["STORAGE_DISK_SSD"] if host.has_fast_disk else [])]
    origin = {"host": host.name, "traits": dict.fromkeys(found, "driver:linux")}
    return {
        "uuid": host.uuid,
        "name": host.name,
        "inventories": {
            "VCPU": {"total": 128, "allocation_ratio": 2.0},
            "MEMORY_MB": {"total": 1048576, "reserved": 16384},
            "DISK_GB": {"total": 8000},
        },
        "traits": found,
        "aggregates": [_identifier(f"zone {host.zone}")],
        **({"origin": origin} if host.has_agent else {}),
    }


def _claim(host: LargeHost, flavor: Flavor) -> dict[str, Any]:
    resources = {"VCPU": flavor.vcpus, "MEMORY_MB": flavor.ram_mb, "DISK_GB": flavor.disk_gb}
    return {
        "allocations": {host.uuid: {"resources": resources}},
        "project_id": _PROJECT,
        "user_id": "me",
        "consumer_type": "INSTANCE",
        "consumer_generation": None,
    }


def _record(tx: Transaction, hosts: Sequence[LargeHost]) -> None:
    """Have compute know zones and servers as if it had made them."""
    for zone in range(_ZONES):
        name = zone_name(zone)
        made = aggregates.create(tx, _identifier(f"zone {zone}"), name, {AVAILABILITY_ZONE: name})
        rows = [{"aggregate_id": made.id, "host": host.name} for host in hosts if host.zone == zone]
        tx.connection.execute(insert(host_aggregate_hosts), rows)
    recorded = [_server(host, name, flavor, tx.now) for host in hosts for name, flavor in host.servers()]
    for some in _chunks(recorded):
        servers.add(tx, some)


def _server(host: LargeHost, name: str, flavor: Flavor, now: datetime) -> Server:
    return Server(
        uuid=_identifier(name),
        project_id=_PROJECT,
        user_id="me",
        name=name,
        flavor=flavor,
        created_at=now,
        updated_at=now,
        launched_at=now,
        host=host.name,
        provider_uuid=host.uuid,
        status="ACTIVE",
    )
