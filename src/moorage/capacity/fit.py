"""How many more of a flavor fit now, where, and what limits it: what is free on each hypervisor, looked at once.

This is about servers that are made today, so it goes by what Placement would say, allocation ratios included, and by
what the flavor itself asks for, in all its groups. A hypervisor that is one machine is told exactly. Of a cluster
nobody knows how its free space is spread over its nodes, so its number is the most that may fit. What only a part of a
hypervisor has, such as a GPU with a provider of its own or the slots of a lease, is not looked at: who asks for it is
told that it is what limits. No hypervisor is left out without a word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import os_traits

from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.model.hypervisor import DISK_GB, MEMORY_MB, VCPU, Hypervisor, Inventory
from moorage.capacity.selection.hypervisors import Host, hosts_of
from moorage.compute.model.flavor import Flavor as ComputeFlavor
from moorage.compute.placing.extra_specs import UNNUMBERED, SpecGroup, extra_spec_problems, read_extra_specs
from moorage.compute.placing.resources import resources_by_group
from moorage.reservations.model.names import is_flavor_name

TRAITS = "traits"
DISABLED = "being disabled"
LEASES = "being kept for leases"
SHADOWED = "being shadowed"
HOMELESS = "having no aggregate or zone"
IN_SEVERAL_ZONES = "being in several zones"
NO_PROVIDER = "having no resource provider"
NO_INVENTORIES = "having no inventories"
APART = "groups that must not share a provider"
NO_SIZE = "nothing, for it has no size"
_NAMES = {VCPU: "cores", MEMORY_MB: "RAM", DISK_GB: "disk"}


class UnknownFlavor(Exception):
    """No flavor of this name is in the cloud; the message says which."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How many more of a flavor fit, by zone and hypervisor; and on how many hypervisors what is the limit."""

    flavor: Flavor
    on: Mapping[tuple[str, str], int]
    limits: Mapping[str, int]

    @property
    def total(self) -> int:
        """On all hypervisors together."""
        return sum(self.on.values())

    @property
    def by_zone(self) -> Mapping[str, int]:
        """The same by zone."""
        zones: Counter[str] = Counter()
        for (zone, _), count in self.on.items():
            zones[zone] += count
        return zones


@dataclass(frozen=True, slots=True)
class Room:
    """The hypervisors that are looked at; and for each why nothing fits there whatever it is, or an empty string."""

    hosts: tuple[Host, ...]
    closed: tuple[str, ...]


def how_many_more(snapshot: Snapshot, names: Iterable[str]) -> list[Fit]:
    """For each flavor by itself, look at every hypervisor that is wanted."""
    flavors = [_named(snapshot, name) for name in names]
    room = room_of(snapshot)
    return [fit(flavor, room) for flavor in flavors]


def room_of(snapshot: Snapshot) -> Room:
    """Where servers can be made, and where they can't."""
    hosts = tuple(hosts_of(snapshot.configuration.hypervisor_selection, snapshot.cloud))
    leased = frozenset(host for each in snapshot.cloud.aggregates if each.is_of_leases for host in each.hosts)
    return Room(hosts, tuple(_closed(host, leased) for host in hosts))


def _closed(host: Host, leased: AbstractSet[str]) -> str:
    """Why nothing at all fits on a host; empty if something may."""
    hypervisor = host.hypervisor
    reasons = (
        (hypervisor.problem, NO_PROVIDER),
        (not host.zones, HOMELESS),
        (len(host.zones) > 1, IN_SEVERAL_ZONES),
        (host.is_shadowed, SHADOWED),
        (os_traits.COMPUTE_STATUS_DISABLED in hypervisor.traits, DISABLED),
        (hypervisor.service_host in leased, LEASES),
        (not hypervisor.inventories, NO_INVENTORIES),
    )
    return next((reason for holds, reason in reasons if holds), "")


def fit(flavor: Flavor, room: Room) -> Fit:
    """How many more of a flavor fit there."""
    asked = asked_of_host(flavor)
    on: dict[tuple[str, str], int] = {}
    limits: Counter[str] = Counter()
    for host, reason in zip(room.hosts, room.closed, strict=True):
        count, limit = (0, reason) if reason else _on(host, asked)
        limits[limit] += 1
        if count:
            on[host.zones[0], host.hypervisor.hostname] = count
    return Fit(flavor, on, limits)


