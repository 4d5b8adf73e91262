"""Auditing a ledger: whether its tables agree with each other. They must at every moment, for every reader."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from moorage.placement.store.tables import allocations, consumers, inventories, resource_classes, resource_providers


def mistakes(connection: Connection) -> list[str]:
    """Everything that is wrong in the books, in sentences."""
    return [*_wrong_sums(connection), *_empty_consumers(connection), *_wrong_roots(connection)]


def oversold(connection: Connection, resource_class: str) -> list[str]:
    """Inventories of a class that gave more than they have; rightly empty if none of them was ever made smaller."""
    return [
        f"provider {provider} has {capacity} of {resource_class} and gave {used}"
        for provider, capacity, used in connection.execute(
            select(inventories.c.resource_provider_id, inventories.c.capacity, inventories.c.used)
            .join(resource_classes, resource_classes.c.id == inventories.c.resource_class_id)
            .where(resource_classes.c.name == resource_class, inventories.c.used > inventories.c.capacity)
        )
    ]


def _wrong_sums(connection: Connection) -> list[str]:
    inventory, allocation = inventories.c, allocations.c
    noted = {
        (provider, resource_class): used
        for provider, resource_class, used in connection.execute(
            select(inventory.resource_provider_id, inventory.resource_class_id, inventory.used)
        )
    }
    held = {
        (provider, resource_class): int(amount)
        for provider, resource_class, amount in connection.execute(
            select(allocation.resource_provider_id, allocation.resource_class_id, func.sum(allocation.used)).group_by(
                allocation.resource_provider_id, allocation.resource_class_id
            )
        )
    }
    return [
        f"of provider and class {slot}, {noted.get(slot)} is noted as used and {held.get(slot, 0)} is held"
        for slot in noted.keys() | held.keys()
        if noted.get(slot) != held.get(slot, 0)
    ]


def _empty_consumers(connection: Connection) -> list[str]:
    holders = select(allocations.c.consumer_id)
    empty = connection.execute(select(consumers.c.uuid).where(consumers.c.id.not_in(holders))).scalars()
    return [f"consumer {uuid} holds nothing" for uuid in empty]


def _wrong_roots(connection: Connection) -> list[str]:
    provider = resource_providers.c
    rows = connection.execute(select(provider.id, provider.parent_provider_id, provider.root_provider_id)).all()
    parents = {key: parent for key, parent, _ in rows}

    def climb(key: int) -> int | None:
        for _ in parents:
            if parents[key] is None:
                return key
            key = parents[key]
        return None  # round and round

    return [f"provider {key} has root {root}, not {climb(key)}" for key, _, root in rows if root != climb(key)]
