"""How many more fit, as a table; apart from the tables of reports, whose packing a quick answer does not need."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table

from moorage.capacity.fit import Fit


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
