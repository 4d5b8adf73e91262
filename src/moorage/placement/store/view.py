"""Reading providers as records of the index: all of them, or some; a handful of statements either way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeVar

from sqlalchemy import Connection, Select, select

from moorage.db.batches import batches
from moorage.placement.index.records import Record
from moorage.placement.model.inventory import Inventory, Stock
from moorage.placement.model.provider import Name, Provider
from moorage.placement.store import names
from moorage.placement.store.selects import PROVIDERS, STOCKS
from moorage.placement.store.tables import (
    inventories,
    provider_aggregates,
    provider_traits,
    resource_providers,
    traits,
)

# Rows are taken from the driver by so many: one by one takes longer, and all at once takes memory.
_PARTITION = 5_000

Value = TypeVar("Value", bound=Hashable)

_PROVIDERS: Select[Any] = PROVIDERS.add_columns(
    resource_providers.c.revision,
    resource_providers.c.parent_provider_id,
    resource_providers.c.root_provider_id,
).order_by(resource_providers.c.id)
_INVENTORIES: Select[Any] = STOCKS.add_columns(inventories.c.resource_provider_id).order_by(
    inventories.c.resource_provider_id, inventories.c.resource_class_id
)
_TRAITS: Select[Any] = (
    select(provider_traits.c.resource_provider_id, traits.c.name)
    .join(traits, traits.c.id == provider_traits.c.trait_id)
    .order_by(provider_traits.c.resource_provider_id, provider_traits.c.trait_id)
)
_AGGREGATES: Select[Any] = select(
    provider_aggregates.c.resource_provider_id, provider_aggregates.c.aggregate_uuid
).order_by(provider_aggregates.c.resource_provider_id, provider_aggregates.c.aggregate_uuid)


def all_records(connection: Connection) -> list[Record]:
    """Every provider."""
    return list(_records(connection, None))


def some_records(connection: Connection, provider_ids: Collection[int]) -> list[Record]:
    """The providers with these numbers that there are."""
    return [record for batch in batches(sorted(provider_ids)) for record in _records(connection, batch)]


def all_names(connection: Connection) -> tuple[list[Name], list[Name]]:
    """Every resource class and every trait."""
    return names.list_resource_classes(connection), names.list_traits(connection)


def _records(connection: Connection, among: Sequence[int] | None) -> Iterator[Record]:
    """Records of these providers, or of all.

    Hosts are alike, and there may be a hundred thousand: what is equal is kept as one object, and found by the row it
    was read from, which is quicker than making it first.
    """

    def rows(statement: Select[Any], column: Any) -> Iterator[Any]:
        result = connection.execute(statement if among is None else statement.where(column.in_(among)))
        return chain.from_iterable(result.partitions(_PARTITION))

    share = _Sharing()
    known_stocks: dict[tuple[Any, ...], Stock] = {}
    stocks: dict[int, dict[str, Stock]] = defaultdict(dict)
    for row in rows(_INVENTORIES, inventories.c.resource_provider_id):
        content = row[1:-1]
        stock = known_stocks.get(content)
        if stock is None:
            *numbers, used, updated_at = content
            stock = known_stocks[content] = Stock(share(Inventory(*numbers)), used, updated_at)
        stocks[row[-1]][share(row[0])] = stock
    trait_names: dict[int, list[str]] = defaultdict(list)
    for provider_id, name in rows(_TRAITS, provider_traits.c.resource_provider_id):
        trait_names[provider_id].append(name)
    aggregate_uuids: dict[int, list[str]] = defaultdict(list)
    for provider_id, uuid in rows(_AGGREGATES, provider_aggregates.c.resource_provider_id):
        aggregate_uuids[provider_id].append(uuid)
    for *columns, revision, parent_id, root_id in rows(_PROVIDERS, resource_providers.c.id):
        provider = Provider(*columns)
        yield Record(
            provider,
            revision,
            parent_id,
            root_id,
            stocks.get(provider.id, {}),
            share(tuple(map(share, trait_names.get(provider.id, ())))),
            share(tuple(map(share, aggregate_uuids.get(provider.id, ())))),
        )


class _Sharing:
    """Keeps one object of those that are equal."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}

    def __call__(self, value: Value) -> Value:
        found: Value = self._known.setdefault(value, value)
        return found
