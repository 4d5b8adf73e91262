"""Demand that nobody sends: what servers use, what running leases promise beyond that, what leases to come wait for.

A lease holds slots on hosts, and hosts are in zones, so all of it is known by zone. A slot that a server has taken is
usage; one that is free is an unused commitment while the reservation is active, and a pending one before. A lease that
waits for room has no slots yet, and so no zone: it is not counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from moorage.capacity.model.demand import CORES, INSTANCES, RAM, CapacityRequest, Demand, ResourceDemand
from moorage.capacity.model.flavor import HYPERVISOR_TYPE, RESERVATION_PREFIX, SEPARATE_QUOTA, counted_as
from moorage.client.compute import Aggregate, Server
from moorage.client.reservation import Lease, Reservation, ReservationHost

_WHOLE_HOST = "physical:host"
_RUNNING = "active"
_HOLDING = (_RUNNING, "pending")

Amounts = Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Promises:
    """What servers there are, and what is promised to whom; `slots` are ids of hosts and of reservations."""

    aggregates: Iterable[Aggregate]
    servers: Iterable[Server]
    leases: Iterable[Lease] = ()
    hosts: Iterable[ReservationHost] = ()
    slots: Iterable[tuple[str, str]] = ()


@dataclass(slots=True)
class _Sums:
    """Amounts by resource and zone, for each kind of demand."""

    usage: Counter[tuple[str, str]] = field(default_factory=Counter)
    unused: Counter[tuple[str, str]] = field(default_factory=Counter)
    pending: Counter[tuple[str, str]] = field(default_factory=Counter)

    def request(self, zones: tuple[str, ...]) -> CapacityRequest:
        """All of it, as somebody would ask who knows it."""
        found: dict[str, dict[str, Demand]] = defaultdict(dict)
        for resource, zone in sorted({*self.usage, *self.unused, *self.pending}):
            if zone in zones:
                key = (resource, zone)
                found[resource][zone] = Demand(self.usage[key], self.unused[key], self.pending[key])
        return CapacityRequest(zones, {resource: ResourceDemand(per_zone) for resource, per_zone in found.items()})


def request_from_leases(promises: Promises) -> CapacityRequest:
    """The request for a capacity report that follows from servers and leases."""
    sums = _Sums()
    on_host: dict[str, Counter[str]] = defaultdict(Counter)
    for server, reservation in servers_of(promises):
        amounts = _of_server(server) if reservation is None else _of_slot(reservation)
        for resource, amount in amounts.items():
            sums.usage[resource, server.availability_zone] += amount
        # A host is used by whatever is on it, however that is counted.
        on_host[server.hypervisor_name or ""].update({CORES: server.flavor.vcpus, RAM: server.flavor.ram_mb})
    _add_promises(sums, promises, on_host)
    return sums.request(zones_of(promises))


def zones_of(promises: Promises) -> tuple[str, ...]:
    """The zones that there are, by name."""
    return tuple(sorted({each.availability_zone for each in promises.aggregates if each.availability_zone}))


def servers_of(promises: Promises) -> Iterator[tuple[Server, Reservation | None]]:
    """All servers, each with the reservation that it is of."""
    reservations = {each.id: each for lease in promises.leases for each in lease.reservations}
    for server in promises.servers:
        yield server, reservations.get(server.flavor.name.removeprefix(RESERVATION_PREFIX))


def free_slots(promises: Promises) -> Iterator[tuple[Reservation, ReservationHost]]:
    """The slots that reservations hold or wait for and that no server has taken yet, each with its host."""
    taken = Counter(
        (reservation.id, server.availability_zone) for server, reservation in servers_of(promises) if reservation
    )
    hosts = {host.id: host for host in promises.hosts}
    # A lease that is being changed or has failed keeps what its reservations hold; their own status tells.
    held = {each.id: each for lease in promises.leases for each in lease.reservations if each.status in _HOLDING}
    for host_id, reservation_id in promises.slots:
        if reservation_id not in held or host_id not in hosts:
            continue
        host = hosts[host_id]
        key = (reservation_id, host.availability_zone or "")
        if held[reservation_id].resource_type != _WHOLE_HOST and taken[key]:
            taken[key] -= 1
            continue
        yield held[reservation_id], host


def _add_promises(sums: _Sums, promises: Promises, on_host: Mapping[str, Counter[str]]) -> None:
    for reservation, host in free_slots(promises):
        kind = sums.unused if is_running(reservation) else sums.pending
        if reservation.resource_type == _WHOLE_HOST:
            used = on_host.get(host.name, Counter())
            amounts: Amounts = {
                CORES: max(0, host.vcpus - used[CORES]),
                RAM: max(0, host.memory_mb - used[RAM]),
            }
        else:
            amounts = _of_slot(reservation)
        for resource, amount in amounts.items():
            kind[resource, host.availability_zone or ""] += amount


def is_running(reservation: Reservation) -> bool:
    """Whether what it holds is promised, and not only waited for."""
    return reservation.status == _RUNNING


def _of_server(server: Server) -> Amounts:
    """What a server is: an instance of a split flavor, or a part of the pool; one of bare metal is neither."""
    if server.flavor.extra_specs.get(HYPERVISOR_TYPE) == "ironic":
        return {}
    if server.flavor.extra_specs.get(SEPARATE_QUOTA) == "true":
        return {f"{INSTANCES}_{counted_as(server.flavor.name, server.flavor.extra_specs)}": 1}
    return {CORES: server.flavor.vcpus, INSTANCES: 1, RAM: server.flavor.ram_mb}


def _of_slot(reservation: Reservation) -> Amounts:
    """What one slot is: an instance of a split flavor if it was reserved by that, else a part of the pool."""
    flavor = source_flavor(reservation)
    if flavor is not None and flavor.extra_specs.get(SEPARATE_QUOTA) == "true":
        return {f"{INSTANCES}_{counted_as(flavor.name, flavor.extra_specs)}": 1}
    return {CORES: reservation.vcpus, INSTANCES: 1, RAM: reservation.memory_mb}


class SourceFlavor(msgspec.Struct, frozen=True):
    """The flavor that was reserved, as far as it matters."""

    name: str
    extra_specs: Mapping[str, str] = {}


def source_flavor(reservation: Reservation) -> SourceFlavor | None:
    """The flavor that was reserved; None for a reservation by size, or of hosts."""
    try:
        return msgspec.json.decode(reservation.resource_properties, type=SourceFlavor)
    except msgspec.DecodeError:
        return None
