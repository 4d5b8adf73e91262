"""Puts a cloud into a database with plain SQL, so that ten thousand providers take seconds on either side.

Both sides have nearly the same tables; where they differ, each side has its own rows. The standard traits and resource
classes are there already, and so are the custom ones: the servers were asked for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Integer, MetaData, Table, create_engine, insert, select, text

from bench.load import MOORAGE, UPSTREAM
from bench.providers import Provider, identifier

PROJECT = USER = "bench"
CONSUMER_TYPE = "INSTANCE"

_PROVIDERS_AT_ONCE = 2000

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of everything that is known by name."""

    resource_classes: Mapping[str, int]
    traits: Mapping[str, int]
    aggregates: Mapping[str, int]


def insert_cloud(side: str, database: str, cloud: Sequence[Provider]) -> None:
    """Write all providers, and a consumer for each of them that something is held of."""
    engine = create_engine(database)
    tables = MetaData()
    tables.reflect(engine)
    aggregates = sorted({name for provider in cloud for name in provider.aggregates})
    with engine.begin() as connection:
        numbers = Numbers(
            _numbers(connection, tables.tables["resource_classes"]),
            _numbers(connection, tables.tables["traits"]),
            {name: number for number, name in enumerate(aggregates, 1)},
        )
        if side == UPSTREAM:
            _insert(connection, tables, _upstream_names(numbers))
        for begin in range(0, len(cloud), _PROVIDERS_AT_ONCE):
            part = cloud[begin : begin + _PROVIDERS_AT_ONCE]
            _insert(connection, tables, _ROWS[side](part, numbers))
        _continue_numbering(connection, tables)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        _analyze(connection, tables)
    engine.dispose()


def _upstream_names(numbers: Numbers) -> dict[str, Rows]:
    return {
        "placement_aggregates": [{"id": number, "uuid": name} for name, number in numbers.aggregates.items()],
        "projects": [{"id": 1, "external_id": PROJECT}],
        "users": [{"id": 1, "external_id": USER}],
        "consumer_types": [{"id": 1, "name": CONSUMER_TYPE}],
    }


def _upstream_rows(cloud: Sequence[Provider], numbers: Numbers) -> dict[str, Rows]:
    return {
        "resource_providers": [_provider(provider) for provider in cloud],
        "inventories": [inventory for provider in cloud for inventory in _inventories(provider, numbers)],
        "resource_provider_traits": _traits(cloud, numbers),
        "resource_provider_aggregates": [
            {"resource_provider_id": provider.number, "aggregate_id": numbers.aggregates[name]}
            for provider in cloud
            for name in provider.aggregates
        ],
        "consumers": [
            _consumer(provider) | {"project_id": 1, "user_id": 1, "consumer_type_id": 1}
            for provider in cloud
            if provider.holds
        ],
        "allocations": [
            allocation | {"consumer_id": _consumer(provider)["uuid"]}
            for provider in cloud
            for allocation in _allocations(provider, numbers)
        ],
    }


def _moorage_rows(cloud: Sequence[Provider], numbers: Numbers) -> dict[str, Rows]:
    return {
        "resource_providers": [_provider(provider) | {"revision": 1} for provider in cloud],
        "inventories": [
            inventory | {"capacity": _capacity(inventory), "used": (provider.holds or {}).get(name, 0)}
            for provider in cloud
            for name, inventory in zip(provider.inventories, _inventories(provider, numbers), strict=True)
        ],
        "provider_traits": _traits(cloud, numbers),
        "provider_aggregates": [
            {"resource_provider_id": provider.number, "aggregate_uuid": name}
            for provider in cloud
            for name in provider.aggregates
        ],
        "consumers": [
            _consumer(provider) | {"project_id": PROJECT, "user_id": USER, "consumer_type": CONSUMER_TYPE}
            for provider in cloud
            if provider.holds
        ],
        "allocations": [
            allocation | {"consumer_id": provider.number}
            for provider in cloud
            for allocation in _allocations(provider, numbers)
        ],
    }


_ROWS: Mapping[str, Callable[[Sequence[Provider], Numbers], dict[str, Rows]]] = {
    UPSTREAM: _upstream_rows,
    MOORAGE: _moorage_rows,
}


# --- what both sides have alike


def _provider(provider: Provider) -> dict[str, Any]:
    return {
        "id": provider.number,
        "uuid": provider.uuid,
        "name": provider.name,
        "generation": 1,
        "root_provider_id": provider.root,
        "parent_provider_id": provider.parent,
    }


def _inventories(provider: Provider, numbers: Numbers) -> Iterator[dict[str, Any]]:
    """The defaults are those of the API."""
    for name, inventory in provider.inventories.items():
        yield {
            "resource_provider_id": provider.number,
            "resource_class_id": numbers.resource_classes[name],
            "total": inventory["total"],
            "reserved": inventory.get("reserved", 0),
            "min_unit": inventory.get("min_unit", 1),
            "max_unit": inventory.get("max_unit", 2**31 - 1),
            "step_size": inventory.get("step_size", 1),
            "allocation_ratio": inventory.get("allocation_ratio", 1.0),
        }


def _capacity(inventory: Mapping[str, Any]) -> int:
    return int((inventory["total"] - inventory["reserved"]) * inventory["allocation_ratio"])


def _traits(cloud: Sequence[Provider], numbers: Numbers) -> Rows:
    return [
        {"resource_provider_id": provider.number, "trait_id": numbers.traits[name]}
        for provider in cloud
        for name in provider.traits
    ]


def _consumer(provider: Provider) -> dict[str, Any]:
    return {"id": provider.number, "uuid": identifier(f"consumer of {provider.name}"), "generation": 1}


def _allocations(provider: Provider, numbers: Numbers) -> Iterator[dict[str, Any]]:
    for name, amount in (provider.holds or {}).items():
        yield {
            "resource_provider_id": provider.number,
            "resource_class_id": numbers.resource_classes[name],
            "used": amount,
        }


# --- the database


def _numbers(connection: Connection, table: Table) -> dict[str, int]:
    return {row.name: row.id for row in connection.execute(select(table.c.name, table.c.id))}


def _insert(connection: Connection, tables: MetaData, rows_of: Mapping[str, Rows]) -> None:
    now = datetime.now(UTC).replace(microsecond=0, tzinfo=None)
    for name, rows in rows_of.items():
        table = tables.tables[name]
        times = {column: now for column in ("created_at", "updated_at") if column in table.c}
        if rows:
            connection.execute(insert(table), [row | times for row in rows])


def _continue_numbering(connection: Connection, tables: MetaData) -> None:
    """Let PostgreSQL number the next rows after those that came with numbers; the others do so by themselves."""
    if connection.dialect.name != "postgresql":
        return
    for table in tables.tables.values():
        if "id" in table.c and isinstance(table.c.id.type, Integer):
            connection.execute(
                text(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), max(id))"  # noqa: S608 - our own names
                    f" FROM {table.name} HAVING max(id) > 0"
                )
            )


def _analyze(connection: Connection, tables: MetaData) -> None:
    """Tell the planner what there is now, which would happen by itself a little later."""
    if connection.dialect.name in ("mysql", "mariadb"):
        connection.execute(text(f"ANALYZE TABLE {', '.join(tables.tables)}"))
    else:
        connection.execute(text("ANALYZE"))
