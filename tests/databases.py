"""The databases that the tests run on: a fresh, empty one of each kind, and how to empty it again.

SQLite is a file. The servers come from the environment, see tools/with-test-databases.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from uuid import uuid4

import os_resource_classes
import os_traits
from sqlalchemy import URL, Engine, NullPool, create_engine, exists, literal, make_url, select, text, union_all

from moorage.capacity.store import tables as capacity_tables
from moorage.compute.store import server_tables as compute_server_tables
from moorage.compute.store import tables as compute_tables
from moorage.db.database import Database
from moorage.db.schema import metadata
from moorage.identity.store import tables as identity_tables
from moorage.placement.store import tables as placement_tables
from moorage.placement.store.names import synchronise_standard_names
from moorage.reservations.store import tables as reservation_tables

# Every room declares its tables in the one MetaData when its module is imported.
ROOMS = (capacity_tables, compute_server_tables, compute_tables, identity_tables, placement_tables, reservation_tables)

BACK_ENDS = ("sqlite", "postgresql", "mariadb")

SERVER_VARIABLES = {
    "postgresql": "MOORAGE_TEST_POSTGRESQL_URL",
    "mariadb": "MOORAGE_TEST_MARIADB_URL",
}


def missing_server(back_end: str) -> str | None:
    """What to do about a back end whose server is not known, or None if it is."""
    variable = SERVER_VARIABLES.get(back_end)
    if variable is None or os.environ.get(variable):
        return None
    return (
        f"{variable} is not set, so there is no {back_end} server to test on. "
        "Run the tests through tools/with-test-databases, or restrict them: pytest --databases sqlite"
    )


@contextlib.contextmanager
def fresh_database(back_end: str, directory: Path, worker: str) -> Iterator[str]:
    """The URL of a new database without tables, which is dropped at the end."""
    if back_end == "sqlite":
        yield f"sqlite:///{directory / 'moorage.sqlite'}"
        return
    server = make_url(os.environ[SERVER_VARIABLES[back_end]])
    name = f"moorage_{worker}_{uuid4().hex[:12]}"
    with administration(server) as engine:
        execute(engine, f"CREATE DATABASE {name}")
        try:
            yield server.set(database=name).render_as_string(hide_password=False)
        finally:
            # PostgreSQL refuses while an application under test is still connected, unless it is told to insist.
            execute(engine, f"DROP DATABASE {name}" + (" WITH (FORCE)" if back_end == "postgresql" else ""))


@contextlib.contextmanager
def administration(server: URL) -> Iterator[Engine]:
    """An engine for CREATE DATABASE and DROP DATABASE, which PostgreSQL forbids inside a transaction."""
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    try:
        yield engine
    finally:
        engine.dispose()


def execute(engine: Engine, statement: str) -> None:
    with engine.connect() as connection:
        connection.execute(text(statement))


def wipe(url: str) -> None:
    """Bring a database back to how an upgrade leaves it: no rows but the standard traits and resource classes.

    DELETE rather than TRUNCATE: on tables this small it is faster, and identifiers are not used twice. Standard names
    stay, for it takes longer than most tests to make them anew; so do tables in which there is nothing.
    """
    engine = _engine(url)
    with engine.begin() as connection:
        if connection.dialect.name in ("mysql", "mariadb"):
            # InnoDB checks row by row, and a tree of providers refers to itself.
            connection.execute(text("SET foreign_key_checks = 0"))
        written = set(connection.execute(_WRITTEN).scalars())
        for table in reversed(metadata.sorted_tables):
            if table.name in written:
                connection.execute(table.delete())
        complete = True
        for table, standard in _NAMES.items():
            connection.execute(table.delete().where(table.c.name.startswith("CUSTOM_", autoescape=True)))
            complete &= set(connection.execute(select(table.c.name)).scalars()) == standard
    if not complete:
        with engine.begin() as connection:
            for table in _NAMES:
                connection.execute(table.delete())
        database = Database(url)
        synchronise_standard_names(database)
        database.dispose()


_NAMES = {
    placement_tables.resource_classes: frozenset(os_resource_classes.STANDARDS),
    placement_tables.traits: frozenset(os_traits.get_traits()),
}

# The names of the tables in which there is anything.
_WRITTEN = union_all(
    *(
        select(literal(table.name)).where(exists(select(literal(1)).select_from(table)))
        for table in metadata.sorted_tables
        if table not in _NAMES
    )
)


@cache
def _engine(url: str) -> Engine:
    """Without connections that are kept: tests count them."""
    return create_engine(url, poolclass=NullPool)
