"""What is asked in several places: providers with the UUIDs of those above them, and inventories with their names."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select

from moorage.placement.store.tables import inventories, resource_classes, resource_providers

_parent = resource_providers.alias("parent")
_root = resource_providers.alias("root")

# Begins with the fields of a `Provider`.
PROVIDERS: Select[Any] = (
    select(
        resource_providers.c.id,
        resource_providers.c.uuid,
        resource_providers.c.name,
        resource_providers.c.generation,
        _parent.c.uuid.label("parent_uuid"),
        _root.c.uuid.label("root_uuid"),
        resource_providers.c.updated_at,
    )
    .join(_root, resource_providers.c.root_provider_id == _root.c.id)
    .outerjoin(_parent, resource_providers.c.parent_provider_id == _parent.c.id)
)

# Begins with the name of the class and the fields of an `Inventory`; the other fields of a `Stock` follow.
STOCKS: Select[Any] = select(
    resource_classes.c.name,
    inventories.c.total,
    inventories.c.reserved,
    inventories.c.min_unit,
    inventories.c.max_unit,
    inventories.c.step_size,
    inventories.c.allocation_ratio,
    inventories.c.used,
    inventories.c.updated_at,
).join(resource_classes, resource_classes.c.id == inventories.c.resource_class_id)
