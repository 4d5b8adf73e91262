"""The way to the database: snapshots to read from, transactions to write in, both tried again when that is safe.

`Database.read` runs a function over one consistent snapshot. `Database.write` runs a function in a transaction,
writes the change feed as its last statement and commits. Deadlocks, serialisation failures and lost connections are
handled here, so that a store function is written as if it ran alone: it must only depend on what it reads.
"""

from __future__ import annotations

import fcntl
import logging
import os
import random
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError

from moorage.db import changes
from moorage.db.changes import Change
from moorage.db.faults import Fault, classify
from moorage.db.lookout import Lookout
from moorage.db.messenger import Messenger
from moorage.meters import RETRIES

LOG = logging.getLogger(__name__)

Result = TypeVar("Result")

# A writing transaction that does nothing for so long is ended by the database. Its rows in the change feed, if it has
# written them, will then never appear, and readers need not wait for them any longer.
IDLE_SECONDS = 10
# The pause before another attempt doubles each time: from the first of these seconds up to the second.
_PAUSES = {Fault.COLLISION: (0.01, 0.5), Fault.CONSTRAINT: (0.01, 0.5), Fault.DISCONNECTED: (0.1, 2.0)}

# Bits of MariaDB's wsrep_sync_wait: reads and BEGIN, UPDATE and DELETE, INSERT.
_BEFORE_READS_AND_WRITES = 1 | 2 | 4


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
        parsed = make_url(url)
        self.dialect = parsed.get_backend_name()
        self._attempts = attempts
        # Numbers of rows that never change while the process runs, by name: what a write need not look up each time.
        self.lasting: dict[str, int] = {}
        self._lookouts: list[Lookout] = []
        if self.dialect == "sqlite":
            self._readers = _sqlite_engine(url, "BEGIN", pool_size)
            self._writers = _sqlite_engine(url, "BEGIN IMMEDIATE", pool_size)
            self._lookers = self._readers
            self._turn: AbstractContextManager[Any] = _SqliteTurn(parsed.database)
        else:
            # Several engines, so that no statement is spent on changing a connection's settings to and fro.
            self._readers = _server_engine(url, "REPEATABLE READ", pool_size)
            self._writers = _server_engine(url, "READ COMMITTED", pool_size)
            self._lookers = _server_engine(url, "AUTOCOMMIT", pool_size)
            for engine in (self._readers, self._writers, self._lookers):
                event.listen(engine, "connect", _know_what_other_nodes_acknowledged)
            event.listen(self._writers, "connect", _end_idle_transactions)
            event.listen(self._lookers, "connect", _plan_for_few_rows)
            self._turn = nullcontext()

    def read(self, work: Callable[[Connection], Result]) -> Result:
        """What `work` answers over one consistent snapshot."""
        return self._again(lambda: self._read_once(work))

    def write(self, work: Callable[[Transaction], Result]) -> Result:
        """What `work` answers, once all it wrote is durable. If it raises, nothing was written."""
        return self._again(lambda: self._write_once(work))

    def look(self, work: Callable[[Connection], Result]) -> Result:
        """What `work` answers with a single statement, which is a snapshot by itself: cheaper than `read`."""
        return self._again(lambda: self._look_once(work))

    def tidy(self, work: Callable[[Connection], Result]) -> Result:
        """What `work` answers, once all it wrote is durable: for housekeeping that nobody needs to hear of."""
        return self._again(lambda: self._tidy_once(work))

    def lookout(self) -> Lookout:
        """A way to ask one short question again and again, cheaply."""
        lookout = Lookout(self._lookers)
        self._lookouts.append(lookout)
        return lookout

    def messenger(self) -> Messenger | None:
        """A way to make a whole transaction with one message; None where there is nothing to be won by it."""
        return None if self.dialect == "sqlite" else Messenger(self._lookers)

    def signal(self) -> ChangeSignal:
        """A way to ask whether anything may have been written since the last time one asked."""
        return SqliteSignal(self._readers) if self.dialect == "sqlite" else ChangeSignal()

    def dispose(self) -> None:
        """Close all connections."""
        for lookout in self._lookouts:
            lookout.close()
        self._lookouts.clear()
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
            return self._again(lambda: self._was_committed(mark))
        except DatabaseUnavailable as error:
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
            fault = Fault.COLLISION
            try:
                return attempt()
            except TryAgain:
                LOG.debug("A transaction begins anew (attempt %d)", number)
            except DBAPIError as error:
                fault = classify(error)
                if fault is Fault.OTHER or (fault is Fault.CONSTRAINT and number == self._attempts):
                    raise  # no weather, but a mistake of ours
                LOG.info("Trying a transaction again after %s (attempt %d)", fault.name.lower(), number)
                if number == self._attempts:
                    raise DatabaseUnavailable(f"The database gave no answer in {number} attempts") from error
            RETRIES.labels(fault.name.lower()).inc()
            time.sleep(_pause(fault, number))
        raise DatabaseUnavailable(f"A transaction found no firm footing in {self._attempts} attempts")


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


