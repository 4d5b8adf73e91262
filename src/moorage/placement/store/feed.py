"""Reading the change feed: what was written since, and how far the feed reaches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, delete, func, select

from moorage.db.batches import batches
from moorage.db.changes import changes
from moorage.db.database import Database, utc_now
from moorage.placement.feed_holes import Holes, missing_between
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
        changes.c.marker,
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
_ANY_NEWER: Select[Any] = select(changes.c.seq).where(changes.c.seq > bindparam("high")).limit(1)
_NEWER: Select[Any] = _FEED.where(changes.c.seq > bindparam("high"))
_NUMBERED: Select[Any] = _FEED.where(changes.c.seq.in_(bindparam("numbers", expanding=True)))
_WITHIN = changes.c.seq.between(bindparam("lowest"), bindparam("highest"))
_HOW_MANY: Select[Any] = select(func.count()).select_from(changes).where(_WITHIN)
_WHICH: Select[Any] = select(changes.c.seq).where(_WITHIN)

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


@dataclass(frozen=True, slots=True)
class Place:
    """A row of the feed: its number, and by what it is told from another that was given the same number."""

    number: int = 0
    marker: str = ""


@dataclass(slots=True)
class News:
    """What the feed says was written."""

    numbers: set[int] = field(default_factory=set)
    # The row with the highest number.
    last: Place = Place()
    # Whether it was put together by several statements, each with a snapshot of its own.
    is_patchwork: bool = False
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


def has_grown(ask: Ask, high: int) -> bool:
    """Whether anything was written behind the number `high`: asked in a third of the time that reading it takes."""
    return bool(ask(_ANY_NEWER, {"high": high}))


def read(ask: Ask, high: int, holes: Holes) -> News:
    """What was written behind the number `high`, and under numbers that were missing so far."""
    recent = holes.lowest_above(high - _RECENT)
    behind = high if recent is None else recent - 1
    rows = [row for row in ask(_NEWER, {"high": behind}) if row[0] > high or row[0] in holes]
    late = [row for batch in batches(_worth_asking(ask, holes, behind)) for row in ask(_NUMBERED, {"numbers": batch})]
    news = digest([*rows, *late])
    news.is_patchwork = bool(late)
    return news


def _worth_asking(ask: Ask, holes: Holes, highest: int) -> list[int]:
    """The holes up to a number that may have been filled.

    Counting the rows between thousands of holes is much less work than naming as many numbers that are not there: only
    if there are more of them than there would be with that many holes, it is looked which.
    """
    count = holes.up_to(highest)
    if count <= _FEW_HOLES:
        return list(islice(holes, count))
    within = {"lowest": holes.lowest, "highest": highest}
    ((present,),) = ask(_HOW_MANY, within)
    if present <= highest - holes.lowest + 1 - count:
        return []
    return [number for (number,) in ask(_WHICH, within) if number in holes]


def digest(rows: Iterable[Sequence[Any]]) -> News:
    """What rows of the feed say."""
    news = News()
    used: dict[int, dict[str, int]] = defaultdict(dict)
    for seq, kind, key, marker, generation, revision, updated_at, resource_class, amount in rows:
        news.numbers.add(seq)
        if seq > news.last.number:
            news.last = Place(seq, marker)
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


def position(connection: Connection, window: timedelta) -> tuple[Place, set[int]]:
    """The row with the highest number, and the numbers below it that may still appear.

    A transaction takes its number shortly before it is committed, so only young holes can be filled.
    """
    last = _newest(connection)
    since = utc_now() - window
    young = set(connection.execute(select(changes.c.seq).where(changes.c.created_at >= since)).scalars())
    if not young:
        return last, set()
    old = connection.execute(select(func.max(changes.c.seq)).where(changes.c.created_at < since)).scalar()
    return last, set(missing_between(max(min(young) - _MARGIN - 1, 0) if old is None else old, young))


def _newest(connection: Connection, *conditions: ColumnElement[bool]) -> Place:
    statement = select(changes.c.seq, changes.c.marker).where(*conditions).order_by(changes.c.seq.desc()).limit(1)
    row = connection.execute(statement).first()
    return Place() if row is None else Place(*row)


def went_back(connection: Connection, place: Place) -> bool:
    """Whether this row was read and is not there any more, and not because all rows of its age have been pruned.

    Then another server has taken over before it had everything, or an older database was put back; its numbers are
    given anew to others.
    """
    if place == Place():
        return False
    found = _newest(connection, changes.c.seq <= place.number)
    return found != place if found.number else not highest(connection)


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
