"""What a database error means for the transaction it ended: try again, look first, or give up.

The databases say the same thing in different numbers; this is the one place that knows them.
"""

from __future__ import annotations

import sqlite3
from enum import Enum, auto

import psycopg
from sqlalchemy.exc import DBAPIError, IntegrityError


class Fault(Enum):
    """Why a transaction failed."""

    COLLISION = auto()  # deadlock, serialisation failure, lock timeout, busy: nothing was written, try again
    DISCONNECTED = auto()  # the connection is gone: try again, but after COMMIT look first
    CONSTRAINT = auto()  # a row that was not there a moment ago is there now (or the other way round): try again
    OTHER = auto()


# PostgreSQL: serialization_failure, deadlock_detected, lock_not_available.
_POSTGRESQL_COLLISIONS = {"40001", "40P01", "55P03"}
# PostgreSQL: connection exceptions (class 08), and a server that shuts down, crashes or starts.
_POSTGRESQL_DISCONNECTS = {"57P01", "57P02", "57P03"}
# MariaDB: lock wait timeout, deadlock (also Galera's certification failure), record changed since last read.
_MARIADB_COLLISIONS = {1205, 1213, 1020}
# MariaDB: server gone, lost connection, can't connect, shutdown, killed, Galera node not ready.
_MARIADB_DISCONNECTS = {2002, 2003, 2006, 2013, 2055, 1053, 1927, 1047}


def classify(error: DBAPIError) -> Fault:
    """Which of the faults an error of the driver is."""
    if error.connection_invalidated:
        return Fault.DISCONNECTED
    if isinstance(error, IntegrityError):
        return Fault.CONSTRAINT
    return classify_cause(error.orig)


def classify_cause(cause: BaseException | None) -> Fault:
    """Which of the faults it is, told by what the driver itself has raised."""
    if isinstance(cause, sqlite3.Error):
        return Fault.COLLISION if "locked" in str(cause) or "busy" in str(cause) else Fault.OTHER
    if isinstance(cause, psycopg.Error):
        return _classify_postgresql(cause)
    return _classify_mariadb(cause)


def _classify_postgresql(cause: psycopg.Error) -> Fault:
    state = cause.sqlstate
    if state is None:
        # A connection that could not be made, or broke, is reported without a state.
        return Fault.DISCONNECTED if isinstance(cause, psycopg.OperationalError) else Fault.OTHER
    if state in _POSTGRESQL_COLLISIONS:
        return Fault.COLLISION
    return Fault.DISCONNECTED if state in _POSTGRESQL_DISCONNECTS or state.startswith("08") else Fault.OTHER


def _classify_mariadb(cause: BaseException | None) -> Fault:
    number = cause.args[0] if cause is not None and cause.args else None
    if number in _MARIADB_COLLISIONS:
        return Fault.COLLISION
    return Fault.DISCONNECTED if number in _MARIADB_DISCONNECTS else Fault.OTHER
