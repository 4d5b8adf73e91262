"""Which hypervisors count, in which zone each is, and of how many equal nodes it is made.

The rules are applied in a fixed order, and what fails is collected, so that whoever has to put it right sees all of it.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from moorage.capacity.errors import FailingHypervisors, Failure
from moorage.capacity.model.cloud import Cloud
from moorage.capacity.model.configuration import HypervisorSelection
from moorage.capacity.model.hypervisor import DISK_GB, MEMORY_MB, VCPU, Aggregate, Hypervisor, Inventory
from moorage.capacity.packing.size import Size
from moorage.capacity.selection.flavors import traits_match

ROUND_UP_ABOVE = 0.9
"""A node that is nearly whole counts, because inventories are not exact to the last megabyte; half a node does not."""


MOST_NODES = 10_000
"""A hypervisor of more nodes than this has a max_unit that is none."""


@dataclass(frozen=True, slots=True)
class Nodes:
    """The equal nodes of a hypervisor."""

    count: int
    size: Size


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedHypervisor:
    """A hypervisor that counts. A shadowed one has no nodes: nothing is placed on it."""

    hypervisor: Hypervisor
    zone: str
    aggregate_name: str
    traits: tuple[str, ...]
    accepts_pooled: bool
    nodes: Nodes | None

    @property
    def is_shadowed(self) -> bool:
        """Whether it only counts as far as it is used."""
        return self.nodes is None


@dataclass(frozen=True, slots=True)
class SelectedHypervisors:
    """Those that count, in the cloud's order; those that failed and are skipped; those without aggregate or zone."""

    hypervisors: tuple[SelectedHypervisor, ...]
    skipped: tuple[Failure, ...]
    homeless: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A hypervisor as one that servers are made on, though nobody may know what capacity to report for it."""

    hypervisor: Hypervisor
    # Those of its aggregates if the settings want any of them; there should be one.
    zones: tuple[str, ...]
    is_shadowed: bool
    # One where its inventories do not say of how many equal nodes it is made.
    nodes: int


class _Unclear(Exception):
    """A hypervisor cannot be understood: what is wrong, and what to do."""


def select_hypervisors(
    selection: HypervisorSelection, cloud: Cloud, pooled_traits: Mapping[str, str]
) -> SelectedHypervisors:
    """Sort the hypervisors of a cloud; refuses with all that fail, unless they are to be skipped."""
    selected: list[SelectedHypervisor] = []
    failures: list[Failure] = []
    homeless: list[str] = []
    for hypervisor, places in _wanted(selection, cloud):
        try:
            if not _has_sizes(hypervisor):
                continue
            place = _one_place(places)
            if place is None:
                homeless.append(hypervisor.hostname)
            else:
                selected.append(_selected(selection, hypervisor, place, pooled_traits))
        except _Unclear as error:
            reason, advice = error.args
            failures.append(Failure(hypervisor.description, reason, advice))
    if failures and not selection.skip_failing:
        raise FailingHypervisors(failures)
    return SelectedHypervisors(tuple(selected), tuple(failures), tuple(homeless))


def _has_sizes(hypervisor: Hypervisor) -> bool:
    if hypervisor.problem:
        raise _Unclear(
            hypervisor.problem.rstrip("."),
            "Every hypervisor in Nova needs a resource provider of its name; if the host is gone, delete its service.",
        )
    return all(hypervisor.inventory(each).total for each in (VCPU, MEMORY_MB, DISK_GB))


def hosts_of(selection: HypervisorSelection, cloud: Cloud) -> Iterator[Host]:
    """The hypervisors that are wanted, whatever their inventories are, in the cloud's order."""
    for hypervisor, places in _wanted(selection, cloud):
        try:
            nodes = nodes_of(hypervisor).count
        except _Unclear:
            nodes = 1
        yield Host(
            hypervisor=hypervisor,
            zones=tuple(places.zones) if places.aggregates else (),
            is_shadowed=_is_shadowed(selection, hypervisor),
            nodes=nodes,
        )


def _wanted(selection: HypervisorSelection, cloud: Cloud) -> Iterator[tuple[Hypervisor, _Places]]:
    """Those of the wanted type and traits, with their places; and those whose traits nobody knows."""
    type_pattern = re.compile(selection.hypervisor_type_pattern)
    places = _places(cloud.aggregates, re.compile(selection.aggregate_name_pattern))
    for hypervisor in cloud.hypervisors:
        traits = frozenset(hypervisor.traits)
        if type_pattern.search(hypervisor.hypervisor_type) and (
            hypervisor.problem or all(_rule_holds(rule, traits) for rule in selection.required_traits)
        ):
            yield hypervisor, places[hypervisor.service_host]


