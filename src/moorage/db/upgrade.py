"""Creating the schema and bringing it up to date: `moorage db upgrade`, and every start of the service.

Safe to run twice, at the same time from several processes (one works, the others wait and find nothing to do), and
while the service is running: migrations only add until a release says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, event, make_url, text
from sqlalchemy.engine import URL

_MIGRATIONS = Path(__file__).parent / "migrations"
# Any number will do, as long as nobody else on the same database server takes it for something else.
_LOCK_NUMBER = 7_785_778
_LOCK_NAME = "moorage-upgrade"


def upgrade(url: str, revision: str = "head") -> None:
    """Create or upgrade the schema up to a revision, by default the newest."""
    parsed = make_url(url)
    _make_sqlite_file(parsed)
    with _locked_connection(url) as connection:
        command.upgrade(_configuration(connection), revision)


def current_version(url: str) -> str | None:
    """The revision of the schema, or None where there is none yet."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database and not Path(parsed.database).exists():
        return None  # asking must not create the file
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            return MigrationContext.configure(connection).get_current_revision()
    finally:
        engine.dispose()


def newest_version() -> str:
    """The revision that this release of the code works with."""
    head = ScriptDirectory.from_config(_configuration()).get_current_head()
    if head is None:
        raise AssertionError("the package has no migrations")
    return head


def all_versions() -> list[str]:
    """Every revision there ever was, oldest first."""
    script = ScriptDirectory.from_config(_configuration())
    return [revision.revision for revision in reversed(list(script.walk_revisions()))]


def _configuration(connection: Connection | None = None) -> Config:
    configuration = Config()
    configuration.set_main_option("script_location", str(_MIGRATIONS))
    configuration.attributes["connection"] = connection
    return configuration


def _make_sqlite_file(url: URL) -> None:
    """An empty file that only its owner can read, before SQLite makes one for everybody."""
    if url.get_backend_name() == "sqlite" and url.database and url.database != ":memory:":
        file = Path(url.database)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)


@contextmanager
def _locked_connection(url: str) -> Iterator[Connection]:
    """A connection in a transaction that no other upgrade shares."""
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def _prepare(connection: Any, _record: Any) -> None:
            connection.isolation_level = None
            connection.execute("PRAGMA busy_timeout = 60000")

        @event.listens_for(engine, "begin")
        def _begin(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    try:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK_NUMBER})
            if engine.dialect.name in ("mysql", "mariadb"):
                # Held until the connection is closed: giving it back before COMMIT would let the next one in too early.
                locked = connection.execute(text("SELECT GET_LOCK(:name, 600)"), {"name": _LOCK_NAME}).scalar()
                if not locked:
                    raise TimeoutError("Another upgrade of the database has not ended for ten minutes")
            yield connection
    finally:
        engine.dispose()
