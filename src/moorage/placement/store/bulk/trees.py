"""Where the providers of a request stand and what they are called: making way, coming, and settling.

All trees that the request touches are locked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import insert, select, update

from moorage.db.batches import batches
from moorage.db.database import Transaction
from moorage.placement.index.records import Record
from moorage.placement.model.errors import LedgerError, ProviderExists, ProviderRefused, ProvidersRefused
from moorage.placement.store import provider_trees, providers
from moorage.placement.store.bulk.wanted import WholeProvider
from moorage.placement.store.provider_trees import Place
from moorage.placement.store.providers import Parent
from moorage.placement.store.tables import resource_providers


def make_way(tx: Transaction, wanted: Sequence[WholeProvider], present: Mapping[str, Record]) -> None:
    """Take known providers from where they are, and from their names, if others of the request come there."""
    owners = {item.name: item.uuid for item in wanted}
    for item in wanted:
        if item.uuid not in present:
            continue
        provider = present[item.uuid].provider
        moves = item.parent_uuid is not Parent.UNCHANGED and provider.parent_uuid not in (None, item.parent_uuid)
        yields = owners.get(provider.name, item.uuid) != item.uuid
        if moves or yields:
            name = f"renaming {provider.uuid}" if yields else provider.name
            providers.change(tx, provider.uuid, name, None if moves else Parent.UNCHANGED, may_move=True)


def settle(tx: Transaction, known: Sequence[WholeProvider], present: Mapping[str, Record]) -> None:
    """Give known providers the names and parents they shall have, as far as these are others."""
    for item in known:
        provider = present[item.uuid].provider
        stays = item.parent_uuid is Parent.UNCHANGED or item.parent_uuid == provider.parent_uuid
        if stays and item.name == provider.name:
            continue
        try:
            providers.change(tx, item.uuid, item.name, item.parent_uuid, may_move=True)
        except LedgerError as error:
            raise ProvidersRefused({item.uuid: error}) from error


def create(tx: Transaction, wanted: Sequence[WholeProvider]) -> dict[str, int]:
    """Add providers, parents before their children; their numbers by UUID."""
    _check_names(tx, wanted)
    outside = {item.first_parent for item in wanted if item.first_parent is not None}
    places = provider_trees.places(tx.connection, outside)
    for level in _levels(wanted, places):
        for batch in batches(level):
            _insert(tx, batch, places)
    return {item.uuid: places[item.uuid].id for item in wanted}


def _check_names(tx: Transaction, wanted: Sequence[WholeProvider]) -> None:
    owners = {item.name: item.uuid for item in wanted}
    refusals: dict[str, LedgerError] = {}
    for batch in batches(list(owners)):
        taken = tx.connection.execute(select(resource_providers.c.name).where(resource_providers.c.name.in_(batch)))
        refusals |= {owners[name]: ProviderExists([f"name: {name}"]) for name in taken.scalars()}
    if refusals:
        raise ProvidersRefused(refusals)


def _levels(wanted: Sequence[WholeProvider], places: Mapping[str, Place]) -> Iterator[list[WholeProvider]]:
    """The providers level by level; the places of each level are known before the next is asked for."""
    waiting = {item.uuid: item for item in wanted}
    while waiting:
        level = [item for item in waiting.values() if item.first_parent is None or item.first_parent in places]
        if not level:
            raise ProvidersRefused({uuid: _stuck(item, waiting) for uuid, item in waiting.items()})
        yield level
        for item in level:
            del waiting[item.uuid]


def _stuck(item: WholeProvider, waiting: Mapping[str, WholeProvider]) -> ProviderRefused:
    """Why a provider never finds its parent there."""
    passed = {item.uuid}
    while (parent := item.first_parent) is not None and parent in waiting:
        item = waiting[parent]
        if item.uuid in passed:
            return ProviderRefused("create", "creating loop in the provider tree is not allowed.")
        passed.add(item.uuid)
    return ProviderRefused("create", f"parent provider UUID {parent} of {item.uuid} does not exist.")


def _insert(tx: Transaction, new: Sequence[WholeProvider], places: dict[str, Place]) -> None:
    """Add the providers of one level, and note their places."""
    rows = [
        {
            "uuid": item.uuid,
            "name": item.name,
            "generation": 0,
            "revision": 0,
            "parent_provider_id": None if item.first_parent is None else places[item.first_parent].id,
            "root_provider_id": None if item.first_parent is None else places[item.first_parent].root_id,
            "created_at": tx.now,
            "updated_at": tx.now,
        }
        for item in new
    ]
    statement = insert(resource_providers).returning(
        resource_providers.c.uuid, resource_providers.c.id, resource_providers.c.root_provider_id
    )
    roots = []
    for uuid, key, root_id in tx.connection.execute(statement, rows):
        places[uuid] = Place(key, root_id or key)
        tx.changed("provider", key)
        if root_id is None:
            roots.append(key)
    if roots:
        tx.connection.execute(
            update(resource_providers)
            .where(resource_providers.c.id.in_(roots))
            .values(root_provider_id=resource_providers.c.id)
        )
