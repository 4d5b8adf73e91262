"""The figures of a capacity report for those who watch a cloud: what it offers, what is asked for, what did not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from moorage.capacity.model.demand import CapacityRequest
from moorage.capacity.model.overcommit import raw
from moorage.capacity.report import CapacityAccount


class Figure(Struct, frozen=True, array_like=True):
    """A number with its name and labels, in the order in which the table below names them."""

    name: str
    labels: tuple[str, ...]
    value: float


class Figures(Struct, frozen=True):
    """All figures of a report, and when it was made, in seconds since 1970."""

    made_at: float
    figures: tuple[Figure, ...] = ()


_PLACE = ("resource", "zone")

FAMILIES: dict[str, tuple[str, tuple[str, ...]]] = {
    "capacity": ("How much of a resource there is in a zone, before overcommitment.", _PLACE),
    "used": ("How much of a resource is in use, as the last request for a report said, before overcommitment.", _PLACE),
    "committed": (
        "How much of a resource is promised and not in use, as the last request said, before overcommitment.",
        _PLACE,
    ),
    "pending": ("How much of a resource is waited for, as the last request said, before overcommitment.", _PLACE),
    "unplaced": (
        "How many instances are asked for and found no place in the simulation.",
        (*_PLACE, "demand"),
    ),
    "bound": (
        "How many of the instances of split flavors that are asked for anybody could place at most.",
        ("zone",),
    ),
    "gap": (
        "How many of those were not placed: the most that a better packing could win.",
        ("zone",),
    ),
    "hypervisors_skipped": ("How many hypervisors were left out because they could not be understood.", ()),
    "hypervisors_homeless": ("How many hypervisors were left out because they have no aggregate or zone.", ()),
    "report_seconds": ("How long the last capacity report took.", ()),
}
"""What each figure means, and which labels it has."""


def figures_of(account: CapacityAccount, request: CapacityRequest, *, seconds: float, made_at: float) -> Figures:
    """The figures of a report."""
    single = (
        Figure("hypervisors_skipped", (), len(account.skipped)),
        Figure("hypervisors_homeless", (), len(account.homeless)),
        Figure("report_seconds", (), seconds),
    )
    return Figures(
        made_at, (*_capacities(account), *_demand(account, request), *_unplaced(account), *_bounds(account), *single)
    )


def _capacities(account: CapacityAccount) -> Iterator[Figure]:
    for resource, zones in account.report.resources.items():
        for zone, found in zones.items():
            yield Figure("capacity", (resource, zone), found.capacity)


def _demand(account: CapacityAccount, request: CapacityRequest) -> Iterator[Figure]:
    """Demand comes in effective units, and capacity is told in those of the hardware: so is this."""
    for resource in account.report.resources:
        demand = request.of(resource)
        for zone in request.zones:
            asked = demand.in_zone(zone)
            yield Figure("used", (resource, zone), raw(demand.overcommit_factor, asked.usage))
            yield Figure("committed", (resource, zone), raw(demand.overcommit_factor, asked.unused_commitments))
            yield Figure("pending", (resource, zone), raw(demand.overcommit_factor, asked.pending_commitments))


def _bounds(account: CapacityAccount) -> Iterator[Figure]:
    for zone, of_zone in account.accounts.items():
        yield Figure("bound", (zone,), of_zone.bound)
        yield Figure("gap", (zone,), of_zone.gap)


def _unplaced(account: CapacityAccount) -> Iterator[Figure]:
    missing: Counter[tuple[str, str, str]] = Counter()
    for zone, of_zone in account.accounts.items():
        for refusal in of_zone.refused:
            missing[account.flavors[refusal.block].resource_name, zone, str(refusal.phase)] += refusal.count
    for labels, count in sorted(missing.items()):
        yield Figure("unplaced", labels, count)
