"""Schemas of inventories."""

from __future__ import annotations

from moorage.placement.api.schemas.common import INTEGER, RESOURCE_CLASS, object_of, whole_number
from moorage.placement.model.inventory import MAX_RATIO
from moorage.web.schema import Definition, Schema

INVENTORY: Definition = {
    "resource_provider_generation": INTEGER,
    "total": whole_number(1),
    "reserved": whole_number(0),
    "min_unit": whole_number(1),
    "max_unit": whole_number(1),
    "step_size": whole_number(1),
    "allocation_ratio": {"type": "number", "maximum": MAX_RATIO},
}

INVENTORIES: Definition = object_of(
    {
        "resource_provider_generation": INTEGER,
        "inventories": {
            "type": "object",
            "patternProperties": {RESOURCE_CLASS: object_of(INVENTORY, required=("total",))},
            "additionalProperties": False,
        },
    },
    required=("resource_provider_generation", "inventories"),
)

CREATE = Schema(
    object_of(
        INVENTORY | {"resource_class": {"type": "string", "pattern": RESOURCE_CLASS}},
        required=("total", "resource_class"),
    )
)
UPDATE = Schema(object_of(INVENTORY, required=("total", "resource_provider_generation")))
REPLACE = Schema(INVENTORIES)
