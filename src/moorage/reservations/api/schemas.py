"""What the bodies of requests are like. What a field may hold is said by whoever reads it, in words of the field."""

from __future__ import annotations

from moorage.web.schema import Schema

_OBJECT = {"type": "object"}
_NAME = {"type": "string", "minLength": 1, "maxLength": 80}
_TEXT = {"type": ["string", "null"]}

LEASE = Schema(
    {
        "type": "object",
        "properties": {
            "name": _NAME,
            "start_date": _TEXT,
            "end_date": _TEXT,
            "before_end_date": _TEXT,
            "reservations": {"type": ["array", "null"], "items": _OBJECT, "maxItems": 100},
            "events": {"type": ["array", "null"], "items": _OBJECT, "maxItems": 100},
            "on_conflict": {"enum": ["refuse", "wait", None]},
        },
    }
)

LIMITS = Schema({"type": "object", "maxProperties": 20})

HOST = Schema({"type": "object", "maxProperties": 200})

MAINTENANCE = Schema(
    {
        "type": "object",
        "properties": {
            "maintenance": {
                "type": "array",
                "maxItems": 100,
                "items": {
                    "type": "object",
                    "properties": {
                        "start_date": {"type": "string"},
                        "end_date": {"type": "string"},
                        "reason": {"type": "string", "maxLength": 1000},
                    },
                    "required": ["start_date", "end_date"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["maintenance"],
        "additionalProperties": False,
    }
)

PROPERTY = Schema(
    {
        "type": "object",
        "properties": {"private": {"type": "boolean"}},
        "required": ["private"],
        "additionalProperties": False,
    }
)
