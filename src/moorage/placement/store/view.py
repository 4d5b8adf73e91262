"""Reading the whole cloud into a view for searching: a handful of statements over one snapshot, however large it is."""

from __future__ import annotations

from collections import defaultdict

from sqlalchemy import Connection, select

from moorage.placement.index.cloud import Cloud, Node, Shelf
from moorage.placement.store.tables import (
    inventories,
    provider_aggregates,
    provider_traits,
    resource_classes,
    resource_providers,
    traits,
)


def load(connection: Connection) -> Cloud:
    """The cloud as it is now."""
    class_names = {row.id: row.name for row in connection.execute(select(resource_classes))}
    trait_names = {row.id: row.name for row in connection.execute(select(traits))}
    provider = resource_providers.c
    nodes = {
        row.id: Node(*row)
        for row in connection.execute(
            select(provider.id, provider.uuid, provider.root_provider_id, provider.parent_provider_id).order_by(
                provider.id
            )
        )
    }
    shelves: dict[str, dict[int, Shelf]] = defaultdict(dict)
    inventory = inventories.c
    for provider_id, class_id, *numbers in connection.execute(
        select(
            inventory.resource_provider_id,
            inventory.resource_class_id,
            inventory.capacity,
            inventory.used,
            inventory.min_unit,
            inventory.max_unit,
            inventory.step_size,
        ).order_by(inventory.resource_class_id, inventory.resource_provider_id)
    ):
        shelves[class_names[class_id]][provider_id] = Shelf(*numbers)
    provider_trait_names: dict[int, set[str]] = defaultdict(set)
    for provider_id, trait_id in connection.execute(select(provider_traits)):
        provider_trait_names[provider_id].add(trait_names[trait_id])
    aggregates: dict[int, set[str]] = defaultdict(set)
    for provider_id, aggregate_uuid in connection.execute(select(provider_aggregates)):
        aggregates[provider_id].add(aggregate_uuid)
    return Cloud(
        nodes=nodes,
        shelves=shelves,
        traits={key: frozenset(members) for key, members in provider_trait_names.items()},
        aggregates={key: frozenset(members) for key, members in aggregates.items()},
        known_traits={name: key for key, name in trait_names.items()},
        known_classes={name: key for key, name in class_names.items()},
    )
