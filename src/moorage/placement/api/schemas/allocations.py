"""Schemas of allocations: one consumer's (PUT) and several consumers' at once (POST)."""

from __future__ import annotations

from moorage.placement.api.schemas.common import (
    CONSUMER_TYPE,
    INTEGER,
    OWNER,
    RESOURCE_CLASS,
    UUID,
    UUID_KEY,
    WORD_SUFFIX,
    Versioned,
    object_of,
)
from moorage.web.schema import Definition, Schema
from moorage.web.versions import Version

_RESOURCES: Definition = {
    "type": "object",
    "minProperties": 1,
    "patternProperties": {RESOURCE_CLASS: {"type": "integer", "minimum": 1}},
    "additionalProperties": False,
}
_OWNERS: Definition = {"project_id": OWNER, "user_id": OWNER}

# Until 1.11 a list of providers.
_AS_LIST: Definition = {
    "allocations": {
        "type": "array",
        "minItems": 1,
        "items": object_of(
            {"resource_provider": object_of({"uuid": UUID}, required=("uuid",)), "resources": _RESOURCES},
            required=("resource_provider", "resources"),
        ),
    }
}


def _by_provider(at_least: int) -> Definition:
    """Since 1.12 an object with the providers' UUIDs as keys. The generation is accepted and not looked at."""
    return {
        "allocations": {
            "type": "object",
            "minProperties": at_least,
            "patternProperties": {
                UUID_KEY: object_of({"generation": INTEGER, "resources": _RESOURCES}, required=("resources",))
            },
            "additionalProperties": False,
        }
    }


_REQUIRED_1_8 = ("allocations", "project_id", "user_id")
_GENERATION: Definition = {"consumer_generation": {"type": ["integer", "null"], "additionalProperties": False}}
_REQUIRED_1_28 = (*_REQUIRED_1_8, "consumer_generation")
# What GET /allocation_candidates answers can be sent back as it is; mappings are accepted and not looked at.
_MAPPINGS: Definition = {
    "mappings": {
        "type": "object",
        "minProperties": 1,
        "patternProperties": {WORD_SUFFIX: {"type": "array", "minItems": 1, "items": UUID}},
    }
}
_TYPE: Definition = {"consumer_type": {"type": "string", "pattern": CONSUMER_TYPE, "minLength": 1, "maxLength": 255}}

_ONE_1_12 = object_of(_by_provider(1) | _OWNERS, required=_REQUIRED_1_8)
_ONE_1_13 = object_of(_by_provider(0) | _OWNERS, required=_REQUIRED_1_8)
_ONE_1_28 = object_of(_by_provider(0) | _OWNERS | _GENERATION, required=_REQUIRED_1_28)
_ONE_1_34 = object_of(_by_provider(0) | _OWNERS | _GENERATION | _MAPPINGS, required=_REQUIRED_1_28)
_ONE_1_38 = object_of(
    _by_provider(0) | _OWNERS | _GENERATION | _MAPPINGS | _TYPE, required=(*_REQUIRED_1_28, "consumer_type")
)


def _many(one: Definition, at_least: int = 1) -> Definition:
    return {
        "type": "object",
        "minProperties": at_least,
        "additionalProperties": False,
        "patternProperties": {UUID_KEY: one},
    }


PUT: Versioned = (
    ((1, 38), Schema(_ONE_1_38)),
    ((1, 34), Schema(_ONE_1_34)),
    ((1, 28), Schema(_ONE_1_28)),
    ((1, 12), Schema(_ONE_1_12)),
    ((1, 8), Schema(object_of(_AS_LIST | _OWNERS, required=_REQUIRED_1_8))),
    ((1, 0), Schema(object_of(_AS_LIST, required=("allocations",)))),
)
POST: Versioned = (
    ((1, 38), Schema(_many(_ONE_1_38))),
    ((1, 34), Schema(_many(_ONE_1_34))),
    ((1, 28), Schema(_many(_ONE_1_28))),
    ((1, 13), Schema(_many(_ONE_1_13))),
)
# A reshape may come without any allocations.
RESHAPED: tuple[tuple[Version, Definition], ...] = (
    ((1, 38), _many(_ONE_1_38, 0)),
    ((1, 34), _many(_ONE_1_34, 0)),
    ((1, 30), _many(_ONE_1_28, 0)),
)
