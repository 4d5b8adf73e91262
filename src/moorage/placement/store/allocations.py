"""Reading who holds what: by consumer, by provider, and added up by project."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, distinct, func, literal, select

from moorage.placement.model.allocation import UNKNOWN_CONSUMER_TYPE, Allocation, Consumer
from moorage.placement.model.errors import ProviderNotFound
from moorage.placement.store.tables import allocations, consumers, resource_classes, resource_providers


@dataclass(frozen=True, slots=True)
class Holding:
    """What one consumer holds of one class on the provider in question."""

    consumer_uuid: str
    consumer_generation: int
    resource_class: str
    amount: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Usage:
    """What the consumers of one type use in all, and how many they are."""

    consumer_count: int
    amounts: dict[str, int]


def of_consumer(connection: Connection, consumer_uuid: str) -> Consumer | None:
    """A consumer and all it holds, or None if it holds nothing."""
    rows = connection.execute(
        select(
            consumers.c.generation,
            consumers.c.project_id,
            consumers.c.user_id,
            consumers.c.consumer_type,
            resource_providers.c.uuid,
            resource_providers.c.generation.label("provider_generation"),
            resource_classes.c.name,
            allocations.c.used,
            allocations.c.updated_at,
        )
        .join(allocations, allocations.c.consumer_id == consumers.c.id)
        .join(resource_providers, resource_providers.c.id == allocations.c.resource_provider_id)
        .join(resource_classes, resource_classes.c.id == allocations.c.resource_class_id)
        .where(consumers.c.uuid == consumer_uuid)
        .order_by(allocations.c.resource_provider_id, allocations.c.resource_class_id)
    ).all()
    if not rows:
        return None
    held = tuple(Allocation(row.uuid, row.provider_generation, row.name, row.used, row.updated_at) for row in rows)
    first = rows[0]
    return Consumer(consumer_uuid, first.generation, first.project_id, first.user_id, first.consumer_type, held)


def of_provider(connection: Connection, provider_uuid: str) -> tuple[int, list[Holding]]:
    """A provider's generation, and all that is held of it."""
    rows = connection.execute(
        select(
            resource_providers.c.generation,
            consumers.c.uuid,
            consumers.c.generation,
            resource_classes.c.name,
            allocations.c.used,
            allocations.c.updated_at,
        )
        .select_from(resource_providers)
        .outerjoin(allocations, allocations.c.resource_provider_id == resource_providers.c.id)
        .outerjoin(consumers, consumers.c.id == allocations.c.consumer_id)
        .outerjoin(resource_classes, resource_classes.c.id == allocations.c.resource_class_id)
        .where(resource_providers.c.uuid == provider_uuid)
        .order_by(allocations.c.consumer_id, allocations.c.resource_class_id)
    ).all()
    if not rows:
        raise ProviderNotFound(provider_uuid)
    return rows[0][0], [Holding(*row[1:]) for row in rows if row[1] is not None]


def usage_of_project(connection: Connection, project_id: str, user_id: str | None) -> dict[str, int]:
    """What a project (or one user in it) uses of each resource class."""
    rows = connection.execute(
        select(resource_classes.c.name, func.sum(allocations.c.used))
        .join(allocations, allocations.c.resource_class_id == resource_classes.c.id)
        .join(consumers, consumers.c.id == allocations.c.consumer_id)
        .where(*_owned_by(project_id, user_id))
        .group_by(resource_classes.c.name)
        .order_by(resource_classes.c.name)
    )
    return {name: int(amount) for name, amount in rows}


def usage_by_consumer_type(
    connection: Connection, project_id: str, user_id: str | None, consumer_type: str | None
) -> dict[str, Usage]:
    """What a project (or one user in it) uses, by the consumers' type.

    The type "all" puts every consumer under that one key; "unknown" names the consumers without a type.
    """
    owned = _owned_by(project_id, user_id)
    label: ColumnElement[Any] = func.coalesce(consumers.c.consumer_type, UNKNOWN_CONSUMER_TYPE)
    if consumer_type == UNKNOWN_CONSUMER_TYPE:
        owned.append(consumers.c.consumer_type.is_(None))
    elif consumer_type == "all":
        label = literal("all")
    elif consumer_type is not None:
        owned.append(consumers.c.consumer_type == consumer_type)
    # Named in a subquery, so that every database groups by the very same value.
    held = (
        select(label.label("consumer_type"), allocations.c.consumer_id, resource_classes.c.name, allocations.c.used)
        .join(allocations, allocations.c.consumer_id == consumers.c.id)
        .join(resource_classes, resource_classes.c.id == allocations.c.resource_class_id)
        .where(*owned)
        .subquery()
    )
    counts = connection.execute(
        select(held.c.consumer_type, func.count(distinct(held.c.consumer_id))).group_by(held.c.consumer_type)
    )
    amounts = connection.execute(
        select(held.c.consumer_type, held.c.name, func.sum(held.c.used))
        .group_by(held.c.consumer_type, held.c.name)
        .order_by(held.c.consumer_type, held.c.name)
    )
    usages = {key: Usage(int(count), {}) for key, count in counts}
    for key, resource_class, amount in amounts:
        usages[key].amounts[resource_class] = int(amount)
    return usages


def _owned_by(project_id: str, user_id: str | None) -> list[ColumnElement[bool]]:
    owned: list[ColumnElement[bool]] = [consumers.c.project_id == project_id]
    if user_id:
        owned.append(consumers.c.user_id == user_id)
    return owned
