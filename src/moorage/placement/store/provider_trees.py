"""The trees that providers stand in.

The root's row is the lock of a tree's shape: whoever adds, moves or removes a provider in a tree holds it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select, update

from moorage.db.batches import batches
from moorage.db.database import Transaction, TryAgain
from moorage.placement.model.errors import ProviderRefused
from moorage.placement.model.provider import Provider
from moorage.placement.store import provider_locks
from moorage.placement.store.tables import resource_providers

_PLACES = select(resource_providers.c.uuid, resource_providers.c.id, resource_providers.c.root_provider_id).where(
    resource_providers.c.uuid.in_(bindparam("uuids", expanding=True))
)


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
        provider_locks.lock_many(tx, (), batch)
    if places(tx.connection, uuids) != found:
        # Somebody moved them before they were locked. Whoever holds locks must not reach for more: begin anew.
        raise TryAgain
    return found


def parent_place(found: Mapping[str, Place], uuid: str) -> Place:
    """Where the parent stands that a request names, among places that were found."""
    if uuid not in found:
        raise ProviderRefused("create", "parent provider UUID does not exist.")
    return found[uuid]


def move(tx: Transaction, provider: Provider, found: Mapping[str, Place], parent_uuid: str | None) -> None:
    """Put a provider and its subtree under another parent, or make it a root; their trees are locked."""
    subtree = _subtree(tx.connection, provider.id, found[provider.uuid].root_id)
    parent_id = None
    root_id = provider.id
    if parent_uuid is not None:
        parent = parent_place(found, parent_uuid)
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
