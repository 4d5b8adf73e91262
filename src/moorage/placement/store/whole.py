"""The whole ledger at once: read as it stands, or filled from nothing.

Filling asks no rule of single claims: what another ledger held is taken as it is, over-full providers included. Whether
the contents hold together is asked before (`model/references.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from sqlalchemy import Connection, insert, select, update

from moorage.db.database import Transaction
from moorage.placement.model.contents import Contents, HeldConsumer, HeldProvider
from moorage.placement.store import names, view
from moorage.placement.store.inventories import columns_of
from moorage.placement.store.tables import (
    allocations,
    consumers,
    inventories,
    provider_aggregates,
    provider_traits,
    resource_classes,
    resource_providers,
)

_AT_ONCE = 2_000


class LedgerNotEmpty(Exception):
    """There are providers or consumers already."""


def read_contents(connection: Connection) -> Contents:
    """All that there is."""
    classes, traits = view.all_names(connection)
    providers = {
        record.provider.uuid: HeldProvider(
            uuid=record.provider.uuid,
            name=record.provider.name,
            generation=record.provider.generation,
            parent_uuid=record.provider.parent_uuid,
            inventories={name: stock.inventory for name, stock in record.stocks.items()},
            traits=frozenset(record.traits),
            aggregates=frozenset(record.aggregates),
        )
        for record in view.all_records(connection)
    }
    return Contents(
        frozenset(each.name for each in classes),
        frozenset(each.name for each in traits),
        providers,
        dict(_consumers(connection)),
    )


def read_used(connection: Connection) -> dict[tuple[str, str], int]:
    """What the ledger itself says is used of each inventory, by provider and class."""
    rows = connection.execute(
        select(resource_providers.c.uuid, resource_classes.c.name, inventories.c.used)
        .join(inventories, inventories.c.resource_provider_id == resource_providers.c.id)
        .join(resource_classes, resource_classes.c.id == inventories.c.resource_class_id)
    )
    return {(uuid, name): used for uuid, name, used in rows}


def _consumers(connection: Connection) -> Iterator[tuple[str, HeldConsumer]]:
    held: dict[str, dict[str, dict[str, int]]] = {}
    rows = connection.execute(
        select(consumers.c.uuid, resource_providers.c.uuid, resource_classes.c.name, allocations.c.used)
        .join(allocations, allocations.c.consumer_id == consumers.c.id)
        .join(resource_providers, resource_providers.c.id == allocations.c.resource_provider_id)
        .join(resource_classes, resource_classes.c.id == allocations.c.resource_class_id)
    )
    for consumer, provider, name, used in rows:
        held.setdefault(consumer, {}).setdefault(provider, {})[name] = used
    columns = consumers.c
    known = select(columns.uuid, columns.generation, columns.project_id, columns.user_id, columns.consumer_type)
    for uuid, generation, project_id, user_id, consumer_type in connection.execute(known):
        yield uuid, HeldConsumer(uuid, generation, project_id, user_id, consumer_type, held.get(uuid, {}))


# --- filling


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The numbers by which rows refer to others, by UUID or name."""

    providers: Mapping[str, int]
    resource_classes: Mapping[str, int]
    traits: Mapping[str, int]


def write_contents(tx: Transaction, contents: Contents, tell: Callable[[str, int], None]) -> None:
    """Fill an empty ledger, LedgerNotEmpty for any other, with contents that have no `problems()`.

    `tell` hears what was written, and how many of it.
    """
    if not _is_empty(tx.connection):
        raise LedgerNotEmpty
    names.ensure_names(tx, contents.resource_classes, contents.traits)
    numbers = _Numbers(
        providers=_write_providers(tx, contents, tell),
        resource_classes={name.name: name.id for name in names.list_resource_classes(tx.connection)},
        traits={name.name: name.id for name in names.list_traits(tx.connection)},
    )
    held, used, times = contents.providers.values(), contents.usages(), _times(tx)
    for table, rows in (
        (inventories, (_inventory_rows(each, numbers, used, times) for each in held)),
        (provider_traits, (_trait_rows(each, numbers) for each in held)),
        (provider_aggregates, (_aggregate_rows(each, numbers) for each in held)),
    ):
        for batch in _pieces(chain.from_iterable(rows)):
            tx.connection.execute(insert(table), batch)
    _write_consumers(tx, contents.consumers.values(), numbers, tell)


