"""Keeps the index in step with the database.

Before an answer the keeper reads the change feed, so that a client sees its own writes through any worker. Requests
that come at the same time share one reading, as long as it began after each of them did. The feed's numbers are taken
before the commit, so they may appear out of order: missing ones are remembered, looked for again, and forgotten after
a time that no writing transaction survives.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection

from moorage.db.database import Database
from moorage.meters import CATCH_UP_SECONDS, INDEX_POSITION
from moorage.placement.index.cloud import Cloud, empty_cloud
from moorage.placement.store import feed, view

LOG = logging.getLogger(__name__)

# A transaction that has written its row into the feed is ended by the database if it idles longer than
# `moorage.db.engines.IDLE_SECONDS`; a number that is missing for longer than this never appears.
HOLE_SECONDS = 30.0
# Rows of the feed are kept this long; a reader that looked away for half of it starts anew.
FEED_RETENTION = timedelta(hours=1)

# So many rows are rather read again than left out one by one.
_FEW_ROWS = 100


def _seconds() -> float:
    """Seconds that also pass while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


@dataclass(frozen=True, slots=True)
class Reading:
    """The cloud as it was at one place of the feed."""

    cloud: Cloud
    high: int
    missing: Mapping[int, float]
    # When it was begun.
    at: float


def read_all(database: Database, clock: Callable[[], float] = _seconds) -> Reading:
    """Read everything: what a keeper begins with, whether in this process or in one that is forked from it."""
    now = clock()

    def work(connection: Connection) -> Reading:
        high, holes = feed.position(connection, timedelta(seconds=HOLE_SECONDS))
        cloud = empty_cloud().with_names(*view.all_names(connection))
        cloud = cloud.with_providers({record.provider.id: record for record in view.all_records(connection)})
        return Reading(cloud, high, dict.fromkeys(holes, now), now)

    return database.read(work)


class Keeper:
    """The index of one process; it may begin with what another process has read."""

    def __init__(
        self, database: Database, clock: Callable[[], float] = _seconds, beginning: Reading | None = None
    ) -> None:
        self._database = database
        self._clock = clock
        self._turn = threading.Lock()
        self._begun = 0
        self._done = 0
        self._cloud = empty_cloud()
        self._high = 0
        self._missing: dict[int, float] = {}
        self._last_look = float("-inf")
        self._signal = database.signal()
        self._lookout = database.lookout()
        if beginning is not None:
            self._begin_with(beginning)

    def current(self) -> Cloud:
        """The cloud, with everything that was committed before this call."""
        needed = self._begun + 1  # a reading that begins from now on
        with self._turn:
            if self._done < needed:
                self._begun += 1
                with CATCH_UP_SECONDS.time():
                    self._catch_up()
                self._done = self._begun
            return self._cloud

    def repair(self) -> int:
        """Compare every provider's revision with the database and read again what differs; how many did.

        The feed makes this unnecessary; it is here because a promise that nobody checks is none. Requests do not wait
        while all are compared: what was written meanwhile differs, too, and only what differs is compared again, in
        turn.
        """
        known = {record.provider.id: record.revision for record in self.current().all_records()}
        stored = self._database.read(feed.revisions)
        suspects = {key for key in stored.keys() | known.keys() if stored.get(key) != known.get(key)}
        if not suspects:
            return 0
        with self._turn:
            self._catch_up()
            return self._database.read(lambda connection: self._compare(connection, suspects))

    # --- all below runs in turn

    def _catch_up(self) -> None:
        now, since = self._clock(), self._last_look
        self._last_look = float("-inf")  # whatever goes wrong on the way, the next one starts anew
        changed = self._signal.changed()
        if now - since > FEED_RETENTION.total_seconds() / 2:
            self._begin_with(read_all(self._database, self._clock))
        elif changed or self._missing:
            news = self._look()
            if news.providers or news.names or not self._knows(news):
                # Rows of several tables must come from one snapshot, and so must what led to them.
                self._database.read(self._follow)
            else:
                if news.usage:
                    self._cloud = self._cloud.with_usage(news.usage)
                self._note(news.numbers)
        self._last_look = now

    def _look(self) -> feed.News:
        """What is new in the feed."""
        behind = min(self._missing, default=self._high + 1) - 1
        if self._high - behind <= _FEW_ROWS:
            rows = self._lookout.ask(feed.NEWER, {"high": behind})
            if rows is not None:
                return feed.digest(row for row in rows if row[0] > self._high or row[0] in self._missing)
        return self._database.look(lambda connection: feed.read(connection, self._high, self._missing))

    def _begin_with(self, reading: Reading) -> None:
        self._cloud, self._missing = reading.cloud, dict(reading.missing)
        self._last_look = reading.at
        self._reached(reading.high)

    def _follow(self, connection: Connection) -> None:
        """Read what the feed names."""
        news = feed.read(connection, self._high, self._missing)
        if news.names:
            self._cloud = self._cloud.with_names(*view.all_names(connection))
        self._read_providers(connection, news.providers | news.usage.keys())
        self._note(news.numbers)

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

    def _note(self, numbers: set[int]) -> None:
        """Remember how far the feed was read, and which numbers were not there."""
        now = self._clock()
        for number in numbers:
            self._missing.pop(number, None)
        highest = max(numbers, default=self._high)
        for number in range(self._high + 1, highest):
            if number not in numbers:
                self._missing[number] = now
        if highest > self._high:
            self._reached(highest)
        for number in [number for number, since in self._missing.items() if now - since > HOLE_SECONDS]:
            del self._missing[number]

    def _reached(self, number: int) -> None:
        """Go on from here, and tell whoever watches: also where nobody asks and only housekeeping looks."""
        self._high = number
        INDEX_POSITION.labels("placement").set(number)

    def _compare(self, connection: Connection, provider_ids: set[int]) -> int:
        self._follow(connection)  # in the snapshot that is compared
        stored = feed.revisions_of(connection, provider_ids)
        slots = self._cloud.slots_numbered(provider_ids).tolist()
        known = {record.provider.id: record.revision for record in self._cloud.records_at(slots)}
        drifted = {key for key in provider_ids if stored.get(key) != known.get(key)}
        if drifted:
            LOG.error("The index had drifted from the database at %d providers and was repaired", len(drifted))
            self._read_providers(connection, drifted)
        return len(drifted)
