"""What providers have. Inventories are changed in place and removed only while nobody uses them.

Shrinking an inventory below what is in use is allowed: the provider is then over-full until allocations go away.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping

from sqlalchemy import Connection, bindparam, delete, insert, update

from moorage.db.database import Transaction
from moorage.placement.model.errors import InventoryExists, InventoryInUse, InventoryNotFound
from moorage.placement.model.inventory import Inventory, Stock
from moorage.placement.store import names, provider_locks
from moorage.placement.store.provider_locks import LockedProvider
from moorage.placement.store.selects import STOCKS
from moorage.placement.store.tables import inventories

LOG = logging.getLogger(__name__)

_INSERT = insert(inventories)
_STOCKS = STOCKS.where(inventories.c.resource_provider_id == bindparam("provider")).order_by(
    inventories.c.resource_class_id
)


def add(tx: Transaction, provider_uuid: str, resource_class: str, inventory: Inventory) -> int:
    """Give a provider an inventory of a class it has none of; its new generation."""
    provider = provider_locks.lock(tx, provider_uuid)
    class_id = names.resource_class_ids(tx, [resource_class])[resource_class]
    if resource_class in _stocks(tx.connection, provider.id):
        raise InventoryExists(resource_class, provider_uuid)
    _insert(tx, provider, {class_id: inventory})
    provider_locks.mark_changed(tx, [provider.id])
    return provider.generation + 1


def change(tx: Transaction, provider_uuid: str, generation: int, resource_class: str, inventory: Inventory) -> int:
    """Change an inventory a provider has; the provider's new generation."""
    provider = provider_locks.lock(tx, provider_uuid)
    provider.check_generation(generation)
    class_id = names.resource_class_ids(tx, [resource_class])[resource_class]
    stock = _stocks(tx.connection, provider.id).get(resource_class)
    if stock is None:
        raise InventoryNotFound(resource_class)
    _update(tx, provider, class_id, resource_class, inventory, stock)
    provider_locks.mark_changed(tx, [provider.id])
    return provider.generation + 1


def replace(tx: Transaction, provider_uuid: str, generation: int | None, wanted: Mapping[str, Inventory]) -> int:
    """Make these all the inventories a provider has; its new generation.

    Without a generation the client did not say what it knows, and whatever is there is replaced.
    """
    provider = provider_locks.lock(tx, provider_uuid)
    if generation is not None:
        provider.check_generation(generation)
    present = write(tx, provider, wanted)
    remove_others(tx, provider, present, wanted)
    provider_locks.mark_changed(tx, [provider.id])
    return provider.generation + 1


def remove(tx: Transaction, provider_uuid: str, resource_class: str) -> None:
    """Take one inventory away from a provider."""
    provider = provider_locks.lock(tx, provider_uuid)
    names.resource_class_ids(tx, [resource_class])
    if resource_class not in _stocks(tx.connection, provider.id):
        raise InventoryNotFound(resource_class)
    _remove(tx, provider, [resource_class])
    provider_locks.mark_changed(tx, [provider.id])


# --- the steps of replacing, also used when a reshape puts allocations between them


def write(tx: Transaction, provider: LockedProvider, wanted: Mapping[str, Inventory]) -> Collection[str]:
    """Add and change inventories, and leave all others alone; the classes that the provider had before."""
    class_ids = names.resource_class_ids(tx, wanted)
    present = _stocks(tx.connection, provider.id)
    _insert(tx, provider, {class_ids[name]: inventory for name, inventory in wanted.items() if name not in present})
    for name, inventory in wanted.items():
        if name in present and present[name].inventory != inventory:
            _update(tx, provider, class_ids[name], name, inventory, present[name])
    return present.keys()


def remove_others(tx: Transaction, provider: LockedProvider, present: Collection[str], wanted: Collection[str]) -> None:
    """Remove every inventory that the provider had before and whose class is not wanted."""
    surplus = [name for name in present if name not in wanted]
    if surplus:
        _remove(tx, provider, surplus)


def _stocks(connection: Connection, provider_id: int) -> dict[str, Stock]:
    rows = connection.execute(_STOCKS, {"provider": provider_id})
    return {name: Stock(Inventory(*numbers), used, updated_at) for name, *numbers, used, updated_at in rows}


def columns_of(inventory: Inventory) -> dict[str, float]:
    """An inventory as its row keeps it."""
    return {**inventory.fields(), "capacity": inventory.capacity}


def warn_if_over_full(provider_uuid: str, resource_class: str, inventory: Inventory, used: int) -> None:
    """Note in the log that a changed inventory has less than is in use."""
    if used > inventory.capacity:
        LOG.warning("Resource provider %s is now over-capacity for %s", provider_uuid, resource_class)


def _insert(tx: Transaction, provider: LockedProvider, by_class: Mapping[int, Inventory]) -> None:
    rows = [
        {
            "resource_provider_id": provider.id,
            "resource_class_id": class_id,
            "used": 0,
            "created_at": tx.now,
            "updated_at": tx.now,
            **columns_of(inventory),
        }
        for class_id, inventory in by_class.items()
    ]
    if rows:
        tx.connection.execute(_INSERT, rows)


def _update(
    tx: Transaction, provider: LockedProvider, class_id: int, name: str, inventory: Inventory, before: Stock
) -> None:
    warn_if_over_full(provider.uuid, name, inventory, before.used)
    tx.connection.execute(
        update(inventories)
        .where(inventories.c.resource_provider_id == provider.id, inventories.c.resource_class_id == class_id)
        .values(updated_at=tx.now, **columns_of(inventory))
    )


def _remove(tx: Transaction, provider: LockedProvider, surplus: list[str]) -> None:
    class_ids = names.resource_class_ids(tx, surplus)
    removed = tx.connection.execute(
        delete(inventories).where(
            inventories.c.resource_provider_id == provider.id,
            inventories.c.resource_class_id.in_(sorted(class_ids.values())),
            inventories.c.used == 0,
        )
    ).rowcount
    if removed != len(surplus):
        left = _stocks(tx.connection, provider.id)
        raise InventoryInUse([name for name in left if name in class_ids], provider.uuid)
