"""A database of upstream's Placement: opened, checked for its version, in one snapshot or one transaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, create_engine, inspect, make_url, text
from sqlalchemy.engine import URL

from moorage.transfer.errors import TransferRefused
from moorage.transfer.upstream_tables import metadata

# The revisions of upstream's schema since there are types of consumers; the last is that of 16.0.0.
KNOWN_REVISIONS = ("422ece571366", "a082b8bb98d0")

_DRIVERS = {"postgresql": "postgresql+psycopg", "mysql": "mysql+pymysql", "mariadb": "mariadb+pymysql"}
# Options of oslo.db's URLs that are none of the driver's.
_FOREIGN_OPTIONS = {"plugin"}


def with_our_driver(url: str) -> URL:
    """The address of the same database for the drivers that come with Moorage."""
    parsed = make_url(url)
    back_end = parsed.get_backend_name()
    return parsed.set(drivername=_DRIVERS.get(back_end, back_end)).difference_update_query(_FOREIGN_OPTIONS)


@contextmanager
def opened(url: str) -> Iterator[Connection]:
    """One consistent snapshot of the database, or one transaction: committed at the end, or rolled back."""
    address = with_our_driver(url)
    is_sqlite = address.get_backend_name() == "sqlite"
    if is_sqlite and address.database and not Path(address.database).exists():
        # Opening would make an empty one.
        raise TransferRefused(f"There is no file {address.database}.")
    engine = create_engine(address, **({} if is_sqlite else {"isolation_level": "REPEATABLE READ"}))
    try:
        with engine.begin() as connection:
            _check(connection)
            yield connection
    finally:
        engine.dispose()


def _check(connection: Connection) -> None:
    there = set(inspect(connection).get_table_names())
    if "changes" in there and "provider_traits" in there:
        raise TransferRefused("This is a database of Moorage, not one of upstream's Placement.")
    missing = {*metadata.tables, "alembic_version"} - there
    if missing:
        raise TransferRefused(
            "This is no database of upstream's Placement, or one from before the release Xena: it has no table"
            f" {min(missing)}. Run `placement-manage db sync` with a newer release first."
        )
    revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if revision not in KNOWN_REVISIONS:
        raise TransferRefused(
            f"The schema of this Placement database has the version {revision}, which this release does not know;"
            f" it knows {' and '.join(KNOWN_REVISIONS)}."
        )
