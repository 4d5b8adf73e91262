"""What `moorage import` and `moorage export` have in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from moorage.db.database import Database
    from moorage.placement.model.contents import Contents


def described(contents: Contents) -> str:
    """How much there is, for people."""
    return (
        f"{len(contents.providers):,} providers, {len(contents.consumers):,} consumers and"
        f" {contents.number_of_allocations:,} allocations"
    )


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
