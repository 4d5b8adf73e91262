"""The way to the database: snapshots to read from, transactions to write in, both tried again when that is safe.

`Database.read` runs a function over one consistent snapshot. `Database.write` runs a function in a transaction,
writes the change feed as its last statement and commits. Deadlocks, serialisation failures and lost connections are
handled here, so that a store function is written as if it ran alone: it must only depend on what it reads.
"""

from __future__ import annotations

import logging
import random
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError

from moorage.db import changes
from moorage.db.changes import Change
from moorage.db.faults import Fault, classify

LOG = logging.getLogger(__name__)

Result = TypeVar("Result")

# Between two attempts at most this many seconds pass.
_LONGEST_PAUSE = 0.5


def utc_now() -> datetime:
    """The time as the tables keep it: UTC without a zone, whole seconds."""
    return datetime.now(UTC).replace(microsecond=0, tzinfo=None)


class OutcomeUnknown(Exception):
    """The connection broke during COMMIT, and the database could not be asked whether it was carried out.

    Not tried again: what may have been written must not be written twice.
    """


class Transaction:
    """A running write: the connection, its time, and what it has touched so far."""

    def __init__(self, connection: Connection, now: datetime) -> None:
        self.connection = connection
        self.now = now
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
        parsed = make_url(url)
        self.dialect = parsed.get_backend_name()
        self._attempts = attempts
        if self.dialect == "sqlite":
            self._readers = _sqlite_engine(url, "BEGIN", pool_size)
            self._writers = _sqlite_engine(url, "BEGIN IMMEDIATE", pool_size)
            # SQLite lets one writer in at a time and makes the others poll: threads of one process queue here instead.
            self._turn: AbstractContextManager[Any] = threading.Lock()
        else:
            # Two engines, so that no statement is spent on changing a connection's isolation level to and fro.
            self._readers = _server_engine(url, "REPEATABLE READ", pool_size)
            self._writers = _server_engine(url, "READ COMMITTED", pool_size)
            self._turn = nullcontext()

    def read(self, work: Callable[[Connection], Result]) -> Result:
        """What `work` answers over one consistent snapshot."""
        return self._again(lambda: self._read_once(work))

    def write(self, work: Callable[[Transaction], Result]) -> Result:
        """What `work` answers, once all it wrote is durable. If it raises, nothing was written."""
        return self._again(lambda: self._write_once(work))

    def dispose(self) -> None:
        """Close all connections."""
        self._readers.dispose()
        self._writers.dispose()

    def _read_once(self, work: Callable[[Connection], Result]) -> Result:
        with self._readers.connect() as connection, connection.begin():
            return work(connection)

    def _write_once(self, work: Callable[[Transaction], Result]) -> Result:
        with self._turn, self._writers.connect() as connection:
            # Leaving this block by an exception, or with nothing to commit, rolls back.
            transaction = Transaction(connection, utc_now())
            result = work(transaction)
            if not transaction.touched:
                return result
            mark = changes.record(connection, transaction.touched, uuid.uuid4().hex, transaction.now)
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
            return self._again(lambda: self._was_committed(mark))
        except DBAPIError as error:
            raise OutcomeUnknown("The database cannot be reached to ask whether a COMMIT was carried out") from error

    def _was_committed(self, mark: changes.CommitMark) -> bool:
        with self._writers.connect() as connection:
            try:
                return changes.was_committed(connection, mark, utc_now())
            finally:
                connection.rollback()

    def _again(self, attempt: Callable[[], Result]) -> Result:
        """Run `attempt` until it ends without a fault that another try can mend."""
        for number in range(1, self._attempts + 1):
            try:
                return attempt()
            except DBAPIError as error:
                fault = classify(error)
                if fault is Fault.OTHER or number == self._attempts:
                    raise
                LOG.info("Trying a transaction again after %s (attempt %d)", fault.name.lower(), number)
            time.sleep(random.uniform(0, min(0.005 * 2**number, _LONGEST_PAUSE)))  # noqa: S311 - spreads, hides nothing
        raise AssertionError("unreachable: the last attempt returns or raises")


def _server_engine(url: str, isolation_level: Any, pool_size: int) -> Engine:
    return create_engine(
        url,
        isolation_level=isolation_level,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_recycle=1800,
        query_cache_size=2000,
    )


def _sqlite_engine(url: str, begin: str, pool_size: int) -> Engine:
    engine = create_engine(url, pool_size=pool_size, max_overflow=pool_size, query_cache_size=2000)

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # SQLAlchemy's "begin" below starts transactions, not the driver
        for pragma in (
            "busy_timeout = 30000",
            "journal_mode = WAL",  # readers and the writer do not wait for each other
            "synchronous = FULL",  # an acknowledged write survives a power cut, not only a killed process
            "foreign_keys = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine
