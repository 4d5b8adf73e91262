"""The way to the database: snapshots to read from, transactions to write in, both tried again when that is safe.

`Database.read` runs a function over one consistent snapshot. `Database.write` runs a function in a transaction,
writes the change feed as its last statement and commits. Deadlocks, serialisation failures and lost connections are
handled here, so that a store function is written as if it ran alone: it must only depend on what it reads.
"""

from __future__ import annotations

import logging
import random
import time
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar
from weakref import WeakSet

from sqlalchemy import Connection, Engine, make_url
from sqlalchemy.exc import DBAPIError

from moorage.db import changes
from moorage.db.changes import Change
from moorage.db.engines import open_engines
from moorage.db.faults import Fault, classify
from moorage.db.feed_connection import FeedConnection
from moorage.db.messenger import Messenger
from moorage.meters import RETRIES

LOG = logging.getLogger(__name__)

Result = TypeVar("Result")

# The pause before another attempt doubles each time: from the first of these seconds up to the second.
_PAUSES = {Fault.COLLISION: (0.01, 0.5), Fault.CONSTRAINT: (0.01, 0.5), Fault.DISCONNECTED: (0.1, 2.0)}


def utc_now() -> datetime:
    """The time as the tables keep it: UTC without a zone, whole seconds."""
    return datetime.now(UTC).replace(microsecond=0, tzinfo=None)


class DatabaseUnavailable(Exception):
    """The database could not be reached, or was too busy, for as long as it was tried."""


class OutcomeUnknown(DatabaseUnavailable):
    """The connection broke during COMMIT, and the database could not be asked whether it was carried out.

    Not tried again: what may have been written must not be written twice.
    """


class TryAgain(Exception):
    """What a transaction had found out was no longer so when it took its locks: let it go and begin anew."""


class Transaction:
    """A running write: the connection, its time, and what it has touched so far."""

    def __init__(self, connection: Connection, now: datetime, lasting: Mapping[str, int]) -> None:
        self.connection = connection
        self.now = now
        # Numbers of rows that never change, by name; see `Database.lasting`.
        self.lasting = lasting
        self._touched: dict[Change, None] = {}

    def changed(self, kind: str, key: int) -> None:
        """Remember that this was written, for the change feed."""
        self._touched[Change(kind, key)] = None

    @property
    def touched(self) -> list[Change]:
        """What was written, each thing once, in the order it was first touched."""
        return list(self._touched)


