"""Reading the change feed: what was written since, and how far the feed reaches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, delete, func, select

from moorage.db.batches import batches
from moorage.db.changes import changes
from moorage.db.database import Database, utc_now
from moorage.placement.feed_holes import Holes
from moorage.placement.index.cloud import UsageChange
from moorage.placement.store.tables import inventories, resource_classes, resource_providers

PROVIDER = "provider"
USAGE = "usage"
NAMES = frozenset({"resource_class", "trait"})

# Claims are most of all writes. What they change comes along with the feed, so that following them takes one statement.
_FEED: Select[Any] = (
    select(
        changes.c.seq,
        changes.c.kind,
        changes.c.key,
        resource_providers.c.generation,
        resource_providers.c.revision,
        resource_providers.c.updated_at,
        resource_classes.c.name,
        inventories.c.used,
    )
    .outerjoin(resource_providers, and_(resource_providers.c.id == changes.c.key, changes.c.kind == USAGE))
    .outerjoin(inventories, inventories.c.resource_provider_id == resource_providers.c.id)
    .outerjoin(resource_classes, resource_classes.c.id == inventories.c.resource_class_id)
)
_NEWER: Select[Any] = _FEED.where(changes.c.seq > bindparam("high"))
_NUMBERED: Select[Any] = _FEED.where(changes.c.seq.in_(bindparam("numbers", expanding=True)))
_HOW_MANY: Select[Any] = (
    select(func.count()).select_from(changes).where(changes.c.seq.between(bindparam("lowest"), bindparam("highest")))
)

_REVISIONS = select(resource_providers.c.id, resource_providers.c.revision)

# Where all older rows have been pruned, this many numbers below the young ones may still be on their way.
_MARGIN = 1000

# Up to this many numbers are rather read again than left out one by one.
_RECENT = 100
# More holes than this are not named one by one before it is clear that any of them was filled.
_FEW_HOLES = 100

Rows = Sequence[Sequence[Any]]
# Asks the database: a statement of this module, and its values.
Ask = Callable[[Select[Any], Mapping[str, Any]], Rows]


@dataclass(slots=True)
class News:
    """What the feed says was written."""

    numbers: set[int] = field(default_factory=set)
    # Providers to read again, by number.
    providers: set[int] = field(default_factory=set)
    # Providers of which only the usage changed, with it.
    usage: dict[int, UsageChange] = field(default_factory=dict)
    # Whether resource classes or traits came, went or were renamed.
    names: bool = False


def behind_since(connection: Connection, high: int) -> datetime | None:
    """When the first thing was written that somebody who has read as far as a number does not know; None if nothing."""
    newer = select(changes.c.created_at).where(changes.c.seq > high).order_by(changes.c.seq).limit(1)
    return connection.execute(newer).scalar()


def read(ask: Ask, high: int, holes: Holes) -> News:
    """What was written behind the number `high`, and under numbers that were missing so far."""
    behind = max(high - _RECENT, holes.lowest - 1) if holes else high
    rows = [row for row in ask(_NEWER, {"high": behind}) if row[0] > high or row[0] in holes]
    older = holes.up_to(behind)
    if older and (older <= _FEW_HOLES or _any_was_filled(ask, holes.lowest, behind, older)):
        for batch in batches([number for number in holes if number <= behind]):
            rows.extend(ask(_NUMBERED, {"numbers": batch}))
    return digest(rows)


def _any_was_filled(ask: Ask, lowest: int, highest: int, holes: int) -> bool:
    """Whether there are more rows in a range of numbers than there would be with that many holes in it.

    Counting thousands of rows is much less work than naming as many numbers that are not there.
    """
    ((present,),) = ask(_HOW_MANY, {"lowest": lowest, "highest": highest})
    return bool(present > highest - lowest + 1 - holes)


def digest(rows: Iterable[Sequence[Any]]) -> News:
    """What rows of the feed say."""
    news = News()
    used: dict[int, dict[str, int]] = defaultdict(dict)
    for seq, kind, key, generation, revision, updated_at, resource_class, amount in rows:
        news.numbers.add(seq)
        if kind == USAGE and generation is not None:
            if resource_class is not None:
                used[key][resource_class] = amount
            news.usage[key] = UsageChange(generation, revision, updated_at, used[key])
        elif kind in (PROVIDER, USAGE):
            news.providers.add(key)
        elif kind in NAMES:
            news.names = True  # the rest is other rooms' business
    for key in news.providers:
        news.usage.pop(key, None)
    return news


def position(connection: Connection, window: timedelta) -> tuple[int, set[int]]:
    """The highest number there is, and the numbers below it that may still appear.

    A transaction takes its number shortly before it is committed, so only young holes can be filled.
    """
    high = highest(connection)
    since = utc_now() - window
    young = set(connection.execute(select(changes.c.seq).where(changes.c.created_at >= since)).scalars())
    if not young:
        return high, set()
    old = connection.execute(select(func.max(changes.c.seq)).where(changes.c.created_at < since)).scalar()
    lowest = old + 1 if old is not None else max(min(young) - _MARGIN, 1)
    return high, set(range(lowest, high + 1)) - young


def highest(connection: Connection) -> int:
    """The highest number that there is."""
    return connection.execute(select(func.max(changes.c.seq))).scalar() or 0


def revisions(connection: Connection) -> dict[int, int]:
    """Every provider's revision, to compare with."""
    return {row.id: row.revision for row in connection.execute(_REVISIONS)}


def revisions_of(connection: Connection, provider_ids: Collection[int]) -> dict[int, int]:
    """The revisions of these providers, as far as they exist."""
    return {
        row.id: row.revision
        for batch in batches(sorted(provider_ids))
        for row in connection.execute(_REVISIONS.where(resource_providers.c.id.in_(batch)))
    }


def prune(database: Database, keep: timedelta, most: int = 10_000) -> int:
    """Delete old rows of the feed, a bounded number at a time; how many there were.

    The newest one stays however old it is: it tells a feed where nothing happens from one that was set back.
    """
    before: datetime = utc_now() - keep

    def work(connection: Connection) -> int:
        old = connection.execute(
            select(changes.c.seq)
            .where(changes.c.created_at < before, changes.c.seq < highest(connection))
            .order_by(changes.c.seq)
            .limit(most)
        ).scalars()
        numbers = list(old)
        if numbers:
            connection.execute(delete(changes).where(changes.c.seq.between(numbers[0], numbers[-1])))
        return len(numbers)

    return database.tidy(work)
