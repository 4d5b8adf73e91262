"""Servers of hypervisors that go, put on those that stay: what is in use there then, and who finds no place.

It is Placement's view, as for how many more fit. A server stays in its zone; flavors that take most go first, and where
there is least room for more of them, for that leaves the large gaps to those that need them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from moorage.capacity.fit import Room, asked_of_host, fit, room_of
from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.model.hypervisor import Hypervisor
from moorage.client.compute import FlavorOfServer, Server


@dataclass(frozen=True, slots=True)
class Displaced:
    """Servers alike that have lost their hypervisor: how many there are, and how many of them find no other."""

    flavor: str
    zone: str
    count: int
    unplaced: int


def resettled(before: Snapshot, after: Snapshot, servers: Iterable[Server]) -> tuple[Snapshot, tuple[Displaced, ...]]:
    """The later cloud with the servers in it whose hypervisor only the earlier one has."""
    gone = {each.hostname for each in before.cloud.hypervisors} - {each.hostname for each in after.cloud.hypervisors}
    waiting = _alike(server for server in servers if server.hypervisor_name in gone)
    room, told = room_of(after), []
    for flavor, by_zone in waiting:
        taken, left = _places(flavor, by_zone, room)
        room = _used(room, flavor, taken)
        told += [Displaced(flavor.name, zone, count, left[zone]) for zone, count in sorted(by_zone.items())]
    now = {each.hypervisor.hostname: each.hypervisor for each in room.hosts}
    hypervisors = tuple(now.get(each.hostname, each) for each in after.cloud.hypervisors)
    return replace(after, cloud=replace(after.cloud, hypervisors=hypervisors)), tuple(told)


def _alike(servers: Iterable[Server]) -> list[tuple[Flavor, Counter[str]]]:
    """Servers as flavors and how many are in each zone; those first that take most cores, then most RAM, then disk."""
    # A flavor of this name may have been another one when some of the servers were made.
    shapes: dict[tuple[object, ...], Flavor] = {}
    zones: dict[tuple[object, ...], Counter[str]] = {}
    for server in servers:
        flavor = _flavor(server.flavor)
        if not flavor.is_ironic:
            shape = (flavor.name, *sorted(asked_of_host(flavor).amounts.items()), *sorted(flavor.extra_specs.items()))
            shapes[shape] = flavor
            zones.setdefault(shape, Counter())[server.availability_zone] += 1
    found = [(flavor, zones[shape]) for shape, flavor in shapes.items()]
    return sorted(found, key=lambda pair: (-pair[0].vcpus, -pair[0].ram_mib, -pair[0].disk_gib, pair[0].name))


def _flavor(told: FlavorOfServer) -> Flavor:
    return Flavor(
        id=told.name,
        name=told.name,
        vcpus=told.vcpus,
        ram_mib=told.ram_mb,
        disk_gib=told.disk_gb,
        ephemeral_gib=told.ephemeral_gb,
        swap_mib=told.swap_mb,
        extra_specs=told.extra_specs,
    )


def _places(flavor: Flavor, by_zone: Mapping[str, int], room: Room) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """By hypervisor how many go there, and by zone how many find no place."""
    left = Counter(by_zone)
    taken: dict[str, int] = {}
    for (zone, hostname), count in sorted(fit(flavor, room).on.items(), key=lambda pair: (pair[1], pair[0])):
        if number := min(count, left[zone]):
            taken[hostname] = number
            left[zone] -= number
    return taken, left


def _used(room: Room, flavor: Flavor, taken: Mapping[str, int]) -> Room:
    """The room with so many more of a flavor on some hypervisors."""
    amounts = asked_of_host(flavor).amounts

    def with_more(hypervisor: Hypervisor) -> Hypervisor:
        more = {name: amount * taken[hypervisor.hostname] for name, amount in amounts.items()}
        usages = {name: hypervisor.usages.get(name, 0) + more.get(name, 0) for name in {**hypervisor.usages, **more}}
        return replace(hypervisor, usages=usages)

    hosts = tuple(
        replace(each, hypervisor=with_more(each.hypervisor)) if each.hypervisor.hostname in taken else each
        for each in room.hosts
    )
    return replace(room, hosts=hosts)