def _is_empty(connection: Connection) -> bool:
    return all(
        connection.execute(select(table.c.id).limit(1)).first() is None for table in (resource_providers, consumers)
    )


def _write_providers(tx: Transaction, contents: Contents, tell: Callable[[str, int], None]) -> dict[str, int]:
    """Level by level, since a row refers to its parent and its root; the numbers by UUID."""
    ids: dict[str, int] = {}
    roots: dict[str, int] = {}
    times = _times(tx)
    statement = insert(resource_providers).returning(resource_providers.c.uuid, resource_providers.c.id)
    for level in contents.by_level():
        for batch in _pieces(level):
            rows = [_provider_row(provider, ids, roots, times) for provider in batch]
            ids |= {uuid: number for uuid, number in tx.connection.execute(statement, rows)}  # noqa: C416 - rows, no pairs
            roots |= {each.uuid: roots.get(each.parent_uuid or "", ids[each.uuid]) for each in batch}
            tell("providers", len(batch))
    # A root is its own root, which is known only now.
    tx.connection.execute(
        update(resource_providers)
        .where(resource_providers.c.root_provider_id.is_(None))
        .values(root_provider_id=resource_providers.c.id)
    )
    for provider_id in ids.values():
        tx.changed("provider", provider_id)
    return ids


def _write_consumers(
    tx: Transaction, held: Iterable[HeldConsumer], numbers: _Numbers, tell: Callable[[str, int], None]
) -> None:
    times = _times(tx)
    statement = insert(consumers).returning(consumers.c.uuid, consumers.c.id)
    for batch in _pieces(held):
        rows = [_consumer_row(consumer, times) for consumer in batch]
        ids = {uuid: number for uuid, number in tx.connection.execute(statement, rows)}  # noqa: C416 - rows, no pairs
        amounts = (_allocation_rows(consumer, ids[consumer.uuid], numbers, times) for consumer in batch)
        for piece in _pieces(chain.from_iterable(amounts)):
            tx.connection.execute(insert(allocations), piece)
            tell("allocations", len(piece))


# --- rows


def _provider_row(
    provider: HeldProvider, ids: Mapping[str, int], roots: Mapping[str, int], times: Mapping[str, Any]
) -> dict[str, Any]:
    above = provider.parent_uuid
    return {
        "uuid": provider.uuid,
        "name": provider.name,
        "generation": provider.generation,
        "revision": 1,
        "parent_provider_id": None if above is None else ids[above],
        "root_provider_id": None if above is None else roots[above],
        **times,
    }


def _inventory_rows(
    provider: HeldProvider, numbers: _Numbers, used: Mapping[tuple[str, str], int], times: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    for name, inventory in provider.inventories.items():
        yield {
            "resource_provider_id": numbers.providers[provider.uuid],
            "resource_class_id": numbers.resource_classes[name],
            "used": used.get((provider.uuid, name), 0),
            **columns_of(inventory),
            **times,
        }


def _trait_rows(provider: HeldProvider, numbers: _Numbers) -> Iterator[dict[str, Any]]:
    for name in sorted(provider.traits):
        yield {"resource_provider_id": numbers.providers[provider.uuid], "trait_id": numbers.traits[name]}


def _aggregate_rows(provider: HeldProvider, numbers: _Numbers) -> Iterator[dict[str, Any]]:
    for uuid in sorted(provider.aggregates):
        yield {"resource_provider_id": numbers.providers[provider.uuid], "aggregate_uuid": uuid}


def _consumer_row(consumer: HeldConsumer, times: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "uuid": consumer.uuid,
        "generation": consumer.generation,
        "project_id": consumer.project_id,
        "user_id": consumer.user_id,
        "consumer_type": consumer.consumer_type,
        **times,
    }


def _allocation_rows(
    consumer: HeldConsumer, consumer_id: int, numbers: _Numbers, times: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    for provider_uuid, amounts in consumer.allocations.items():
        for name, amount in amounts.items():
            yield {
                "consumer_id": consumer_id,
                "resource_provider_id": numbers.providers[provider_uuid],
                "resource_class_id": numbers.resource_classes[name],
                "used": amount,
                **times,
            }


def _times(tx: Transaction) -> dict[str, Any]:
    return {"created_at": tx.now, "updated_at": tx.now}


def _pieces(items: Iterable[Any]) -> Iterator[list[Any]]:
    rest = iter(items)
    while piece := list(islice(rest, _AT_ONCE)):
        yield piece