class _SqliteTurn:
    """The right to write to an SQLite file, which lets one writer in at a time and makes the others poll.

    Polling is unfair: the one that sleeps longest may wait for ever. Threads queue at a lock and processes at a lock of
    the operating system on a file beside the database, which a process that dies gives back.
    """

    def __init__(self, database: str | None) -> None:
        self._threads = threading.Lock()
        self._path = f"{database}-turn" if database and database != ":memory:" else None
        self._file: int | None = None

    def __enter__(self) -> None:
        self._threads.acquire()
        if self._path is not None:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_error: object) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._threads.release()


def _know_what_other_nodes_acknowledged(connection: Any, _record: Any) -> None:
    """In a Galera cluster, have a node apply what the others have committed before it begins to answer."""
    if hasattr(connection, "pgconn"):
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW VARIABLES LIKE 'wsrep_on'")  # MySQL has none
        if cursor.fetchone() == ("wsrep_on", "ON"):
            cursor.execute(f"SET SESSION wsrep_sync_wait = {_BEFORE_READS_AND_WRITES}")
    connection.commit()


def _end_idle_transactions(connection: Any, _record: Any) -> None:
    """Ask the server to end a writer's transaction that idles."""
    with connection.cursor() as cursor:
        if hasattr(connection, "pgconn"):
            cursor.execute(f"SET SESSION idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'")
        elif "mariadb" in connection.get_server_info().lower():
            cursor.execute(f"SET SESSION idle_write_transaction_timeout = {IDLE_SECONDS}")
    connection.commit()


def _plan_for_few_rows(connection: Any, _record: Any) -> None:
    """Have single statements and messages, which are transactions by themselves, run as ours do.

    PostgreSQL is told that they are about a few rows of tables of any size: by an index, and planned once, because
    planning takes longer than such a statement.
    """
    with connection.cursor() as cursor:
        if hasattr(connection, "pgconn"):
            for setting in ("enable_seqscan", "enable_hashjoin", "enable_mergejoin", "jit"):
                cursor.execute(f"SET SESSION {setting} = off")
            cursor.execute("SET SESSION plan_cache_mode = force_generic_plan")
        else:
            cursor.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
    connection.commit()


def _server_engine(url: str, isolation_level: Any, pool_size: int) -> Engine:
    return create_engine(
        url,
        isolation_level=isolation_level,
        skip_autocommit_rollback=True,  # where every statement is a transaction, there is never one to roll back
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_recycle=1800,
        query_cache_size=2000,
        hide_parameters=True,  # an error that is logged must not show what it was about
    )


def _sqlite_engine(url: str, begin: str, pool_size: int) -> Engine:
    engine = create_engine(
        url, pool_size=pool_size, max_overflow=pool_size, query_cache_size=2000, hide_parameters=True
    )

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
