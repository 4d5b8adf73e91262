"""Texts of requests as what they mean: numbers, truth values, names."""

from __future__ import annotations

import re
from typing import Any

from moorage.compute.api.schemas.common import LARGEST
from moorage.compute.model.names import complaint_about_name
from moorage.web.errors import bad_request

_TRUE = frozenset({"1", "t", "true", "on", "y", "yes"})
_FALSE = frozenset({"0", "f", "false", "off", "n", "no"})
_DIGITS = re.compile("-?[0-9]{1,19}")


def boolean(value: Any, what: str) -> bool:
    """Any of the usual words for true or false."""
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in _TRUE | _FALSE:
        return word in _TRUE
    raise bad_request(f"Invalid input for field/attribute {what}. Value: {value}. It is neither true nor false.")


def whole_number(value: Any, what: str, least: int = 0, most: int = LARGEST) -> int:
    """A number in a range."""
    # Python would read more as a number than the API does: 1_000, or digits of any script.
    if isinstance(value, str) and not _DIGITS.fullmatch(value):
        raise bad_request(f"Invalid input for field/attribute {what}. Value: {value}. It is no number.")
    number = int(value)
    if not least <= number <= most:
        raise bad_request(
            f"Invalid input for field/attribute {what}. Value: {value}. It must be between {least} and {most}."
        )
    return number


def name(value: str, what: str = "name") -> str:
    """A name as names may be."""
    complaint = complaint_about_name(value)
    if complaint is not None:
        raise bad_request(f"Invalid input for field/attribute {what}. Value: {value}. {complaint}")
    return value
