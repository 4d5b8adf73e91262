"""Schemas of a provider's aggregates."""

from __future__ import annotations

from moorage.placement.api.schemas.common import INTEGER, UUID, Definition, object_of
from moorage.placement.api.validation import Schema

_UUIDS: Definition = {"type": "array", "items": UUID, "uniqueItems": True}

REPLACE_1_1 = Schema(_UUIDS)
REPLACE_1_19 = Schema(
    object_of(
        {"aggregates": _UUIDS, "resource_provider_generation": INTEGER},
        required=("aggregates", "resource_provider_generation"),
    )
)
