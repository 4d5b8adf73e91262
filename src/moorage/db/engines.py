"""The engines of a database, each for one kind of transaction, and what connections are told when they are made."""

from __future__ import annotations

import fcntl
import os
import threading
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url

# A writing transaction that does nothing for so long is ended by the database. Its rows in the change feed, if it has
# written them, will then never appear, and readers need not wait for them any longer.
IDLE_SECONDS = 10

# Bits of MariaDB's wsrep_sync_wait: reads and BEGIN, UPDATE and DELETE, INSERT.
_BEFORE_READS_AND_WRITES = 1 | 2 | 4


@dataclass(frozen=True, slots=True)
class Engines:
    """Several engines, so that no statement is spent on changing a connection's settings to and fro."""

    # For snapshots, for transactions that write, and for single statements.
    readers: Engine
    writers: Engine
    lookers: Engine
    # Held by whoever writes, where the database does not have writers queue itself.
    turn: AbstractContextManager[Any]


def open_engines(url: str, pool_size: int) -> Engines:
    """The engines of the database at a URL; connections are made when they are needed."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        readers = _sqlite_engine(url, "BEGIN", pool_size)
        writers = _sqlite_engine(url, "BEGIN IMMEDIATE", pool_size)
        return Engines(readers, writers, readers, _SqliteTurn(parsed.database))
    readers = _server_engine(url, "REPEATABLE READ", pool_size)
    writers = _server_engine(url, "READ COMMITTED", pool_size)
    lookers = _server_engine(url, "AUTOCOMMIT", pool_size)
    for engine in (readers, writers, lookers):
        event.listen(engine, "connect", _know_what_other_nodes_acknowledged)
    event.listen(writers, "connect", _end_idle_transactions)
    event.listen(lookers, "connect", _plan_for_few_rows)
    return Engines(readers, writers, lookers, nullcontext())


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
