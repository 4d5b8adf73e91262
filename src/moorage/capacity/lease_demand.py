"""Demand that nobody sends: what servers use, what running leases promise beyond that, what leases to come wait for.

A lease holds slots on hosts, and hosts are in zones, so all of it is known by zone. A slot that a server has taken is
usage; one that is free is an unused commitment while the reservation is active. Leases to come may follow each other,
or those that run, on the same slots; so what they wait for is what is needed beyond those that run when most is held at
once. A lease that waits for room has no slots yet, and so no zone: it is not counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate

import msgspec

from moorage.capacity.model.demand import CORES, INSTANCES, RAM, CapacityRequest, Demand, ResourceDemand
from moorage.capacity.model.flavor import HYPERVISOR_TYPE, SEPARATE_QUOTA, counted_as
from moorage.client.compute import Aggregate, Server
from moorage.client.reservation import Lease, Reservation, ReservationHost
from moorage.reservations.model.names import reservation_of_name
from moorage.reservations.model.reservation import PHYSICAL_HOST

Amounts = Mapping[str, int]

# The resource and the zone.
_Place = tuple[str, str]
# When, and how much more is held then.
_Change = tuple[datetime, int]

_RUNNING, _TO_COME = "active", "pending"


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

    usage: Counter[_Place] = field(default_factory=Counter)
    unused: Counter[_Place] = field(default_factory=Counter)
    # What running leases hold, whether servers have taken it or not; and when it becomes more or less.
    held: Counter[_Place] = field(default_factory=Counter)
    changes: defaultdict[_Place, list[_Change]] = field(default_factory=lambda: defaultdict(list))

    def request(self, zones: tuple[str, ...]) -> CapacityRequest:
        """All of it, as somebody would ask who knows it."""
        found: dict[str, dict[str, Demand]] = defaultdict(dict)
        for resource, zone in sorted({*self.usage, *self.unused, *self.changes}):
            if zone in zones:
                key = (resource, zone)
                pending = _most_at_once(self.held[key], self.changes[key]) - self.held[key]
                found[resource][zone] = Demand(self.usage[key], self.unused[key], pending)
        return CapacityRequest(zones, {resource: ResourceDemand(per_zone) for resource, per_zone in found.items()})


def request_from_leases(promises: Promises) -> CapacityRequest:
    """The request for a capacity report that follows from servers and leases."""
    zones = tuple(sorted({each.availability_zone for each in promises.aggregates if each.availability_zone}))
    reservations = {each.id: each for lease in promises.leases for each in lease.reservations}
    sums = _Sums()
    taken: Counter[_Place] = Counter()
    on_host: dict[str, Counter[str]] = defaultdict(Counter)
    to_stay: dict[str, Counter[str]] = defaultdict(Counter)
    for server in promises.servers:
        reservation = reservations.get(reservation_of_name(server.flavor.name))
        amounts = _of_server(server) if reservation is None else _of_slot(reservation)
        for resource, amount in amounts.items():
            sums.usage[resource, server.availability_zone] += amount
        # A host is used by whatever is on it, however that is counted.
        sizes = {CORES: server.flavor.vcpus, RAM: server.flavor.ram_mb}
        on_host[server.hypervisor_name or ""].update(sizes)
        if reservation is None:
            to_stay[server.hypervisor_name or ""].update(sizes)
        else:
            taken[reservation.id, server.availability_zone] += 1
    _add_promises(sums, promises, taken, on_host, to_stay)
    return sums.request(zones)


def _add_promises(
    sums: _Sums,
    promises: Promises,
    taken: Counter[_Place],
    on_host: Mapping[str, Counter[str]],
    to_stay: Mapping[str, Counter[str]],
) -> None:
    hosts = {host.id: host for host in promises.hosts}
    # A lease that is being changed or has failed keeps what its reservations hold; their own status tells.
    kinds = {
        reservation.id: (reservation, lease)
        for lease in promises.leases
        for reservation in lease.reservations
        if reservation.status in (_RUNNING, _TO_COME)
    }
    slots = [
        (hosts[host_id], *kinds[reservation_id])
        for host_id, reservation_id in promises.slots
        if reservation_id in kinds and host_id in hosts
    ]
    # Whatever is on them goes with the lease.
    lent = {host.name for host, reservation, _ in slots if _is_of_hosts(reservation) and reservation.status == _RUNNING}
    for host, reservation, lease in slots:
        zone = host.availability_zone or ""
        is_taken = not _is_of_hosts(reservation) and taken[reservation.id, zone] > 0
        if is_taken:
            taken[reservation.id, zone] -= 1
        if reservation.status == _RUNNING:
            for resource, amount in _of(reservation, host, Counter()).items():
                sums.held[resource, zone] += amount
                sums.changes[resource, zone].append((lease.end_date, -amount))
            free = {} if is_taken else _of(reservation, host, on_host.get(host.name, Counter()))
            for resource, amount in free.items():
                sums.unused[resource, zone] += amount
        elif not is_taken:
            stays = Counter() if host.name in lent else to_stay.get(host.name, Counter())
            for resource, amount in _of(reservation, host, stays).items():
                sums.changes[resource, zone] += [(lease.start_date, amount), (lease.end_date, -amount)]


def _most_at_once(held: int, changes: Iterable[_Change]) -> int:
    """The most that is held at any time from now on. What ends makes room for what begins at the same time."""
    return max(accumulate((more for _, more in sorted(changes)), initial=held))


def _is_of_hosts(reservation: Reservation) -> bool:
    return reservation.resource_type == PHYSICAL_HOST


def _of(reservation: Reservation, host: ReservationHost, used: Mapping[str, int]) -> Amounts:
    """What a slot on a host is: what is not used of it where it is the whole host."""
    if _is_of_hosts(reservation):
        return {
            CORES: max(0, host.vcpus - used.get(CORES, 0)),
            RAM: max(0, host.memory_mb - used.get(RAM, 0)),
        }
    return _of_slot(reservation)


def _of_server(server: Server) -> Amounts:
    """What a server is: an instance of a split flavor, or a part of the pool; one of bare metal is neither."""
    if server.flavor.extra_specs.get(HYPERVISOR_TYPE) == "ironic":
        return {}
    if server.flavor.extra_specs.get(SEPARATE_QUOTA) == "true":
        return {f"{INSTANCES}_{counted_as(server.flavor.name, server.flavor.extra_specs)}": 1}
    return {CORES: server.flavor.vcpus, INSTANCES: 1, RAM: server.flavor.ram_mb}


def _of_slot(reservation: Reservation) -> Amounts:
    """What one slot is: an instance of a split flavor if it was reserved by that, else a part of the pool."""
    try:
        flavor = msgspec.json.decode(reservation.resource_properties, type=_SourceFlavor)
    except msgspec.DecodeError:
        flavor = None
    if flavor is not None and flavor.extra_specs.get(SEPARATE_QUOTA) == "true":
        return {f"{INSTANCES}_{counted_as(flavor.name, flavor.extra_specs)}": 1}
    return {CORES: reservation.vcpus, INSTANCES: 1, RAM: reservation.memory_mb}


class _SourceFlavor(msgspec.Struct, frozen=True):
    name: str
    extra_specs: Mapping[str, str] = {}
