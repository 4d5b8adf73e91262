"""What the providers of a request have: inventories, traits, aggregates and origins, each kind written for all at once.

Only what differs is written, and a provider counts as changed only if something of it does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Table, and_, bindparam, delete, insert, update

from moorage.db.batches import batches
from moorage.db.database import Transaction, TryAgain
from moorage.placement.index.records import Record
from moorage.placement.model.inventory import Stock
from moorage.placement.store import inventories, names, origins
from moorage.placement.store.bulk.wanted import Keep, WholeProvider
from moorage.placement.store.tables import inventories as inventory_table
from moorage.placement.store.tables import provider_aggregates, provider_traits

_FIELDS = ("total", "reserved", "min_unit", "max_unit", "step_size", "allocation_ratio", "capacity", "updated_at")
_UPDATE = (
    update(inventory_table)
    .where(
        inventory_table.c.resource_provider_id == bindparam("provider"),
        inventory_table.c.resource_class_id == bindparam("class"),
    )
    .values({name: bindparam(name) for name in _FIELDS})
)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of the resource classes and traits of a request, by their names."""

    classes: Mapping[str, int]
    traits: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Target:
    """A locked provider, what it shall have, and what it has so far: nothing if it is new."""

    id: int
    wanted: WholeProvider
    record: Record | None

    @property
    def stocks(self) -> Mapping[str, Stock]:
        """Its inventories so far."""
        return self.record.stocks if self.record else {}

    @property
    def traits(self) -> frozenset[str]:
        """Its traits so far."""
        return frozenset(self.record.traits if self.record else ())

    @property
    def aggregates(self) -> frozenset[str]:
        """Its aggregates so far."""
        return frozenset(self.record.aggregates if self.record else ())


def write(tx: Transaction, targets: Sequence[Target], numbers: Numbers) -> set[int]:
    """Give providers what they shall have; the numbers of those that changed."""
    changed = _write_inventories(tx, targets, numbers)
    changed |= _write_traits(tx, targets, numbers)
    changed |= _write_aggregates(tx, targets)
    noted = {target.id: target.wanted.origin for target in targets if not isinstance(target.wanted.origin, Keep)}
    return changed | origins.write(tx, noted)


# --- inventories


def _write_inventories(tx: Transaction, targets: Sequence[Target], numbers: Numbers) -> set[int]:
    new: list[dict[str, Any]] = []
    other: list[dict[str, Any]] = []
    surplus: dict[str, list[int]] = defaultdict(list)
    for target in targets:
        stocks, wanted = target.stocks, target.wanted.inventories
        if wanted is None:
            continue
        for name in stocks.keys() - wanted.keys():
            surplus[name].append(target.id)
        for name, inventory in wanted.items():
            row: dict[str, Any] = {**inventories.columns_of(inventory), "updated_at": tx.now}
            if name not in stocks:
                place = {"resource_provider_id": target.id, "resource_class_id": numbers.classes[name]}
                new.append({**place, **row, "used": 0, "created_at": tx.now})
            elif inventory != stocks[name].inventory:
                inventories.warn_if_over_full(target.wanted.uuid, name, inventory, stocks[name].used)
                other.append({"provider": target.id, "class": numbers.classes[name], **row})
    _remove_inventories(tx, surplus)
    if other:
        tx.connection.execute(_UPDATE, other)
    if new:
        tx.connection.execute(insert(inventory_table), new)
    changed = {row["provider"] for row in other} | {row["resource_provider_id"] for row in new}
    return changed.union(*surplus.values())


def _remove_inventories(tx: Transaction, surplus: Mapping[str, Sequence[int]]) -> None:
    """Take resource classes away from providers, by number, that nobody was using when they were looked at."""
    class_ids = names.resource_class_ids(tx, surplus)
    for name, provider_ids in surplus.items():
        for batch in batches(sorted(provider_ids)):
            removed = tx.connection.execute(
                delete(inventory_table).where(
                    inventory_table.c.resource_class_id == class_ids[name],
                    inventory_table.c.resource_provider_id.in_(batch),
                    inventory_table.c.used == 0,
                )
            ).rowcount
            if removed != len(batch):
                raise TryAgain  # somebody uses one now, and will be found when the providers are looked at again


# --- traits and aggregates


def _write_traits(tx: Transaction, targets: Sequence[Target], numbers: Numbers) -> set[int]:
    lost = {name for target in targets if target.wanted.traits is not None for name in target.traits}
    trait_ids = {**names.known_traits(tx.connection, lost - numbers.traits.keys()), **numbers.traits}
    links = [
        (target.id, {trait_ids[name] for name in target.traits}, {trait_ids[name] for name in target.wanted.traits})
        for target in targets
        if target.wanted.traits is not None
    ]
    return _write_links(tx, provider_traits, "trait_id", links)


def _write_aggregates(tx: Transaction, targets: Sequence[Target]) -> set[int]:
    links = [
        (target.id, target.aggregates, target.wanted.aggregates)
        for target in targets
        if target.wanted.aggregates is not None
    ]
    return _write_links(tx, provider_aggregates, "aggregate_uuid", links)


def _write_links(tx: Transaction, table: Table, column: str, links: Sequence[tuple[int, Any, Any]]) -> set[int]:
    """Make the last of each triple all that the provider is linked to, which so far is the second."""
    lost = [{"provider": key, "other": value} for key, before, after in links for value in sorted(before - after)]
    gained = [
        {"resource_provider_id": key, column: value} for key, before, after in links for value in sorted(after - before)
    ]
    if lost:
        this_row = and_(table.c.resource_provider_id == bindparam("provider"), table.c[column] == bindparam("other"))
        tx.connection.execute(delete(table).where(this_row), lost)
    if gained:
        tx.connection.execute(insert(table), gained)
    return {key for key, before, after in links if before != after}
