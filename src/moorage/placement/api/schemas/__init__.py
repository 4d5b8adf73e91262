"""The JSON schemas of bodies and query strings, one module per resource; a newer version extends an older one."""

from moorage.placement.api.schemas import (
    agents,
    aggregates,
    allocations,
    bulk_providers,
    claims,
    inventories,
    names,
    origins,
    providers,
    reshaper,
)

__all__ = [
    "agents",
    "aggregates",
    "allocations",
    "bulk_providers",
    "claims",
    "inventories",
    "names",
    "origins",
    "providers",
    "reshaper",
]
