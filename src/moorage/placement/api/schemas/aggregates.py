"""Schemas of a provider's aggregates."""

from __future__ import annotations

from moorage.placement.api.schemas.common import INTEGER, UUID, Versioned, object_of
from moorage.web.schema import Definition, Schema

_UUIDS: Definition = {"type": "array", "items": UUID, "uniqueItems": True}

_WITH_GENERATION = object_of(
    {"aggregates": _UUIDS, "resource_provider_generation": INTEGER},
    required=("aggregates", "resource_provider_generation"),
)

REPLACE: Versioned = (((1, 19), Schema(_WITH_GENERATION)), ((1, 1), Schema(_UUIDS)))
