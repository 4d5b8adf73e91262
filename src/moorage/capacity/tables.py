"""Accounts of capacity as tables, with a plot for each zone and flavor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate

from rich.table import Table
from rich.text import Text

from moorage.capacity.model.demand import CapacityRequest
from moorage.capacity.report import CapacityAccount
from moorage.capacity.shares import Share, pooled_shares, split_shares

_WIDTH = 30
# What the parts of a plot are, in their order.
_MARKS = (("used", "█", "green"), ("committed", "▓", "yellow"), ("pending", "▒", "cyan"), ("free", "░", "dim"))
_LEGEND = ", ".join(f"{mark} {name}" for name, mark, _ in _MARKS)


def pooled_table(account: CapacityAccount, request: CapacityRequest) -> Table:
    """Cores, instances and RAM in each zone, and what is asked of them, in units of the hardware."""
    return _plotted("resource", f"Pooled: {_LEGEND}", pooled_shares(account, request))


def split_table(account: CapacityAccount, request: CapacityRequest) -> Table:
    """The instances of split flavors in each zone: used, committed, pending, and what fits beside them."""
    return _plotted("flavor", f"Split flavors: {_LEGEND}", split_shares(account, request))


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


def differences(before: Iterable[Share], after: Iterable[Share]) -> Table:
    """Capacity before and after, for each resource and zone, and what of it is free."""
    table = Table("resource", "zone", "before", "after", "difference", "free before", "free after")
    old, new = ({(each.resource, each.zone): each for each in shares} for shares in (before, after))
    # What is only there before comes last: a zone that nobody asked for is gone with its hypervisors.
    for resource, zone in new | old:
        (had, was_free), (has, is_free) = (
            (share.capacity, share.free) if share else (0, 0)
            for share in (old.get((resource, zone)), new.get((resource, zone)))
        )
        table.add_row(resource, zone, f"{had:,}", f"{has:,}", f"{has - had:+,}", f"{was_free:,}", f"{is_free:,}")
    return table


def _plotted(first: str, title: str, shares: Iterable[Share]) -> Table:
    table = Table(first, "zone", title=title, title_justify="left")
    for column in ("capacity", *(name for name, _, _ in _MARKS)):
        table.add_column(column, justify="right")
    table.add_column("")
    for each in shares:
        parts = (each.used, each.committed, each.pending, each.free)
        table.add_row(each.name, each.zone, f"{each.capacity:,}", *(f"{part:,}" for part in parts), _plot(parts))
    return table


def _plot(parts: Iterable[int]) -> Text:
    """The parts side by side, in a bar that is as wide as all of them; of what is lacking there is nothing to show."""
    text = Text()
    ends = list(accumulate(max(0, part) for part in parts))
    places = [round(_WIDTH * end / ends[-1]) if ends[-1] else 0 for end in ends]
    for (_, mark, style), start, end in zip(_MARKS, [0, *places], places, strict=False):
        text.append(mark * (end - start), style)
    return text
