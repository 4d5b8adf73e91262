"""What several kinds of things have in common: dates and numbers, in requests and answers."""

from __future__ import annotations

from moorage.reservations.api.reservation_fields import DIGITS, LARGEST
from moorage.web.schema import Definition
from moorage.web.shapes import or_null

# Dates of answers: with microseconds where something is planned, without where something was noted down.
SHOWN: Definition = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$"}
SHOWN_OR_NULL = or_null(SHOWN)
STAMP: Definition = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$"}
STAMP_OR_NULL = or_null(STAMP)

_MINUTE = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]) ([01]\d|2[0-3]):[0-5]\d"
DATE: Definition = {
    "type": "string",
    "pattern": f"^(now|{_MINUTE})$",
    "description": "A minute in UTC, such as 2030-01-31 12:00, or now.",
}
# Where nothing at all is a date, too: what was is kept, or what is usual is taken.
DATE_OR_NOTHING: Definition = {**or_null(DATE), "pattern": f"^(now|{_MINUTE})?$"}

YES: Definition = {
    "type": "string",
    "description": "1, t, true, on, y and yes, in any case, say yes; all else says no.",
    "examples": ["true", "false"],
}


def whole_number(least: int, most: int = LARGEST) -> Definition:
    """A number in a body, also as a text of digits."""
    digits = "0{0,2}[1-9][0-9]{0,9}" if least else DIGITS
    return {
        "anyOf": [
            {"type": "integer", "minimum": least, "maximum": most},
            {"type": "string", "pattern": rf"^\s*{digits}\s*$"},
        ]
    }
