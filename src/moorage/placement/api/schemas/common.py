"""Pieces that several schemas share."""

from __future__ import annotations

from typing import Any

from moorage.placement.model.inventory import MAX_AMOUNT
from moorage.web.schema import Definition, Schema
from moorage.web.versions import Version

# Schemas with the version that brought each, newest first.
Versioned = tuple[tuple[Version, Schema], ...]

UUID: Definition = {"type": "string", "format": "uuid"}
UUID_KEY = "^[0-9a-fA-F-]{36}$"
RESOURCE_CLASS = "^[A-Z0-9_]+$"
CUSTOM_NAME = "^CUSTOM_[A-Z0-9_]+$"
CONSUMER_TYPE = "^[A-Z0-9_]+$"
# Suffixes of request groups: numbers, since 1.33 also words.
NUMBER_SUFFIX = "[1-9][0-9]*"
WORD_SUFFIX = "[a-zA-Z0-9_-]{1,64}"

TEXT: Definition = {"type": "string"}
INTEGER: Definition = {"type": "integer"}
OWNER: Definition = {"type": "string", "minLength": 1, "maxLength": 255}


def whole_number(minimum: int) -> Definition:
    """An amount."""
    return {"type": "integer", "maximum": MAX_AMOUNT, "minimum": minimum}


def object_of(properties: Definition, required: tuple[str, ...] = (), **more: Any) -> Definition:
    """An object with these properties and no others."""
    needed = {"required": list(required)} if required else {}
    # In this order, because a refusal quotes it.
    return {"type": "object", "properties": properties, **needed, "additionalProperties": False, **more}
