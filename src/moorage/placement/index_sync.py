"""Keeps the index in step with the database.

Before an answer it reads the change feed, so that a client sees its own writes through any worker. Requests
that come at the same time share one reading, as long as it began after each of them did. The feed's numbers are taken
before the commit, so they may appear out of order: missing ones are remembered, looked for again, and forgotten after
a time that no writing transaction survives.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Select

from moorage.db.database import Database, DatabaseUnavailable
from moorage.meters import CATCH_UP_SECONDS, INDEX_POSITION
from moorage.placement.feed_holes import Holes, missing_between
from moorage.placement.index.cloud import Cloud, empty_cloud
from moorage.placement.store import feed, view

LOG = logging.getLogger(__name__)

# A transaction that has written its row into the feed is ended by the database if it idles longer than
# `moorage.db.engines.IDLE_SECONDS`; a number that is missing for longer than this never appears.
HOLE_SECONDS = 30.0
# Rows of the feed are kept this long; a reader that looked away for half of it starts anew.
FEED_RETENTION = timedelta(hours=1)


def _seconds() -> float:
    """Seconds that also pass while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


@dataclass(frozen=True, slots=True)
class Reading:
    """The cloud as it was at one place of the feed."""

    cloud: Cloud
    place: feed.Place
    missing: AbstractSet[int]
    # When it was begun.
    at: float


def read_all(database: Database, clock: Callable[[], float] = _seconds) -> Reading:
    """Read everything: what an `IndexSync` begins with, whether in this process or in one that is forked from it."""
    now = clock()

    def work(connection: Connection) -> Reading:
        place, holes = feed.position(connection, timedelta(seconds=HOLE_SECONDS))
        cloud = empty_cloud().with_names(*view.all_names(connection))
        cloud = cloud.with_providers({record.provider.id: record for record in view.all_records(connection)})
        return Reading(cloud, place, holes, now)

    return database.read(work)


