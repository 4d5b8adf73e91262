"""Resource providers: finding them, and making, changing and removing them one by one."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, delete, exists, or_, select, update
from sqlalchemy.sql.dml import ReturningInsert

from moorage.db.batches import batches
from moorage.db.database import Transaction, TryAgain
from moorage.db.statements import insert_ignoring_duplicates
from moorage.placement.model.errors import (
    ProviderExists,
    ProviderHasChildren,
    ProviderInUse,
    ProviderNotFound,
    ProviderRefused,
)
from moorage.placement.model.provider import Provider
from moorage.placement.store import provider_locks, provider_trees
from moorage.placement.store.selects import PROVIDERS
from moorage.placement.store.tables import (
    allocations,
    inventories,
    provider_aggregates,
    provider_traits,
    resource_providers,
)

_MAKE_ROOT = (
    update(resource_providers)
    .where(resource_providers.c.id == bindparam("key"))
    .values(root_provider_id=resource_providers.c.id)
)


class Parent(Enum):
    """Stands for the parent where a request names none, nor says that there shall be none."""

    UNCHANGED = "unchanged"


def find(connection: Connection, uuid: str) -> Provider:
    """The provider with this UUID."""
    row = connection.execute(PROVIDERS.where(resource_providers.c.uuid == uuid)).one_or_none()
    if row is None:
        raise ProviderNotFound(uuid)
    return Provider(*row)


def create(tx: Transaction, uuid: str, name: str, parent_uuid: str | None) -> Provider:
    """Add a provider, as a root or under a parent."""
    if parent_uuid == uuid:
        raise ProviderRefused(
            "create",
            "parent provider UUID cannot be same as UUID. "
            "Please set parent provider UUID to None if there is no parent.",
        )
    place = None
    if parent_uuid is not None:
        place = provider_trees.parent_place(provider_trees.lock_trees(tx, [parent_uuid]), parent_uuid)
    row = {
        "uuid": uuid,
        "name": name,
        "generation": 0,
        "revision": 0,
        "parent_provider_id": place.id if place else None,
        "root_provider_id": place.root_id if place else None,
        "created_at": tx.now,
        "updated_at": tx.now,
    }
    key = tx.connection.execute(_creating(tx.connection.dialect.name), row).scalar()
    if key is None:
        _check_free(tx, uuid=uuid, name=name)
        raise TryAgain  # whoever had the name or the UUID has just given it up
    tx.changed("provider", key)
    if place is not None:
        return find(tx.connection, uuid)
    tx.connection.execute(_MAKE_ROOT, {"key": key})
    return Provider(key, uuid, name, 0, None, uuid, tx.now)


@cache
def _creating(dialect: str) -> ReturningInsert[Any]:
    return insert_ignoring_duplicates(dialect, resource_providers).returning(resource_providers.c.id)


def change(tx: Transaction, uuid: str, name: str, parent_uuid: str | Parent | None, *, may_move: bool) -> Provider:
    """Rename a provider and put it, with all below it, under a parent (or make it a root).

    Before microversion 1.37 (`may_move`) only a root can be given a parent; nothing else about trees may change.
    """
    if parent_uuid is Parent.UNCHANGED:
        provider_locks.lock(tx, uuid)
        before = find(tx.connection, uuid)
    else:
        found = provider_trees.lock_trees(tx, [uuid] if parent_uuid is None else [uuid, parent_uuid])
        before = find(tx.connection, uuid)
        if parent_uuid is not None:
            provider_trees.parent_place(found, parent_uuid)
        if parent_uuid != before.parent_uuid:
            if before.parent_uuid is not None and not may_move:
                action = "un-parenting" if parent_uuid is None else "re-parenting"
                raise ProviderRefused("update", f"{action} a provider is not currently allowed.")
            provider_trees.move(tx, before, found, parent_uuid)
    if name != before.name:
        _check_free(tx, name=name)
    tx.connection.execute(
        update(resource_providers)
        .where(resource_providers.c.id == before.id)
        .values(name=name, revision=resource_providers.c.revision + 1, updated_at=tx.now)
    )
    tx.changed("provider", before.id)
    return find(tx.connection, uuid)


def remove(tx: Transaction, uuid: str) -> None:
    """Remove a provider that has neither children nor allocations, with all it has."""
    found = provider_trees.lock_trees(tx, [uuid])
    if uuid not in found:
        raise ProviderNotFound(uuid)
    key = found[uuid].id
    if tx.connection.execute(select(exists().where(resource_providers.c.parent_provider_id == key))).scalar():
        raise ProviderHasChildren
    if tx.connection.execute(select(exists().where(allocations.c.resource_provider_id == key))).scalar():
        raise ProviderInUse
    delete_rows(tx, [key])


def delete_rows(tx: Transaction, provider_ids: Collection[int]) -> None:
    """Delete providers, which nothing else refers to any more, with all they have. Origins go by themselves."""
    numbers = sorted(provider_ids)
    for batch in batches(numbers):
        for table in (inventories, provider_traits, provider_aggregates):
            tx.connection.execute(delete(table).where(table.c.resource_provider_id.in_(batch)))
        # They refer to each other, and a root to itself, which some databases count as being in use.
        tx.connection.execute(
            update(resource_providers)
            .where(resource_providers.c.id.in_(batch))
            .values(root_provider_id=None, parent_provider_id=None)
        )
    for batch in batches(numbers):
        tx.connection.execute(delete(resource_providers).where(resource_providers.c.id.in_(batch)))
    for key in numbers:
        tx.changed("provider", key)


def _check_free(tx: Transaction, *, name: str, uuid: str | None = None) -> None:
    """Refuse a name or UUID that another provider has."""
    taken = tx.connection.execute(
        select(resource_providers.c.uuid, resource_providers.c.name).where(
            or_(resource_providers.c.name == name, resource_providers.c.uuid == uuid)
        )
    ).all()
    if not taken:
        return
    if uuid is None:
        raise ProviderExists([name])
    duplicates = [f"uuid: {uuid}"] if any(row.uuid == uuid for row in taken) else []
    duplicates += [f"name: {name}"] if any(row.name == name for row in taken) else []
    raise ProviderExists(duplicates)
