"""Schemas of the reshaper."""

from __future__ import annotations

from moorage.placement.api.schemas.allocations import RESHAPED
from moorage.placement.api.schemas.common import UUID_KEY, Versioned, object_of
from moorage.placement.api.schemas.inventories import INVENTORIES
from moorage.web.schema import Definition, Schema


def _reshape(allocations: Definition) -> Schema:
    return Schema(
        object_of(
            {
                "inventories": {
                    "type": "object",
                    "patternProperties": {UUID_KEY: INVENTORIES},
                    "minProperties": 1,
                    "additionalProperties": False,
                },
                "allocations": allocations,
            },
            required=("inventories", "allocations"),
        )
    )


POST: Versioned = tuple((version, _reshape(allocations)) for version, allocations in RESHAPED)