def offered(snapshot: Snapshot) -> list[str]:
    """The names of the flavors that servers are made with, by name; those of leases are for their owners alone."""
    return sorted(each.name for each in snapshot.cloud.flavors if not is_flavor_name(each.name))


@dataclass(frozen=True, slots=True)
class Asked:
    """What a server asks of its host: amounts by resource class, of all groups together, and traits."""

    amounts: Mapping[str, int]
    # Of the whole host; and of whatever serves a numbered group, which is the host itself or is not looked at.
    of_host: SpecGroup
    of_groups: SpecGroup
    # Whether there are several numbered groups, no two of which one provider may serve.
    is_apart: bool


def asked_of_host(flavor: Flavor) -> Asked:
    """The flavor's sizes, unless its extra specs say otherwise; what Nova cannot read of these it ignores, too."""
    unreadable = {problem.key for problem in extra_spec_problems(flavor.extra_specs)}
    specs = read_extra_specs({key: value for key, value in flavor.extra_specs.items() if key not in unreadable})
    sizes = ComputeFlavor(
        flavor_id=flavor.id,
        name=flavor.name,
        ram_mb=flavor.ram_mib,
        vcpus=flavor.vcpus,
        disk_gb=flavor.disk_gib,
        ephemeral_gb=flavor.ephemeral_gib,
        swap_mb=flavor.swap_mib,
    )
    by_group = resources_by_group(sizes, specs)
    amounts: Counter[str] = Counter()
    for of_group in by_group.values():
        amounts.update(of_group)
    numbered = [group for suffix, group in specs.groups.items() if suffix != UNNUMBERED]
    return Asked(
        amounts,
        specs.groups.get(UNNUMBERED, SpecGroup()),
        SpecGroup(
            required=frozenset().union(*(group.required for group in numbered)),
            forbidden=frozenset().union(*(group.forbidden for group in numbered)),
        ),
        specs.group_policy == "isolate" and len(by_group.keys() - {UNNUMBERED}) > 1,
    )


def _named(snapshot: Snapshot, name: str) -> Flavor:
    for flavor in snapshot.cloud.flavors:
        if name in (flavor.name, flavor.id):
            return flavor
    names = sorted(each.name for each in snapshot.cloud.flavors)
    known = f"There are {len(names)}, such as {', '.join(names[:10])}." if names else "There are none at all."
    raise UnknownFlavor(f"There is no flavor {name}. {known}")


def _on(host: Host, asked: Asked) -> tuple[int, str]:
    """How many fit on a host, and what of it is full first; disks may be elsewhere, and are not counted then."""
    hypervisor = host.hypervisor
    traits = frozenset(hypervisor.traits)
    if not _has_traits(asked.of_host, traits):
        return 0, TRAITS
    if elsewhere := asked.amounts.keys() - hypervisor.inventories.keys() - {DISK_GB}:
        name = min(elsewhere)
        return 0, f"no {_NAMES.get(name, name)} of their own"
    if asked.is_apart:
        return 0, APART
    if not _has_traits(asked.of_groups, traits):
        return 0, TRAITS
    counts = [
        (_of_class(hypervisor, name, host.nodes, amount), _NAMES.get(name, name))
        for name, amount in asked.amounts.items()
        if name in hypervisor.inventories
    ]
    return min(counts, key=lambda pair: pair[0]) if counts else (0, NO_SIZE)


def _has_traits(group: SpecGroup, traits: AbstractSet[str]) -> bool:
    return group.required <= traits and not group.forbidden & traits


def _of_class(hypervisor: Hypervisor, resource_class: str, nodes: int, amount: int) -> int:
    """How many fit by what there is of one resource class; it may be that nobody may take such an amount at once."""
    inventory: Inventory = hypervisor.inventories[resource_class]
    if not inventory.allows(amount):
        return 0
    room = int(inventory.available * inventory.allocation_ratio)
    in_each_node = int(room / nodes) // amount
    return min(max(0, room - hypervisor.usages.get(resource_class, 0)) // amount, nodes * in_each_node)