class Database:
    """One database, named by an SQLAlchemy URL."""

    def __init__(self, url: str, *, pool_size: int = 8, attempts: int = 10) -> None:
        self.dialect = make_url(url).get_backend_name()
        self._attempts = attempts
        # Whether the last one who tried to reach the database gave up.
        self._away = False
        # Numbers of rows that never change while the process runs, by name: what a write need not look up each time.
        self.lasting: dict[str, int] = {}
        # They open themselves again when they are used after `dispose`.
        self._feed_connections = WeakSet[FeedConnection]()
        engines = open_engines(url, pool_size)
        self._readers, self._writers, self._lookers = engines.readers, engines.writers, engines.lookers
        self._turn = engines.turn

    def read(self, work: Callable[[Connection], Result]) -> Result:
        """What `work` answers over one consistent snapshot."""
        return self._again(lambda: self._read_once(work))

    def write(self, work: Callable[[Transaction], Result]) -> Result:
        """What `work` answers, once all it wrote is durable. If it raises, nothing was written."""
        return self._again(lambda: self._write_once(work))

    def look(self, work: Callable[[Connection], Result], *, patient: bool = False) -> Result:
        """What `work` answers with a single statement, which is a snapshot by itself: cheaper than `read`."""
        return self._again(lambda: self._look_once(work), patient=patient)

    def tidy(self, work: Callable[[Connection], Result]) -> Result:
        """What `work` answers, once all it wrote is durable: for housekeeping that nobody needs to hear of."""
        return self._again(lambda: self._tidy_once(work))

    def feed_connection(self) -> FeedConnection:
        """A way to ask one short question again and again, cheaply."""
        feed_connection = FeedConnection(self._lookers)
        self._feed_connections.add(feed_connection)
        return feed_connection

    def messenger(self) -> Messenger | None:
        """A way to make a whole transaction with one message; None where there is nothing to be won by it."""
        return None if self.dialect == "sqlite" else Messenger(self._lookers)

    def signal(self) -> ChangeSignal:
        """A way to ask whether anything may have been written since the last time one asked."""
        return SqliteSignal(self._readers) if self.dialect == "sqlite" else ChangeSignal()

    def dispose(self) -> None:
        """Close all connections."""
        for feed_connection in self._feed_connections:
            feed_connection.close()
        for engine in (self._readers, self._writers, self._lookers):
            engine.dispose()

    def _read_once(self, work: Callable[[Connection], Result]) -> Result:
        with self._readers.connect() as connection, connection.begin():
            return work(connection)

    def _look_once(self, work: Callable[[Connection], Result]) -> Result:
        with self._lookers.connect() as connection:
            return work(connection)

    def _tidy_once(self, work: Callable[[Connection], Result]) -> Result:
        with self._turn, self._writers.begin() as connection:
            return work(connection)

    def _write_once(self, work: Callable[[Transaction], Result]) -> Result:
        with self._turn, self._writers.connect() as connection:
            # Leaving this block by an exception, or with nothing to commit, rolls back.
            transaction = Transaction(connection, utc_now(), self.lasting)
            result = work(transaction)
            if not transaction.touched:
                return result
            mark = changes.record(connection, transaction.touched, uuid.uuid4().hex, utc_now())
            try:
                connection.commit()
            except DBAPIError as error:
                if classify(error) is not Fault.DISCONNECTED:
                    raise
                LOG.warning("The connection was lost during COMMIT; looking whether it was carried out")
                if self._find_out(mark):
                    return result
                raise
        return result

    def _find_out(self, mark: changes.CommitMark) -> bool:
        """Whether a transaction was committed, over new connections."""
        try:
            return self._again(lambda: self._was_committed(mark), patient=True)
        except DatabaseUnavailable as error:
            raise OutcomeUnknown("The database cannot be reached to ask whether a COMMIT was carried out") from error

    def _was_committed(self, mark: changes.CommitMark) -> bool:
        with self._writers.connect() as connection:
            try:
                return changes.was_committed(connection, mark, utc_now())
            finally:
                connection.rollback()

    def _again(self, attempt: Callable[[], Result], *, patient: bool = False) -> Result:
        """Run `attempt` until it ends without a fault that another try can mend.

        While the database is away, two tries tell (the first may only have met a connection that died long ago, which
        throws away all of its kind), unless it matters enough to be patient: if everybody tried as often as the first
        one, requests would wait behind each other for minutes, those that need no database with them.
        """
        tries_to_connect = min(2, self._attempts) if self._away and not patient else self._attempts
        for number in range(1, self._attempts + 1):
            fault = Fault.COLLISION
            try:
                result = attempt()
            except TryAgain:
                LOG.debug("A transaction begins anew (attempt %d)", number)
            except DBAPIError as error:
                fault = classify(error)
                if fault is Fault.OTHER or (fault is Fault.CONSTRAINT and number == self._attempts):
                    raise  # no weather, but a mistake of ours
                LOG.info("Trying a transaction again after %s (attempt %d)", fault.name.lower(), number)
                is_away = fault is Fault.DISCONNECTED
                if number == self._attempts or (is_away and number >= tries_to_connect):
                    self._away = is_away
                    raise DatabaseUnavailable(f"The database gave no answer, tried {_times(number)}") from error
            else:
                self._away = False
                return result
            RETRIES.labels(fault.name.lower()).inc()
            time.sleep(_pause(fault, number))
        raise DatabaseUnavailable(f"A transaction found no firm footing in {self._attempts} attempts")


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _pause(fault: Fault, attempt: int) -> float:
    """How long to wait before the next attempt, by chance so that those who collided do not meet again."""
    shortest, longest = _PAUSES[fault]
    most = min(shortest * 2 ** (attempt - 1), longest)
    return random.uniform(most / 2, most)  # noqa: S311 - spreads, hides nothing


class ChangeSignal:
    """Whether anything may have been written since the last time one asked. Most databases cannot tell."""

    def changed(self) -> bool:
        """Whether it is worth looking."""
        return True


class SqliteSignal(ChangeSignal):
    """SQLite tells a connection, at next to no cost, whether others have committed."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Any = None
        self._version: int | None = None

    def changed(self) -> bool:
        """Whether another connection has committed since the last call."""
        if self._connection is None:
            self._connection = self._engine.raw_connection()
        version: int = self._connection.driver_connection.execute("PRAGMA data_version").fetchone()[0]
        before, self._version = self._version, version
        return version != before
