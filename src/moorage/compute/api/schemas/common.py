"""Pieces that several schemas have in common.

Numbers and truth values may come as texts, as they always could; `values` turns them into what they mean.
"""

from __future__ import annotations

from typing import Literal

from moorage.web.schema import Definition, Schema
from moorage.web.shapes import by_name, record

LARGEST = 0x7FFF_FFFF

# What else a name may be is for `values.name` to say.
NAME: Definition = {"type": "string", "minLength": 1, "maxLength": 255}
_WORDS = ("true", "t", "yes", "y", "on", "1", "false", "f", "no", "n", "off", "0")
# Each as it is, with a capital, and all in capitals.
_SPELLINGS = [make(word) for word in _WORDS for make in (str, str.capitalize, str.upper)]
BOOLEAN: Definition = {"enum": [True, False, *dict.fromkeys(_SPELLINGS)]}
_KEY = "^[a-zA-Z0-9_:. -]{1,255}$"


# The digits of a number that is at least so much.
_DIGITS = {-1: "^(-1|[0-9]{1,10})$", 0: "^[0-9]{1,10}$", 1: "^0{0,9}[1-9][0-9]{0,9}$"}


def whole_number(least: Literal[-1, 0, 1], most: int = LARGEST) -> Definition:
    """A number in a range, or its digits."""
    return {"type": ["integer", "string"], "minimum": least, "maximum": most, "pattern": _DIGITS[least]}


def wrapped(key: str, definition: Definition) -> Schema:
    """An object with one key: how every body of the compute API begins."""
    return Schema(record({key: definition}))


def by_key(values: Definition) -> Definition:
    """Metadata and the like: an object whose keys are words of the client."""
    return {**by_name(values), "propertyNames": {"pattern": _KEY}}
