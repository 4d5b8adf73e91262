"""How many more of a flavor fit now, where, and what limits it: what is free on each hypervisor, looked at once.

A hypervisor that is one machine is told exactly. Of a cluster nobody knows how its free space is spread over its nodes,
so its number is the most that may fit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.demand import CORES
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.model.hypervisor import DISK_GB, MEMORY_MB, VCPU
from moorage.capacity.model.overcommit import raw
from moorage.capacity.packing.size import Size
from moorage.capacity.report import block_of
from moorage.capacity.selection.flavors import select_flavors, trait_specs, traits_match
from moorage.capacity.selection.hypervisors import Nodes, SelectedHypervisor, select_hypervisors

DIMENSIONS = ("cores", "RAM", "disk")
TRAITS = "traits"


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


def how_many_more(snapshot: Snapshot, name: str) -> Fit:
    """Look at every hypervisor that counts and is not shadowed; pooled flavors only go where all of them may."""
    flavor = next((each for each in snapshot.cloud.flavors if name in (each.name, each.id)), None)
    if flavor is None:
        names = sorted(each.name for each in snapshot.cloud.flavors)
        known = f"There are {len(names)}, such as {', '.join(names[:10])}." if names else "There are none at all."
        raise UnknownFlavor(f"There is no flavor {name}. {known}")
    configuration = snapshot.configuration
    pooled_traits = select_flavors(configuration, snapshot.cloud.flavors).pooled_traits
    found = select_hypervisors(configuration.hypervisor_selection, snapshot.cloud, pooled_traits)
    factor = snapshot.request.of(CORES).overcommit_factor
    size, specs = block_of(flavor, factor).size, trait_specs(flavor)
    on: dict[tuple[str, str], int] = {}
    limits: Counter[str] = Counter()
    for each in found.hypervisors:
        if each.nodes is None:
            continue
        if not traits_match(specs, frozenset(each.traits)) or not (flavor.is_split or each.accepts_pooled):
            limits[TRAITS] += 1
            continue
        count, limit = _on(each, each.nodes, size, factor)
        limits[limit] += 1
        if count:
            on[each.zone, each.hypervisor.hostname] = count
    return Fit(flavor, on, limits)


def _on(each: SelectedHypervisor, nodes: Nodes, size: Size, factor: float) -> tuple[int, str]:
    """How many fit on a hypervisor, and the dimension that is full first."""
    hypervisor = each.hypervisor
    used = Size(
        raw(factor, max(0, hypervisor.usages.get(VCPU, 0))),
        hypervisor.usages.get(MEMORY_MB, 0),
        hypervisor.usages.get(DISK_GB, 0),
    )
    free = Size(*(hypervisor.inventory(name).available for name in (VCPU, MEMORY_MB, DISK_GB))).minus(used)
    counts = [
        (min(max(0, has) // amount, nodes.count * (node // amount)), name)
        for name, amount, has, node in zip(DIMENSIONS, size, free, nodes.size, strict=True)
        if amount
    ]
    return min(counts, key=lambda pair: pair[0]) if counts else (0, TRAITS)
