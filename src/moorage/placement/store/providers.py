"""Resource providers: their rows, their trees, and finding them.

The root's row is the lock of a tree's shape: whoever adds, moves or removes a provider in a tree holds it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, exists, or_, select, update
from sqlalchemy.sql.dml import ReturningInsert

from moorage.db.batches import batches
from moorage.db.database import Transaction, TryAgain
from moorage.db.statements import insert_ignoring_duplicates
from moorage.placement.model.errors import (
    GenerationConflict,
    ProviderExists,
    ProviderHasChildren,
    ProviderInUse,
    ProviderNotFound,
    ProviderRefused,
)
from moorage.placement.model.provider import Provider
from moorage.placement.store.tables import (
    allocations,
    inventories,
    provider_aggregates,
    provider_traits,
    resource_providers,
)

_parent = resource_providers.alias("parent")
_root = resource_providers.alias("root")

_PROVIDERS: Select[Any] = (
    select(
        resource_providers.c.id,
        resource_providers.c.uuid,
        resource_providers.c.name,
        resource_providers.c.generation,
        _parent.c.uuid,
        _root.c.uuid,
        resource_providers.c.updated_at,
    )
    .join(_root, resource_providers.c.root_provider_id == _root.c.id)
    .outerjoin(_parent, resource_providers.c.parent_provider_id == _parent.c.id)
)


# What every write needs is put together once: building a statement takes longer than the database takes to run it.
_BY_UUID = resource_providers.c.uuid.in_(bindparam("uuids", expanding=True))
_BY_ID = resource_providers.c.id.in_(bindparam("ids", expanding=True))
_LOCKED = (
    select(resource_providers.c.id, resource_providers.c.uuid, resource_providers.c.generation)
    .order_by(resource_providers.c.id)
    # "No key update": rows that refer to the provider may be inserted meanwhile.
    .with_for_update(key_share=True)
)
_LOCK = _LOCKED.where(_BY_UUID)
_LOCK_IDS = _LOCKED.where(_BY_ID)
_LOCK_BOTH = _LOCKED.where(or_(_BY_UUID, _BY_ID))
_MARKED = {
    "generation": resource_providers.c.generation + bindparam("generations"),
    "revision": resource_providers.c.revision + 1,
    "updated_at": bindparam("now"),
}
_MARK = update(resource_providers).where(_BY_ID).values(_MARKED)
_LOCK_AND_MARK = (
    update(resource_providers)
    .where(resource_providers.c.id.in_(select(_LOCK.cte("locked").c.id)))
    .values(_MARKED)
    .returning(resource_providers.c.id, resource_providers.c.uuid, resource_providers.c.generation)
)
_PLACES = select(resource_providers.c.uuid, resource_providers.c.id, resource_providers.c.root_provider_id).where(
    _BY_UUID
)
_MAKE_ROOT = (
    update(resource_providers)
    .where(resource_providers.c.id == bindparam("key"))
    .values(root_provider_id=resource_providers.c.id)
)


@dataclass(frozen=True, slots=True)
class LockedProvider:
    """A provider's row that nobody else can change until the transaction ends."""

    id: int
    uuid: str
    generation: int

    def check_generation(self, given: int) -> None:
        """Refuse a client whose knowledge of the provider is out of date."""
        if self.generation != given:
            raise GenerationConflict(self.uuid, actual=self.generation, given=given)


# --- reading


def find(connection: Connection, uuid: str) -> Provider:
    """The provider with this UUID."""
    row = connection.execute(_PROVIDERS.where(resource_providers.c.uuid == uuid)).one_or_none()
    if row is None:
        raise ProviderNotFound(uuid)
    return Provider(*row)


# --- locking and marking, for everything that writes


def lock(tx: Transaction, uuid: str) -> LockedProvider:
    """Take a provider for this transaction."""
    locked = lock_many(tx, [uuid])
    if uuid not in locked:
        raise ProviderNotFound(uuid)
    return locked[uuid]


def lock_many(tx: Transaction, uuids: Collection[str], ids: Collection[int] = ()) -> dict[str, LockedProvider]:
    """Take providers, named by UUID or by number, in one order for everybody; those that exist, by UUID."""
    if not ids:
        rows = tx.connection.execute(_LOCK, {"uuids": sorted(uuids)})
    elif not uuids:
        rows = tx.connection.execute(_LOCK_IDS, {"ids": sorted(ids)})
    else:
        rows = tx.connection.execute(_LOCK_BOTH, {"uuids": sorted(uuids), "ids": sorted(ids)})
    return {row.uuid: LockedProvider(*row) for row in rows}


def lock_and_mark(tx: Transaction, uuids: Collection[str], *, kind: str) -> dict[str, LockedProvider]:
    """Take providers that will change for certain, and note the change, in one statement; not on MariaDB."""
    values = {"uuids": sorted(uuids), "generations": 1, "now": tx.now}
    locked = {row.uuid: LockedProvider(*row) for row in tx.connection.execute(_LOCK_AND_MARK, values)}
    for key in sorted(provider.id for provider in locked.values()):
        tx.changed(kind, key)
    return locked


