"""What the bodies of requests are like. What a field may hold is said by whoever reads it, in words of the field."""

from __future__ import annotations

from moorage.reservations.model.lease import LONGEST_NAME
from moorage.web.schema import Definition, Schema
from moorage.web.shapes import TEXT, TEXT_OR_NULL, TRUTH, listed, open_record, or_null, record

MOST_PARTS = 100
NAME: Definition = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
ON_CONFLICT: Definition = {"enum": ["refuse", "wait", None]}
_OBJECTS: Definition = {**or_null(listed({"type": "object"})), "maxItems": MOST_PARTS}

LEASE = Schema(
    open_record(
        {},
        {
            "name": NAME,
            "start_date": TEXT_OR_NULL,
            "end_date": TEXT_OR_NULL,
            "before_end_date": TEXT_OR_NULL,
            "reservations": _OBJECTS,
            "events": _OBJECTS,
            "on_conflict": ON_CONFLICT,
        },
    )
)

LIMITS = Schema({"type": "object", "maxProperties": 20})

MOST_CAPABILITIES = 200
HOST = Schema({"type": "object", "maxProperties": MOST_CAPABILITIES})

REASON: Definition = {"type": "string", "maxLength": 1000}
_TIMES = record({"start_date": TEXT, "end_date": TEXT}, {"reason": REASON})
MAINTENANCE = Schema(record({"maintenance": {**listed(_TIMES), "maxItems": MOST_PARTS}}))

PROPERTY = Schema(record({"private": TRUTH}))