class IndexSync:
    """The index of one process; it may begin with what another process has read."""

    def __init__(
        self, database: Database, clock: Callable[[], float] = _seconds, beginning: Reading | None = None
    ) -> None:
        self._database = database
        self._clock = clock
        self._turn = threading.Lock()
        # Readings are numbered: the last one that was begun, that succeeded, that failed, and why it did.
        self._begun = 0
        self._done = 0
        self._failed = 0
        self._failure = ""
        self._cloud = empty_cloud()
        # The newest row that was read.
        self._place = feed.Place()
        self._holes = Holes()
        self._last_look = float("-inf")
        # Whether there was nothing new the last time; then there mostly is nothing this time.
        self._was_quiet = False
        self._signal = database.signal()
        self._feed_connection = database.feed_connection()
        if beginning is not None:
            self._begin_with(beginning)

    def current(self) -> Cloud:
        """The cloud, with everything that was committed before this call."""
        needed = self._begun + 1  # a reading that begins from now on
        with self._turn:
            if self._done < needed:
                # Those who waited for a reading share its failure, too; one try after the other would take minutes.
                if self._failed >= needed:
                    raise DatabaseUnavailable(self._failure)
                self._begin_reading()
            return self._cloud

    def _begin_reading(self) -> None:
        self._begun += 1
        try:
            with CATCH_UP_SECONDS.time():
                self._catch_up()
        except DatabaseUnavailable as error:
            self._failed, self._failure = self._begun, str(error)
            raise
        self._done = self._begun

    def repair(self) -> int:
        """Compare every provider's revision with the database and read again what differs; how many did.

        The feed makes this unnecessary; it is here because a promise that nobody checks is none. Requests do not wait
        while all are compared: what was written meanwhile differs, too, and only what differs is compared again, in
        turn.
        """
        place = self._place  # as it was before: what is new may be behind what was lost
        known = {record.provider.id: record.revision for record in self.current().all_records()}
        stored, names, went_back = self._database.read(
            lambda connection: (
                feed.revisions(connection),
                view.all_names(connection),
                feed.went_back(connection, place),
            )
        )
        if went_back:
            with self._turn:
                self._begin_where_the_database_is()
        suspects = {key for key in stored.keys() | known.keys() if stored.get(key) != known.get(key)}
        if not suspects and self._cloud.knows_names(*names):
            return 0
        with self._turn:
            self._catch_up()
            return self._database.read(lambda connection: self._compare(connection, suspects))

    # --- all below runs in turn

    def _went_back(self) -> bool:
        return self._database.read(lambda connection: feed.went_back(connection, self._place))

    def _begin_where_the_database_is(self) -> None:
        LOG.error("The change feed went back before number %d: the database is an older one", self._place.number)
        self._begin_with(read_all(self._database, self._clock))

    def _catch_up(self) -> None:
        now, since = self._clock(), self._last_look
        self._last_look = float("-inf")  # whatever goes wrong on the way, the next one starts anew
        changed = self._signal.changed()
        if now - since > FEED_RETENTION.total_seconds() / 2:
            self._begin_with(read_all(self._database, self._clock))
        elif changed or self._holes:
            times_lost = self._feed_connection.times_lost
            news = self._look()
            # Whoever answers after a break may be another server than before.
            if self._feed_connection.times_lost > times_lost and self._went_back():
                self._begin_where_the_database_is()
            elif news.is_patchwork or news.providers or news.names or not self._knows(news):
                # Rows of several tables must come from one snapshot, and so must what led to them.
                self._database.read(self._follow)
            else:
                if news.usage:
                    self._cloud = self._cloud.with_usage(news.usage)
                self._note(news)
        self._last_look = now

    def _look(self) -> feed.News:
        """What is new in the feed."""
        if self._was_quiet and not self._holes and not feed.has_grown(self._ask, self._place.number):
            return feed.News()
        news = feed.read(self._ask, self._place.number, self._holes)
        self._was_quiet = not news.numbers
        return news

    def _ask(self, statement: Select[Any], values: Mapping[str, Any]) -> feed.Rows:
        rows = self._feed_connection.ask(statement, values)
        if rows is None:
            return self._database.look(lambda connection: connection.execute(statement, values).all())
        return rows

    def _begin_with(self, reading: Reading) -> None:
        self._cloud, self._holes = reading.cloud, Holes(reading.missing, reading.at)
        self._last_look = reading.at
        self._reached(reading.place)

    def _follow(self, connection: Connection) -> None:
        """Read what the feed names."""

        def ask(statement: Select[Any], values: Mapping[str, Any]) -> feed.Rows:
            return connection.execute(statement, values).all()

        news = feed.read(ask, self._place.number, self._holes)
        if news.names:
            self._cloud = self._cloud.with_names(*view.all_names(connection))
        self._read_providers(connection, news.providers | news.usage.keys())
        self._note(news)

    def _read_providers(self, connection: Connection, provider_ids: set[int]) -> None:
        if not provider_ids:
            return
        found = {record.provider.id: record for record in view.some_records(connection, provider_ids)}
        self._cloud = self._cloud.with_providers({key: found.get(key) for key in provider_ids})

    def _knows(self, news: feed.News) -> bool:
        """Whether the index has every provider and class whose usage changed."""
        by_id = self._cloud.directory.by_id
        return all(
            key in by_id and change.used.keys() == self._cloud.record(by_id[key]).stocks.keys()
            for key, change in news.usage.items()
        )

    def _note(self, news: feed.News) -> None:
        """Remember how far the feed was read, and which numbers were not there."""
        now = self._clock()
        self._holes.fill(news.numbers)
        self._holes.open(missing_between(self._place.number, news.numbers), now)
        self._holes.forget_before(now - HOLE_SECONDS)
        if news.last.number > self._place.number:
            self._reached(news.last)

    def _reached(self, place: feed.Place) -> None:
        """Go on from here, and tell whoever watches: also where nobody asks and only housekeeping looks."""
        self._place = place
        INDEX_POSITION.labels("placement").set(place.number)

    def _compare(self, connection: Connection, provider_ids: set[int]) -> int:
        self._follow(connection)  # in the snapshot that is compared
        names = view.all_names(connection)
        if not self._cloud.knows_names(*names):
            LOG.error("The index did not know all resource classes and traits, and was repaired")
            self._cloud = self._cloud.with_names(*names)
        stored = feed.revisions_of(connection, provider_ids)
        slots = self._cloud.slots_numbered(provider_ids).tolist()
        known = {record.provider.id: record.revision for record in self._cloud.records_at(slots)}
        drifted = {key for key in provider_ids if stored.get(key) != known.get(key)}
        if drifted:
            LOG.error("The index had drifted from the database at %d providers and was repaired", len(drifted))
            self._read_providers(connection, drifted)
        return len(drifted)
