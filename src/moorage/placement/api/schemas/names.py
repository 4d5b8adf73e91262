"""Schemas of resource classes and traits."""

from __future__ import annotations

from moorage.placement.api.schemas.common import CUSTOM_NAME, INTEGER, TEXT, object_of
from moorage.web.schema import Definition, Schema

RESOURCE_CLASS = Schema(
    object_of({"name": {"type": "string", "pattern": CUSTOM_NAME, "maxLength": 255}}, required=("name",))
)

_TRAIT: Definition = {"type": "string", "minLength": 1, "maxLength": 255}

CUSTOM_TRAIT = Schema(_TRAIT | {"pattern": CUSTOM_NAME})
PROVIDER_TRAITS = Schema(
    object_of(
        {"traits": {"type": "array", "items": _TRAIT}, "resource_provider_generation": INTEGER},
        required=("traits", "resource_provider_generation"),
    )
)
LIST_TRAITS = Schema(object_of({"name": TEXT, "associated": TEXT}))
