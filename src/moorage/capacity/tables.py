"""Accounts of capacity as tables, with a plot for each zone and flavor."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from moorage.capacity.model.demand import POOLED_RESOURCES, CapacityRequest
from moorage.capacity.model.overcommit import raw
from moorage.capacity.packing.zone import Phase
from moorage.capacity.report import CapacityAccount

_WIDTH = 30
# What the parts of a plot are, in their order.
_MARKS = (("used", "█", "green"), ("committed", "▓", "yellow"), ("pending", "▒", "cyan"), ("free", "░", "dim"))
_LEGEND = ", ".join(f"{mark} {name}" for name, mark, _ in _MARKS)

Parts = tuple[int, int, int, int]


def pooled_table(account: CapacityAccount, request: CapacityRequest) -> Table:
    """Cores, instances and RAM in each zone, and what is asked of them, in units of the hardware."""
    table = _plotted("resource", f"Pooled: {_LEGEND}")
    for resource in POOLED_RESOURCES:
        demand = request.of(resource)
        for zone, each in account.report.resources[resource].items():
            asked = demand.in_zone(zone)
            used, committed, pending = (
                raw(demand.overcommit_factor, amount)
                for amount in (asked.usage, asked.unused_commitments, asked.pending_commitments)
            )
            free = max(0, each.capacity - used - committed - pending)
            _add(table, resource, zone, each.capacity, (used, committed, pending, free))
    return table


def split_table(account: CapacityAccount, request: CapacityRequest) -> Table:
    """The instances of split flavors in each zone: used, committed, pending, and what fits beside them."""
    table = _plotted("flavor", f"Split flavors: {_LEGEND}")
    for block, flavor in enumerate(account.flavors):
        for zone, each in account.report.resources[flavor.resource_name].items():
            parts = _placed(account, request, block, zone)
            _add(table, flavor.name, zone, each.capacity, parts)
    return table


def _placed(account: CapacityAccount, request: CapacityRequest, block: int, zone: str) -> Parts:
    """What was placed of a flavor in a zone of the report, for what; what runs on shadowed hypervisors is in use."""
    used = account.shadowed.get(account.flavors[block].resource_name, {}).get(zone, 0)
    committed = pending = free = 0
    for name, result in account.accounts.items():
        if request.known_zone(name) == zone:
            placed = result.placed
            used += placed[Phase.EXISTING][block] + placed[Phase.USAGE][block]
            committed += placed[Phase.UNUSED_COMMITMENTS][block]
            pending += placed[Phase.PENDING_COMMITMENTS][block]
            free += placed[Phase.FILL][block]
    return used, committed, pending, free


def left_out(account: CapacityAccount) -> Iterator[str]:
    """Hypervisors that have no part in the tables, a sentence for each kind and for each that was skipped."""
    if account.homeless:
        yield f"Without aggregate or zone, and so not counted: {', '.join(account.homeless)}"
    for failure in account.skipped:
        yield f"Left out: {failure}"


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


def _plotted(first: str, title: str) -> Table:
    table = Table(first, "zone", title=title, title_justify="left")
    for column in ("capacity", *(name for name, _, _ in _MARKS)):
        table.add_column(column, justify="right")
    table.add_column("")
    return table


def _add(table: Table, name: str, zone: str, capacity: int, parts: Parts) -> None:
    table.add_row(name, zone, f"{capacity:,}", *(f"{part:,}" for part in parts), _plot(parts))


def _plot(parts: Parts) -> Text:
    """The parts side by side, in a bar that is as wide as all of them."""
    text = Text()
    total = sum(parts)
    ends = [round(_WIDTH * sum(parts[: number + 1]) / total) if total else 0 for number in range(len(parts))]
    for (_, mark, style), start, end in zip(_MARKS, [0, *ends], ends, strict=False):
        text.append(mark * (end - start), style)
    return text
