"""Pieces that several schemas have in common.

Numbers and truth values may come as texts, as they always could; `values` turns them into what they mean.
"""

from __future__ import annotations

from typing import Any

from moorage.web.schema import Definition, Schema

LARGEST = 0x7FFF_FFFF

# What else a name may be is for `values.name` to say.
NAME: Definition = {"type": "string", "minLength": 1, "maxLength": 255}
BOOLEAN: Definition = {"type": ["boolean", "string"]}
METADATA_KEY = "^[a-zA-Z0-9_:. -]{1,255}$"


def whole_number(least: int, most: int = LARGEST) -> Definition:
    """A number in a range, or its digits."""
    return {"type": ["integer", "string"], "minimum": least, "maximum": most, "pattern": "^-?[0-9]{1,10}$"}


def wrapped(key: str, definition: Definition) -> Schema:
    """An object with one key: how every body of the compute API begins."""
    return Schema(exactly({key: definition}, required=[key]))


def exactly(properties: dict[str, Any], required: list[str]) -> Definition:
    """An object that has no other keys."""
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