def _is_shadowed(selection: HypervisorSelection, hypervisor: Hypervisor) -> bool:
    traits = frozenset(hypervisor.traits)
    return any(_rule_holds(rule, traits) for rule in selection.shadowing_traits)


def _rule_holds(rule: str, traits: frozenset[str]) -> bool:
    """`TRAIT` or `!TRAIT`, which means that it must be absent."""
    return rule[1:] not in traits if rule.startswith("!") else rule in traits


@dataclass(slots=True)
class _Places:
    """In which matching aggregates and in which zones a service host is. Dictionaries, to keep the order."""

    aggregates: dict[str, None]
    zones: dict[str, None]


def _places(aggregates: Iterable[Aggregate], pattern: re.Pattern[str]) -> defaultdict[str, _Places]:
    places: defaultdict[str, _Places] = defaultdict(lambda: _Places({}, {}))
    for aggregate in aggregates:
        # One of leases is no place of its own; whoever wants it all the same names it.
        matches = pattern.search(aggregate.name) is not None and bool(pattern.pattern or not aggregate.is_of_leases)
        for host in aggregate.hosts:
            place = places[host]
            if matches:
                place.aggregates[aggregate.name] = None
            # Aggregates that do not match the pattern also say in which zone a host is.
            if aggregate.availability_zone:
                place.zones[aggregate.availability_zone] = None
    return places


def _one_place(places: _Places) -> tuple[str, str] | None:
    """The aggregate and the zone, None if one of them is missing."""
    if len(places.aggregates) > 1:
        raise _Unclear(
            f"it is in several aggregates that match: {', '.join(sorted(places.aggregates))}",
            "Choose hypervisor_selection.aggregate_name_pattern so that it matches one aggregate of each host, or take "
            "the host out of the others.",
        )
    if len(places.zones) > 1:
        raise _Unclear(
            f"it is in several availability zones: {', '.join(sorted(places.zones))}",
            "Leave the host in aggregates of one availability zone only.",
        )
    if not places.aggregates or not places.zones:
        return None
    return next(iter(places.aggregates)), next(iter(places.zones))


def _selected(
    selection: HypervisorSelection, hypervisor: Hypervisor, place: tuple[str, str], pooled_traits: Mapping[str, str]
) -> SelectedHypervisor:
    aggregate_name, zone = place
    return SelectedHypervisor(
        hypervisor=hypervisor,
        zone=zone,
        aggregate_name=aggregate_name,
        traits=tuple(sorted(hypervisor.traits)),
        accepts_pooled=traits_match(pooled_traits, frozenset(hypervisor.traits)),
        nodes=None if _is_shadowed(selection, hypervisor) else nodes_of(hypervisor),
    )


def nodes_of(hypervisor: Hypervisor) -> Nodes:
    """Take a hypervisor as a cluster of equal nodes: as many as the largest instance fits into it."""
    vcpu, memory = hypervisor.inventory(VCPU), hypervisor.inventory(MEMORY_MB)
    counts = _node_count(VCPU, vcpu), _node_count(MEMORY_MB, memory)
    if counts[0] != counts[1]:
        raise _Unclear(
            f"VCPU makes it {counts[0]} nodes ({_ratio(vcpu)}), but MEMORY_MB makes it {counts[1]} ({_ratio(memory)})",
            "The max_unit of both inventories must be the size of one node.",
        )
    count = counts[0]
    if count <= 0:
        raise _Unclear(
            f"it has no room for a single node: VCPU {_ratio(vcpu)}, MEMORY_MB {_ratio(memory)}",
            "max_unit and reserved must leave room for at least one node.",
        )
    if count > MOST_NODES:
        raise _Unclear(
            f"it would be {count} nodes: VCPU {_ratio(vcpu)}, MEMORY_MB {_ratio(memory)}",
            f"The max_unit of both inventories must be the size of one node; there may be {MOST_NODES} at most.",
        )
    # The max_unit of DISK_GB is the largest disk of one instance, not the size of a node, hence the division.
    disk = hypervisor.inventory(DISK_GB).available // count
    return Nodes(count, Size(max(0, vcpu.largest_part), max(0, memory.largest_part), disk))


def _node_count(resource_class: str, inventory: Inventory) -> int:
    if inventory.max_unit == 0:
        raise _Unclear(
            f"the inventory of {resource_class} has no max_unit",
            "Set it to the size of the largest node of the hypervisor.",
        )
    available = inventory.total - inventory.reserved
    exact = float(available) / float(inventory.largest_part) if inventory.largest_part else 0.0
    count = math.floor(exact)
    return count + 1 if exact - count > ROUND_UP_ABOVE else count


def _ratio(inventory: Inventory) -> str:
    return f"total {inventory.total} - reserved {inventory.reserved}, max_unit {inventory.max_unit}"
