"""The moves themselves: all of a ledger or nothing, and compared before and after it is kept.

What was written is read back and compared inside the same transaction, so that only what agrees is committed. What the
API answers afterwards is compared with the source a second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum
from itertools import islice

from sqlalchemy import Connection

from moorage.client.placement import PlacementClient
from moorage.db.database import Database, Transaction, utc_now
from moorage.placement.model.contents import Contents, differences
from moorage.placement.model.references import problems
from moorage.placement.store.whole import LedgerNotEmpty, read_contents, read_used, write_contents
from moorage.transfer.endpoint import read_endpoint
from moorage.transfer.errors import TransferRefused, some_of
from moorage.transfer.progress import Tell
from moorage.transfer.upstream_reading import read_upstream
from moorage.transfer.upstream_writing import write_upstream

_ENOUGH = 1000


class Outcome(Enum):
    """What became of an import."""

    WRITTEN = "written"
    THERE_ALREADY = "there already"


def check(contents: Contents) -> None:
    """Refuse contents that refer to something that is not among them."""
    found = list(islice(problems(contents), _ENOUGH))
    if found:
        raise TransferRefused(f"The source does not hold together, so nothing was written.\n{some_of(found)}")


def fill_ledger(database: Database, contents: Contents, tell: Tell) -> Outcome:
    """Write the contents into our ledger, which must be empty or hold exactly them."""
    check(contents)

    def work(tx: Transaction) -> None:
        write_contents(tx, contents, tell)
        _insist(differences(contents, read_contents(tx.connection)))
        _insist_on_usages(contents, tx.connection)

    try:
        database.write(work)
    except LedgerNotEmpty:
        found = list(islice(differences(contents, database.read(read_contents)), _ENOUGH))
        if not found:
            return Outcome.THERE_ALREADY
        raise TransferRefused(
            "The ledger is not empty, and holds something else. Import into a database of its own, before anybody uses"
            f" it.\n{some_of(found)}"
        ) from None
    return Outcome.WRITTEN


def fill_upstream(connection: Connection, contents: Contents, tell: Tell) -> None:
    """Write the contents into a database of upstream's Placement, in the transaction of this connection."""
    write_upstream(connection, contents, utc_now(), tell)
    reading = read_upstream(connection)
    expected, found = contents, reading.contents
    if connection.dialect.name in ("mysql", "mariadb"):
        # Upstream keeps ratios as single precision there, and shows six digits of them.
        expected, found = _with_short_ratios(expected), _with_short_ratios(found)
    _insist(differences(expected, found))
    _insist(reading.broken)


def unlike_answers(client: PlacementClient, contents: Contents, tell: Tell) -> Sequence[str]:
    """What a service answers otherwise than the contents say; nothing, if all was carried over."""
    answered, usages = read_endpoint(client, tell)
    found = list(islice(differences(contents, answered), _ENOUGH))
    held = contents.usages()
    for uuid, provider in contents.providers.items():
        right = {name: held[uuid, name] for name in provider.inventories}
        if usages.get(uuid) != right:
            found.append(f"The usages of the provider {uuid} are {usages.get(uuid)} instead of {right}.")
    return found


def _insist_on_usages(contents: Contents, connection: Connection) -> None:
    held = contents.usages()
    _insist(
        (
            f"{name} of {uuid} is used {used} times instead of {held[uuid, name]}."
            for (uuid, name), used in read_used(connection).items()
            if used != held[uuid, name]
        )
    )


def _insist(found: Iterable[str]) -> None:
    sentences = list(islice(found, _ENOUGH))
    if sentences:
        raise TransferRefused(
            f"Nothing was kept, because what was written does not agree with the source.\n{some_of(sentences)}"
        )


def _with_short_ratios(contents: Contents) -> Contents:
    return replace(
        contents,
        providers={
            uuid: replace(
                provider,
                inventories={
                    name: replace(inventory, allocation_ratio=float(f"{inventory.allocation_ratio:.6g}"))
                    for name, inventory in provider.inventories.items()
                },
            )
            for uuid, provider in contents.providers.items()
        },
    )