def mark_changed(
    tx: Transaction, provider_ids: Collection[int], *, generations: int = 1, kind: str = "provider"
) -> None:
    """Note a change of providers: the revision moves always, the generation as far as the API says."""
    if not provider_ids:
        return
    numbers = sorted(provider_ids)
    for batch in batches(numbers):
        tx.connection.execute(_MARK, {"ids": batch, "generations": generations, "now": tx.now})
    for key in numbers:
        tx.changed(kind, key)


# --- writing


def create(tx: Transaction, uuid: str, name: str, parent_uuid: str | None) -> Provider:
    """Add a provider, as a root or under a parent."""
    if parent_uuid == uuid:
        raise ProviderRefused(
            "create",
            "parent provider UUID cannot be same as UUID. "
            "Please set parent provider UUID to None if there is no parent.",
        )
    place = None if parent_uuid is None else _parent_place(lock_trees(tx, [parent_uuid]), parent_uuid)
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


class Parent(Enum):
    """What to do with a provider's parent when the request does not name one."""

    AS_IT_IS = "as it is"


def change(tx: Transaction, uuid: str, name: str, parent_uuid: str | Parent | None, *, may_move: bool) -> Provider:
    """Rename a provider and put it, with all below it, under a parent (or make it a root).

    Before microversion 1.37 (`may_move`) only a root can be given a parent; nothing else about trees may change.
    """
    if isinstance(parent_uuid, Parent):
        lock(tx, uuid)
        before = find(tx.connection, uuid)
    else:
        found = lock_trees(tx, [uuid] if parent_uuid is None else [uuid, parent_uuid])
        before = find(tx.connection, uuid)
        if parent_uuid is not None:
            _parent_place(found, parent_uuid)
        if parent_uuid != before.parent_uuid:
            if before.parent_uuid is not None and not may_move:
                action = "un-parenting" if parent_uuid is None else "re-parenting"
                raise ProviderRefused("update", f"{action} a provider is not currently allowed.")
            _move(tx, before, found, parent_uuid)
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
    found = lock_trees(tx, [uuid])
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


@dataclass(frozen=True, slots=True)
class Place:
    """Where a provider stands: its own number and that of its tree's root."""

    id: int
    root_id: int


def places(connection: Connection, uuids: Collection[str]) -> dict[str, Place]:
    """Where these providers stand, as far as they exist."""
    return {
        row.uuid: Place(row.id, row.root_provider_id)
        for batch in batches(sorted(uuids))
        for row in connection.execute(_PLACES, {"uuids": batch})
    }


def lock_trees(tx: Transaction, uuids: Collection[str]) -> dict[str, Place]:
    """Take these providers, and the shape of the trees they are in, for this transaction; those that exist, by UUID."""
    found = places(tx.connection, uuids)
    for batch in batches(sorted({key for place in found.values() for key in (place.id, place.root_id)})):
        lock_many(tx, (), batch)
    if places(tx.connection, uuids) != found:
        # Somebody moved them before they were locked. Whoever holds locks must not reach for more: begin anew.
        raise TryAgain
    return found


def _move(tx: Transaction, provider: Provider, found: dict[str, Place], parent_uuid: str | None) -> None:
    """Put a provider and its subtree under another parent, or make it a root; their trees are locked."""
    subtree = _subtree(tx.connection, provider.id, found[provider.uuid].root_id)
    parent_id = None
    root_id = provider.id
    if parent_uuid is not None:
        parent = _parent_place(found, parent_uuid)
        if parent.id in subtree:
            raise ProviderRefused("update", "creating loop in the provider tree is not allowed.")
        parent_id, root_id = parent.id, parent.root_id
    tx.connection.execute(
        update(resource_providers).where(resource_providers.c.id == provider.id).values(parent_provider_id=parent_id)
    )
    tx.connection.execute(
        update(resource_providers)
        .where(resource_providers.c.id.in_(sorted(subtree)))
        .values(root_provider_id=root_id, revision=resource_providers.c.revision + 1, updated_at=tx.now)
    )
    for key in sorted(subtree):
        tx.changed("provider", key)


def _parent_place(found: dict[str, Place], uuid: str) -> Place:
    if uuid not in found:
        raise ProviderRefused("create", "parent provider UUID does not exist.")
    return found[uuid]


def _subtree(connection: Connection, top: int, root_id: int) -> set[int]:
    """The provider and everything below it."""
    children: dict[int | None, list[int]] = {}
    for key, parent in connection.execute(
        select(resource_providers.c.id, resource_providers.c.parent_provider_id).where(
            resource_providers.c.root_provider_id == root_id
        )
    ):
        children.setdefault(parent, []).append(key)
    found, waiting = {top}, [top]
    while waiting:
        below = children.get(waiting.pop(), [])
        found.update(below)
        waiting.extend(below)
    return found


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
