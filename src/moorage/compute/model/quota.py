"""Quotas: how much of each kind a project may have, and which of them a server counts towards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from moorage.compute.model.flavor import Flavor

UNLIMITED = -1

SEPARATE = "instances_"
"""How the quotas of flavors begin whose servers are counted by themselves."""

Amounts = Mapping[str, int]
"""Amounts by the name of the quota."""


@dataclass(frozen=True, slots=True)
class Excess:
    """A quota that a request would exceed."""

    resource: str
    requested: int
    used: int
    limit: int


def separate_quota(flavor: Flavor) -> str | None:
    """The quota of a flavor whose servers are counted by themselves; None for a flavor without one."""
    return f"{SEPARATE}{flavor.counted_as}" if flavor.has_separate_quota else None


def amounts_of(flavor: Flavor, servers: int = 1) -> Amounts:
    """What so many servers of a flavor count towards."""
    if separate := separate_quota(flavor):
        return {separate: servers}
    return {"instances": servers, "cores": servers * flavor.vcpus, "ram": servers * flavor.ram_mb}


def excesses(limits: Amounts, used: Amounts, requested: Amounts) -> tuple[Excess, ...]:
    """Every quota that a request would exceed, by name. A name without a limit is not limited.

    Who already has more than a lowered limit may still ask for nothing more of it.
    """
    return tuple(
        Excess(name, amount, used.get(name, 0), limit)
        for name, amount in sorted(requested.items())
        if amount > 0 and (limit := limits.get(name, UNLIMITED)) != UNLIMITED and used.get(name, 0) + amount > limit
    )
