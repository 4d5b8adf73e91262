"""The database servers, given by the environment, and fresh databases on them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import create_engine, make_url, text

SERVER_VARIABLES = {"postgresql": "MOORAGE_TEST_POSTGRESQL_URL", "mariadb": "MOORAGE_TEST_MARIADB_URL"}
KINDS = (*SERVER_VARIABLES, "sqlite")

_NAMES = {"postgresql": "PostgreSQL", "mariadb": "MariaDB"}
_VERSION = {
    "postgresql": "SELECT split_part(current_setting('server_version'), ' ', 1)",
    "mariadb": "SELECT substring_index(version(), '-', 1)",
}
# Whether an acknowledged write survives a power cut.
_DURABLE = {
    "postgresql": "SELECT current_setting('fsync') = 'on' AND current_setting('synchronous_commit') = 'on'",
    "mariadb": "SELECT @@innodb_flush_log_at_trx_commit = 1 AND @@innodb_flush_method NOT LIKE '%nosync%'",
}


def missing_server(kind: str) -> str | None:
    """What to do about a server that is not known, or None if it is."""
    variable = SERVER_VARIABLES.get(kind)
    if variable is None or os.environ.get(variable):
        return None
    return f"{variable} is not set; run this through tools/with-test-databases --durable"


@contextlib.contextmanager
def fresh_database(kind: str, name: str, directory: Path) -> Iterator[str]:
    """The URL of a new database without tables, which is dropped at the end."""
    if kind == "sqlite":
        yield f"sqlite:///{directory / name}.sqlite"
        return
    server = make_url(os.environ[SERVER_VARIABLES[kind]])
    insist = " WITH (FORCE)" if kind == "postgresql" else ""
    _execute(kind, f"DROP DATABASE IF EXISTS {name}{insist}")
    _execute(kind, f"CREATE DATABASE {name}")
    try:
        yield server.set(database=name).render_as_string(hide_password=False)
    finally:
        _execute(kind, f"DROP DATABASE {name}{insist}")


def describe(kind: str) -> str:
    """The server's version, and whether it is durable."""
    if kind == "sqlite":
        return "SQLite"
    version = str(_execute(kind, _VERSION[kind]))
    return f"{_NAMES[kind]} {version}, {'durable' if _execute(kind, _DURABLE[kind]) else 'NOT durable'}"


def _execute(kind: str, statement: str) -> object:
    """Run a statement outside any transaction, where databases can be made; give its single result, if any."""
    engine = create_engine(os.environ[SERVER_VARIABLES[kind]], isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            result = connection.execute(text(statement))
            return result.scalar() if result.returns_rows else None
    finally:
        engine.dispose()
