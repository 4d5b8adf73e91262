"""Accounts of capacity as tables, with a plot for each zone and flavor."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from moorage.capacity.fit import Fit
from moorage.capacity.model.demand import POOLED_RESOURCES
from moorage.capacity.packing.zone import Phase
from moorage.capacity.report import CapacityAccount

_WIDTH = 30
# What the parts of a plot are: used, committed, pending, free.
_MARKS = (("█", "green"), ("▓", "yellow"), ("▒", "cyan"), ("░", "dim"))


def pooled_table(account: CapacityAccount) -> Table:
    """Cores, instances and RAM in each zone."""
    table = Table("resource", "zone", "capacity", "used", title="Pooled", title_justify="left")
    for resource in POOLED_RESOURCES:
        for zone, each in account.report.resources[resource].items():
            table.add_row(resource, zone, f"{each.capacity:,}", f"{each.usage or 0:,}")
    return table


def split_table(account: CapacityAccount) -> Table:
    """The instances of split flavors in each zone: used, committed, pending, and what fits beside them."""
    columns = ("flavor", "zone", "capacity", "used", "committed", "pending", "free", "")
    table = Table(*columns, title="Split flavors", title_justify="left")
    for block, flavor in enumerate(account.flavors):
        for zone, result in account.accounts.items():
            placed = result.placed
            parts = (
                placed[Phase.EXISTING][block] + placed[Phase.USAGE][block],
                placed[Phase.UNUSED_COMMITMENTS][block],
                placed[Phase.PENDING_COMMITMENTS][block],
                placed[Phase.FILL][block],
            )
            table.add_row(flavor.name, zone, f"{sum(parts):,}", *(f"{part:,}" for part in parts), _plot(parts))
    return table


def unplaced_table(account: CapacityAccount) -> Table | None:
    """Demand that found no place, with the reason; None if all did."""
    table = Table("flavor", "zone", "demand", "unplaced", "why", title="No place found", title_justify="left")
    for zone, result in account.accounts.items():
        for each in result.refused:
            table.add_row(account.flavors[each.block].name, zone, each.phase, f"{each.count:,}", each.reason)
        if result.refused:
            table.caption = "At most so many more could be placed by anybody: " + ", ".join(
                f"{name} {other.gap:,}" for name, other in account.accounts.items() if other.refused
            )
    return table if table.row_count else None


def differences(before: CapacityAccount, after: CapacityAccount) -> Table:
    """Capacity before and after, for each resource and zone."""
    table = Table("resource", "zone", "before", "after", "difference")
    for resource, zones in after.report.resources.items():
        old = before.report.resources.get(resource, {})
        for zone, each in zones.items():
            known = old[zone].capacity if zone in old else 0
            table.add_row(resource, zone, f"{known:,}", f"{each.capacity:,}", f"{each.capacity - known:+,}")
    return table


def fit_table(found: Iterable[Fit]) -> Table:
    """How many more of each flavor fit, in which zones, on how many hypervisors, and what limits it there."""
    table = Table("flavor", "fit", "where", "hypervisors", "what limits it")
    for each in found:
        where = ", ".join(f"{zone} {count:,}" for zone, count in sorted(each.by_zone.items()))
        limits = ", ".join(
            f"{name} on {count:,}" for name, count in sorted(each.limits.items(), key=lambda pair: (-pair[1], pair[0]))
        )
        table.add_row(each.flavor.name, f"{each.total:,}", where, f"{len(each.on):,}", limits)
    return table


def _plot(parts: tuple[int, ...]) -> Text:
    """The parts side by side, in a bar that is as wide as all of them."""
    text = Text()
    total = sum(parts)
    ends = [round(_WIDTH * sum(parts[: number + 1]) / total) if total else 0 for number in range(len(parts))]
    for (mark, style), start, end in zip(_MARKS, [0, *ends], ends, strict=False):
        text.append(mark * (end - start), style)
    return text
