"""The whole ledger at once: read as it stands, or filled from nothing.

Filling asks no rule of single claims: what another ledger held is taken as it is, over-full providers included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Table, insert, select, update

from moorage.db.database import Transaction
from moorage.placement.model.contents import Amounts, Contents, HeldConsumer, HeldProvider
from moorage.placement.store import names, view
from moorage.placement.store.tables import (
    allocations,
    consumers,
    inventories,
    provider_aggregates,
    provider_traits,
    resource_classes,
    resource_providers,
)

Tell = Callable[[str, int], None]
"""Is told what was written, and how many of it."""

_AT_ONCE = 2_000


class LedgerNotEmpty(Exception):
    """There are providers or consumers already."""


class ContentsInconsistent(Exception):
    """The contents refer to something that is not among them."""


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


def write_contents(tx: Transaction, contents: Contents, tell: Tell) -> None:
    """Fill an empty ledger; LedgerNotEmpty for any other."""
    if any(
        tx.connection.execute(select(table.c.id).limit(1)).first() is not None
        for table in (resource_providers, consumers)
    ):
        raise LedgerNotEmpty
    names.ensure_names(tx, contents.resource_classes, contents.traits)
    class_ids = {name.name: name.id for name in names.list_resource_classes(tx.connection)}
    trait_ids = {name.name: name.id for name in names.list_traits(tx.connection)}
    provider_ids = _write_providers(tx, contents, tell)
    used = contents.usages()
    held = contents.providers.values()
    try:
        _insert(
            tx,
            inventories,
            (
                {
                    "resource_provider_id": provider_ids[provider.uuid],
                    "resource_class_id": class_ids[name],
                    "total": inventory.total,
                    "reserved": inventory.reserved,
                    "min_unit": inventory.min_unit,
                    "max_unit": inventory.max_unit,
                    "step_size": inventory.step_size,
                    "allocation_ratio": inventory.allocation_ratio,
                    "capacity": inventory.capacity,
                    "used": used.pop((provider.uuid, name), 0),
                    **_times(tx),
                }
                for provider in held
                for name, inventory in provider.inventories.items()
            ),
            lambda _count: None,
        )
        if used:
            (uuid, name), _amount = next(iter(used.items()))
            raise ContentsInconsistent(
                f"{name} of the provider {uuid} is held, but the provider has no such inventory."
            )
        _insert(
            tx,
            provider_traits,
            (
                {"resource_provider_id": provider_ids[provider.uuid], "trait_id": trait_ids[name]}
                for provider in held
                for name in sorted(provider.traits)
            ),
            lambda _count: None,
        )
        _insert(
            tx,
            provider_aggregates,
            (
                {"resource_provider_id": provider_ids[provider.uuid], "aggregate_uuid": uuid}
                for provider in held
                for uuid in sorted(provider.aggregates)
            ),
            lambda _count: None,
        )
        _write_consumers(tx, contents, provider_ids, class_ids, tell)
    except KeyError as error:
        raise ContentsInconsistent(f"{error.args[0]} is referred to, but not among the contents.") from error


def _write_providers(tx: Transaction, contents: Contents, tell: Tell) -> dict[str, int]:
    ids: dict[str, int] = {}
    roots: dict[str, int] = {}
    statement = insert(resource_providers).returning(resource_providers.c.uuid, resource_providers.c.id)
    for number, level in enumerate(contents.by_level()):
        for batch in _pieces(level):
            rows = [
                {
                    "uuid": provider.uuid,
                    "name": provider.name,
                    "generation": provider.generation,
                    "revision": 1,
                    "parent_provider_id": ids.get(provider.parent_uuid or ""),
                    "root_provider_id": roots.get(provider.parent_uuid or ""),
                    **_times(tx),
                }
                for provider in batch
            ]
            ids |= {uuid: number for uuid, number in tx.connection.execute(statement, rows)}  # noqa: C416 - rows, no pairs
            roots |= {each.uuid: roots.get(each.parent_uuid or "", ids[each.uuid]) for each in batch}
            tell("providers", len(batch))
        if number == 0:
            # A root is its own root, which is known only now.
            tx.connection.execute(
                update(resource_providers)
                .where(resource_providers.c.root_provider_id.is_(None))
                .values(root_provider_id=resource_providers.c.id)
            )
    if stuck := contents.providers.keys() - ids.keys():
        raise ContentsInconsistent(f"The provider {min(stuck)} hangs below one that is not there.")
    for provider_id in ids.values():
        tx.changed("provider", provider_id)
    return ids


def _write_consumers(
    tx: Transaction,
    contents: Contents,
    provider_ids: Mapping[str, int],
    class_ids: Mapping[str, int],
    tell: Tell,
) -> None:
    statement = insert(consumers).returning(consumers.c.uuid, consumers.c.id)
    for batch in _pieces(contents.consumers.values()):
        rows = [
            {
                "uuid": consumer.uuid,
                "generation": consumer.generation,
                "project_id": consumer.project_id,
                "user_id": consumer.user_id,
                "consumer_type": consumer.consumer_type,
                **_times(tx),
            }
            for consumer in batch
        ]
        ids = {uuid: number for uuid, number in tx.connection.execute(statement, rows)}  # noqa: C416 - rows, no pairs
        _insert(
            tx,
            allocations,
            (
                {
                    "consumer_id": ids[consumer.uuid],
                    "resource_provider_id": provider_ids[provider_uuid],
                    "resource_class_id": class_ids[name],
                    "used": amount,
                    **_times(tx),
                }
                for consumer in batch
                for provider_uuid, name, amount in _flat(consumer.allocations)
            ),
            lambda count: tell("allocations", count),
        )


def _flat(held: Mapping[str, Amounts]) -> Iterator[tuple[str, str, int]]:
    return ((uuid, name, amount) for uuid, amounts in held.items() for name, amount in amounts.items())


def _insert(tx: Transaction, table: Table, rows: Iterable[dict[str, Any]], tell: Callable[[int], None]) -> None:
    for batch in _pieces(rows):
        tx.connection.execute(insert(table), batch)
        tell(len(batch))


def _pieces(items: Iterable[Any]) -> Iterator[list[Any]]:
    rest = iter(items)
    while piece := list(islice(rest, _AT_ONCE)):
        yield piece


def _times(tx: Transaction) -> dict[str, Any]:
    return {"created_at": tx.now, "updated_at": tx.now}
