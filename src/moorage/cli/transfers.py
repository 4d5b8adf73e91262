"""What `moorage import` and `moorage export` have in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from moorage.db.database import Database
    from moorage.placement.model.contents import Contents


PlacementConfig = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Take the URL of upstream's database from this placement.conf."),
]


def upstream_address(given: str | None, placement_config: Path | None) -> str | None:
    """Where upstream's Placement is; a placement.conf names it without a password on a command line."""
    if placement_config is None:
        return given
    if given is not None:
        raise OperatorError("--placement-config takes the place of a URL; give one of them.")
    return _connection_of(placement_config)


def _connection_of(file: Path) -> str:
    """The connection of [placement_database]."""
    from oslo_config import cfg

    options = cfg.ConfigOpts()
    options.register_opts([cfg.StrOpt("connection")], "placement_database")
    try:
        options([], default_config_files=[str(file)], default_config_dirs=[])
    except cfg.Error as error:
        raise OperatorError(f"{file} cannot be read: {error}") from error
    if not options.placement_database.connection:
        raise OperatorError(f"{file} has no [placement_database] connection.")
    return str(options.placement_database.connection)


def described(contents: Contents) -> str:
    """How much there is, for people."""
    return (
        f"{len(contents.providers):,} providers, {len(contents.consumers):,} consumers and"
        f" {contents.number_of_allocations:,} allocations"
    )


def counted(contents: Contents) -> dict[str, int]:
    """The same for programs."""
    return {
        "providers": len(contents.providers),
        "consumers": len(contents.consumers),
        "allocations": contents.number_of_allocations,
    }


@contextmanager
def ledger_at(url: str) -> Iterator[Database]:
    """The ledger in a database, with the standard names in it."""
    from moorage.db.database import Database
    from moorage.placement.store.names import synchronise_standard_names

    database = Database(url)
    try:
        synchronise_standard_names(database)
        yield database
    finally:
        database.dispose()


@contextmanager
def told_to_the_operator() -> Iterator[None]:
    """Turn what a transfer raises into the one exception that the command prints."""
    from moorage.client.errors import ClientError
    from moorage.db.database import DatabaseUnavailable
    from moorage.transfer.errors import TransferRefused

    try:
        yield
    except (TransferRefused, ClientError, DatabaseUnavailable) as error:
        raise OperatorError(str(error)) from error
