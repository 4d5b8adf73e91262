"""Writing many providers with all they have in one transaction: new ones by bulk inserts, known ones one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import insert, select, update

from moorage.db.database import Transaction
from moorage.placement.model.errors import ProviderExists, ProviderRefused
from moorage.placement.model.inventory import Inventory
from moorage.placement.store import aggregates, inventories, names, providers, traits
from moorage.placement.store.providers import Parent
from moorage.placement.store.tables import inventories as inventory_table
from moorage.placement.store.tables import provider_aggregates, provider_traits, resource_providers

Item = TypeVar("Item")

_BATCH = 500


@dataclass(frozen=True, slots=True)
class WholeProvider:
    """A provider with all it shall have; None leaves what a known provider has."""

    uuid: str
    name: str
    # None for a root.
    parent_uuid: str | Parent | None
    # What the client believes a known provider's generation to be; None if it does not care.
    generation: int | None
    inventories: Mapping[str, Inventory] | None
    traits: frozenset[str] | None
    aggregates: frozenset[str] | None

    @property
    def first_parent(self) -> str | None:
        """The parent of a new provider, which is a root unless the request says otherwise."""
        return None if isinstance(self.parent_uuid, Parent) else self.parent_uuid


def write(tx: Transaction, wanted: Sequence[WholeProvider]) -> dict[str, int]:
    """Create or change providers; their generations by UUID, in the order given."""
    known: set[str] = set()
    for batch in _batches([item.uuid for item in wanted]):
        known.update(
            tx.connection.execute(
                select(resource_providers.c.uuid).where(resource_providers.c.uuid.in_(batch))
            ).scalars()
        )
    _create(tx, [item for item in wanted if item.uuid not in known])
    _make_way(tx, [item for item in wanted if item.uuid in known])
    return {item.uuid: _change(tx, item) if item.uuid in known else 0 for item in wanted}


# --- new providers


def _create(tx: Transaction, wanted: Sequence[WholeProvider]) -> None:
    _check_names(tx, wanted)
    ids: dict[str, int] = {}
    roots: dict[str, int] = {}
    for level in _levels(tx, wanted, ids, roots):
        for batch in _batches(level):
            rows = [
                {
                    "uuid": item.uuid,
                    "name": item.name,
                    "generation": 0,
                    "revision": 0,
                    "parent_provider_id": None if item.first_parent is None else ids[item.first_parent],
                    "root_provider_id": None if item.first_parent is None else roots[item.first_parent],
                    "created_at": tx.now,
                    "updated_at": tx.now,
                }
                for item in batch
            ]
            created = insert(resource_providers).returning(resource_providers.c.uuid, resource_providers.c.id)
            for uuid, key in tx.connection.execute(created, rows):
                ids[uuid] = key
                tx.changed("provider", key)
            new_roots = [ids[item.uuid] for item in batch if item.first_parent is None]
            if new_roots:
                tx.connection.execute(
                    update(resource_providers)
                    .where(resource_providers.c.id.in_(new_roots))
                    .values(root_provider_id=resource_providers.c.id)
                )
            for item in batch:
                roots[item.uuid] = ids[item.uuid] if item.first_parent is None else roots[item.first_parent]
    _fill(tx, wanted, ids)


def _levels(
    tx: Transaction, wanted: Sequence[WholeProvider], ids: dict[str, int], roots: dict[str, int]
) -> Iterator[list[WholeProvider]]:
    """The providers level by level, so that a parent is there before its children; `ids` and `roots` grow meanwhile."""
    waiting = {item.uuid: item for item in wanted}
    outside = {item.first_parent for item in wanted if item.first_parent is not None} - waiting.keys()
    for uuid, place in providers.lock_trees(tx, sorted(outside)).items() if outside else ():
        ids[uuid], roots[uuid] = place.id, place.root_id
    while waiting:
        level = [item for item in waiting.values() if item.first_parent is None or item.first_parent in ids]
        if not level:
            stuck = next(iter(waiting.values()))
            missing = stuck.first_parent not in waiting
            reason = (
                f"parent provider UUID {stuck.first_parent} of {stuck.uuid} does not exist."
                if missing
                else "creating loop in the provider tree is not allowed."
            )
            raise ProviderRefused("create", reason)
        yield level
        for item in level:
            del waiting[item.uuid]


def _check_names(tx: Transaction, wanted: Sequence[WholeProvider]) -> None:
    for batch in _batches([item.name for item in wanted]):
        taken = tx.connection.execute(
            select(resource_providers.c.name).where(resource_providers.c.name.in_(batch)).limit(1)
        ).scalar()
        if taken is not None:
            raise ProviderExists([f"name: {taken}"])


def _fill(tx: Transaction, wanted: Sequence[WholeProvider], ids: Mapping[str, int]) -> None:
    """Give new providers their inventories, traits and aggregates."""
    class_ids = names.resource_class_ids(tx, {name for item in wanted for name in item.inventories or ()})
    found = names.traits_named(tx.connection, {name for item in wanted for name in item.traits or ()})
    trait_ids = {trait.name: trait.id for trait in found}
    times = {"created_at": tx.now, "updated_at": tx.now}
    stock_rows = [
        {
            "resource_provider_id": ids[item.uuid],
            "resource_class_id": class_ids[name],
            "used": 0,
            **inventories.columns_of(inventory),
            **times,
        }
        for item in wanted
        for name, inventory in (item.inventories or {}).items()
    ]
    trait_rows = [
        {"resource_provider_id": ids[item.uuid], "trait_id": trait_ids[name]}
        for item in wanted
        for name in item.traits or ()
    ]
    aggregate_rows = [
        {"resource_provider_id": ids[item.uuid], "aggregate_uuid": uuid}
        for item in wanted
        for uuid in item.aggregates or ()
    ]
    for table, rows in (
        (inventory_table, stock_rows),
        (provider_traits, trait_rows),
        (provider_aggregates, aggregate_rows),
    ):
        if rows:
            tx.connection.execute(insert(table), rows)


# --- known providers


def _make_way(tx: Transaction, wanted: Sequence[WholeProvider]) -> None:
    """Take known providers from where they are, and their names, if others of the request come there first."""
    before = {item.uuid: providers.find(tx.connection, item.uuid) for item in wanted}
    names_held = {provider.name for provider in before.values()}
    for item in wanted:
        provider = before[item.uuid]
        moves = not isinstance(item.parent_uuid, Parent) and provider.parent_uuid not in (None, item.parent_uuid)
        swaps = item.name != provider.name and item.name in names_held
        if moves or swaps:
            name = f"renaming {provider.uuid}" if swaps else provider.name
            providers.change(tx, provider.uuid, name, None if moves else Parent.AS_IT_IS, may_move=True)


def _change(tx: Transaction, item: WholeProvider) -> int:
    """Give a known provider what the request says; its generation afterwards."""
    before = providers.change(tx, item.uuid, item.name, item.parent_uuid, may_move=True)
    if item.generation is not None:
        providers.lock(tx, item.uuid).check_generation(item.generation)
    generation = before.generation
    if item.inventories is not None:
        generation = inventories.replace(tx, item.uuid, None, item.inventories)
    if item.traits is not None:
        generation, _ = traits.replace(tx, item.uuid, None, item.traits)
    if item.aggregates is not None:
        generation = aggregates.replace(tx, item.uuid, generation, item.aggregates)
    return generation


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[start : start + _BATCH] for start in range(0, len(items), _BATCH))
