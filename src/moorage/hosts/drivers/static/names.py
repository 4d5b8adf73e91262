"""The names in a description: "node-{:04}" for the first, second, … of many, "{parent}_numa{}" for what is below."""

from __future__ import annotations

import re

MAX_NAME_LENGTH = 200
"""The longest name that Placement has for a provider."""

NUMBER = "{}, or {:04} to fill it up to four digits"
PARENT = "{parent}"

_PLACEHOLDER = re.compile(r"\{(?::0([1-9]))?\}|\{(parent)\}")


def complaint(pattern: str, *, is_child: bool, is_many: bool) -> str | None:
    """What is wrong with a name in a description, or None if it can be used."""
    if not pattern.strip():
        return "is empty"
    if re.search(r"[{}]", _PLACEHOLDER.sub("", pattern)):
        return f"has a brace that belongs neither to a number, {NUMBER}, nor to {PARENT}"
    if PARENT in pattern and not is_child:
        return f"has {PARENT}, but there is no parent"
    if is_many and not _has_number(pattern):
        return f"would be the name of several; put in where the number goes, {NUMBER}"
    if not is_many and _has_number(pattern):
        return "has a place for a number, but no count says how many there are"
    return None


def fill_in(pattern: str, number: int, parent: str) -> str:
    """The name of the provider with this number, below the parent of this name."""
    return _PLACEHOLDER.sub(lambda found: parent if found[2] else f"{number:0{found[1] or 1}}", pattern)


def _has_number(pattern: str) -> bool:
    return any(not found[2] for found in _PLACEHOLDER.finditer(pattern))
