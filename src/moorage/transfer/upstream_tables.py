"""The tables of upstream's Placement, as its migrations make them; only what is read and written here."""

from __future__ import annotations

from sqlalchemy import Column, DateTime, Float, Integer, MetaData, String, Table

metadata = MetaData()


def _table(name: str, *columns: Column[object]) -> Table:
    return Table(name, metadata, *columns, Column("created_at", DateTime), Column("updated_at", DateTime))


def _number() -> Column[object]:
    return Column("id", Integer, primary_key=True)


resource_classes = _table("resource_classes", _number(), Column("name", String(255)))
traits = _table("traits", _number(), Column("name", String(255)))
projects = _table("projects", _number(), Column("external_id", String(255)))
users = _table("users", _number(), Column("external_id", String(255)))
consumer_types = _table("consumer_types", _number(), Column("name", String(255)))
placement_aggregates = _table("placement_aggregates", _number(), Column("uuid", String(36)))
resource_providers = _table(
    "resource_providers",
    _number(),
    Column("uuid", String(36)),
    Column("name", String(200)),
    Column("generation", Integer),
    Column("root_provider_id", Integer),
    Column("parent_provider_id", Integer),
)
inventories = _table(
    "inventories",
    _number(),
    Column("resource_provider_id", Integer),
    Column("resource_class_id", Integer),
    Column("total", Integer),
    Column("reserved", Integer),
    Column("min_unit", Integer),
    Column("max_unit", Integer),
    Column("step_size", Integer),
    Column("allocation_ratio", Float),
)
resource_provider_traits = _table(
    "resource_provider_traits",
    Column("trait_id", Integer, primary_key=True),
    Column("resource_provider_id", Integer, primary_key=True),
)
resource_provider_aggregates = _table(
    "resource_provider_aggregates",
    Column("resource_provider_id", Integer, primary_key=True),
    Column("aggregate_id", Integer, primary_key=True),
)
consumers = _table(
    "consumers",
    _number(),
    Column("uuid", String(36)),
    Column("project_id", Integer),
    Column("user_id", Integer),
    Column("generation", Integer),
    Column("consumer_type_id", Integer),
)
allocations = _table(
    "allocations",
    _number(),
    Column("resource_provider_id", Integer),
    # The consumer's UUID, not its number.
    Column("consumer_id", String(36)),
    Column("resource_class_id", Integer),
    Column("used", Integer),
)
