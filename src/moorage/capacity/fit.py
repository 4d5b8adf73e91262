"""How many more of a flavor fit now, where, and what limits it: what is free on each hypervisor, looked at once.

This is about servers that are made today, so it goes by what Placement would say, allocation ratios included, and by
the flavor's own traits. A hypervisor that is one machine is told exactly. Of a cluster nobody knows how its free space
is spread over its nodes, so its number is the most that may fit. What only a part of a hypervisor has, such as a GPU
with a provider of its own or the slots of a lease, is not looked at: who asks for it is told that it is what limits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.model.hypervisor import DISK_GB, MEMORY_MB, VCPU, Hypervisor, Inventory
from moorage.capacity.selection.flavors import trait_specs, traits_match
from moorage.capacity.selection.hypervisors import SelectedHypervisors, select_hypervisors

TRAITS = "traits"
DISABLED = "being disabled"
LEASES = "being kept for leases"
UNCLEAR = "unclear inventories"
NO_SIZE = "nothing, for it has no size"
_NAMES = {VCPU: "cores", MEMORY_MB: "RAM", DISK_GB: "disk"}
_RESOURCES = "resources:"
_OF_LEASES = "reservation:"
_OUT_OF_SERVICE = "COMPUTE_STATUS_DISABLED"


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


def how_many_more(snapshot: Snapshot, names: Iterable[str]) -> list[Fit]:
    """For each flavor by itself, look at every hypervisor that counts and is not shadowed."""
    flavors = [_named(snapshot, name) for name in names]
    # One that cannot be understood says nothing of the others.
    selection = replace(snapshot.configuration.hypervisor_selection, skip_failing=True)
    found = select_hypervisors(selection, snapshot.cloud, {})
    leased = frozenset(host for each in snapshot.cloud.aggregates if each.is_of_leases for host in each.hosts)
    return [_fit(flavor, found, leased) for flavor in flavors]


def _fit(flavor: Flavor, found: SelectedHypervisors, leased: AbstractSet[str]) -> Fit:
    amounts, specs = amounts_of(flavor), trait_specs(flavor)
    on: dict[tuple[str, str], int] = {}
    limits: Counter[str] = Counter({UNCLEAR: len(found.skipped)} if found.skipped else {})
    for each in found.hypervisors:
        if each.nodes is None:
            continue
        count, limit = 0, ""
        if _OUT_OF_SERVICE in each.traits:
            limit = DISABLED
        elif each.hypervisor.service_host in leased:
            limit = LEASES
        elif not traits_match(specs, frozenset(each.traits)):
            limit = TRAITS
        else:
            count, limit = _on(each.hypervisor, each.nodes.count, amounts)
        limits[limit] += 1
        if count:
            on[each.zone, each.hypervisor.hostname] = count
    return Fit(flavor, on, limits)


def offered(snapshot: Snapshot) -> list[str]:
    """The names of the flavors that servers are made with, by name; those of leases are for their owners alone."""
    return sorted(each.name for each in snapshot.cloud.flavors if not each.name.startswith(_OF_LEASES))


def amounts_of(flavor: Flavor) -> Mapping[str, int]:
    """What a server takes of its host, by resource class: the flavor's sizes, unless its extra specs say otherwise."""
    disk = flavor.disk_gib + flavor.ephemeral_gib + -(-flavor.swap_mib // 1024)
    amounts = {VCPU: flavor.vcpus, MEMORY_MB: flavor.ram_mib, DISK_GB: disk}
    if f"{_RESOURCES}PCPU" in flavor.extra_specs:
        # Dedicated processors come in place of shared ones.
        del amounts[VCPU]
    for key, value in flavor.extra_specs.items():
        if key.startswith(_RESOURCES) and value.isdecimal():
            amounts[key.removeprefix(_RESOURCES)] = int(value)
    return {name: amount for name, amount in amounts.items() if amount > 0}


def _named(snapshot: Snapshot, name: str) -> Flavor:
    for flavor in snapshot.cloud.flavors:
        if name in (flavor.name, flavor.id):
            return flavor
    names = sorted(each.name for each in snapshot.cloud.flavors)
    known = f"There are {len(names)}, such as {', '.join(names[:10])}." if names else "There are none at all."
    raise UnknownFlavor(f"There is no flavor {name}. {known}")


def _on(hypervisor: Hypervisor, nodes: int, amounts: Mapping[str, int]) -> tuple[int, str]:
    """How many fit on a hypervisor, and what of it is full first; disks may be elsewhere, and are not counted then."""
    if elsewhere := amounts.keys() - hypervisor.inventories.keys() - _NAMES.keys():
        return 0, f"{min(elsewhere)}, which they do not have themselves,"
    counts = [
        (_of_class(hypervisor.inventories[name], hypervisor.usages.get(name, 0), nodes, amount), _NAMES.get(name, name))
        for name, amount in amounts.items()
        if name in hypervisor.inventories
    ]
    return min(counts, key=lambda pair: pair[0]) if counts else (0, NO_SIZE)


def _of_class(inventory: Inventory, used: int, nodes: int, amount: int) -> int:
    """How many fit by what there is of one resource class; nobody may take more than max_unit of it at once."""
    if amount > inventory.max_unit:
        return 0
    room = int(inventory.available * inventory.allocation_ratio)
    in_each_node = int(room / nodes) // amount
    return min(max(0, room - used) // amount, nodes * in_each_node)
