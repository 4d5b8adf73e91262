"""How many servers a project may still have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from moorage.compute.model.flavor import Flavor
from moorage.compute.model.quota import UNLIMITED, Amounts, Excess, amounts_of, excesses
from moorage.compute.servers.errors import QuotaExceeded


def allowed_count(flavor: Flavor, limits: Amounts, used: Amounts, least: int, most: int) -> int:
    """How many servers of a flavor may be made, between the least and the most; QuotaExceeded if not even the least."""
    room = most
    for name, amount in amounts_of(flavor).items():
        limit = limits.get(name, UNLIMITED)
        if limit != UNLIMITED and amount > 0:
            room = min(room, max(limit - used.get(name, 0), 0) // amount)
    if room < least:
        raise QuotaExceeded(in_words(excesses(limits, used, amounts_of(flavor, least))))
    return room


def check_growth(before: Flavor, after: Flavor, limits: Amounts, used: Amounts) -> None:
    """Refuse a server that changes its flavor and would take more than is left."""
    old, new = amounts_of(before), amounts_of(after)
    growth = {name: amount - old.get(name, 0) for name, amount in new.items()}
    if found := excesses(limits, used, growth):
        raise QuotaExceeded(in_words(found))


def check_metadata(metadata: Mapping[str, str], limits: Amounts) -> None:
    """Refuse more keys than a server of the project may have."""
    most = limits.get("metadata_items", UNLIMITED)
    if most != UNLIMITED and len(metadata) > most:
        raise QuotaExceeded(f"Maximum number of metadata items exceeds {most}")


def in_words(found: Sequence[Excess]) -> str:
    """The way Nova says it, which programs read."""
    names = ", ".join(each.resource for each in found)
    requested = ", ".join(str(each.requested) for each in found)
    used = ", ".join(str(each.used) for each in found)
    limits = ", ".join(str(each.limit) for each in found)
    return f"Quota exceeded for {names}: Requested {requested}, but already used {used} of {limits} {names}"
