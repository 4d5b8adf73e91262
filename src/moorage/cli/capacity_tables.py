"""What `moorage capacity` shows to people: tables with a plot for each zone and flavor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from moorage.capacity.fit import Fit
    from moorage.capacity.flavor_shares import FlavorShare
    from moorage.capacity.shares import Difference, Share, Unplaced

_WIDTH = 30
# What the parts of a plot are, in their order.
_MARKS = (("used", "█", "green"), ("committed", "▓", "yellow"), ("pending", "▒", "cyan"), ("free", "░", "dim"))
_LEGEND = ", ".join(f"{mark} {name}" for name, mark, _ in _MARKS)


def pooled_table(rows: Iterable[Share]) -> Table:
    """Cores, instances and RAM in each zone."""
    table = _plotted("resource", f"Pooled: {_LEGEND}", "capacity")
    for each in rows:
        table.add_row(each.name, each.zone, *_numbers(each.capacity, *each.parts), _plot(each.parts))
    return table


def split_table(rows: Iterable[Share]) -> Table:
    """The instances of split flavors in each zone, and why no more of them were placed."""
    table = _plotted("flavor", f"Split flavors: {_LEGEND}", "capacity")
    table.add_column("why no more")
    for each in rows:
        table.add_row(each.name, each.zone, *_numbers(each.capacity, *each.parts), _plot(each.parts), each.limit)
    return table


def flavor_table(rows: Iterable[FlavorShare]) -> Table:
    """The servers of pooled flavors in each zone."""
    table = _plotted("flavor", f"Pooled flavors, each as if no other were made: {_LEGEND}")
    for each in rows:
        table.add_row(each.name, each.zone, *_numbers(*each.parts), _plot(each.parts))
    return table


def unplaced_table(rows: Iterable[Unplaced]) -> Table | None:
    """Demand that found no place, with the reason; None if all did."""
    table = Table("flavor", "zone", "demand", "unplaced", "why", title="No place found", title_justify="left")
    gaps: dict[str, int] = {}
    for each in rows:
        table.add_row(each.flavor, each.zone, each.demand, f"{each.count:,}", each.reason)
        gaps[each.zone] = each.gap
    table.caption = "At most so many more could be placed by anybody: " + ", ".join(
        f"{zone} {gap:,}" for zone, gap in gaps.items()
    )
    return table if gaps else None


def difference_table(rows: Iterable[Difference]) -> Table:
    """Capacity before and after, and what of it is free."""
    table = Table("resource", "zone", "before", "after", "difference", "free before", "free after")
    for each in rows:
        numbers = f"{each.before:,}", f"{each.after:,}", f"{each.after - each.before:+,}"
        table.add_row(each.resource, each.zone, *numbers, f"{each.free_before:,}", f"{each.free_after:,}")
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


def _plotted(first: str, title: str, *more: str) -> Table:
    table = Table(first, "zone", title=title, title_justify="left")
    for column in (*more, *(name for name, _, _ in _MARKS)):
        table.add_column(column, justify="right")
    table.add_column("")
    return table


def _numbers(*numbers: int) -> Iterator[str]:
    return (f"{number:,}" for number in numbers)


def _plot(parts: Iterable[int]) -> Text:
    """The parts side by side, in a bar that is as wide as all of them; of what is lacking there is nothing to show."""
    text = Text()
    ends = list(accumulate(max(0, part) for part in parts))
    places = [round(_WIDTH * end / ends[-1]) if ends[-1] else 0 for end in ends]
    for (_, mark, style), start, end in zip(_MARKS, [0, *places], places, strict=False):
        text.append(mark * (end - start), style)
    return text
