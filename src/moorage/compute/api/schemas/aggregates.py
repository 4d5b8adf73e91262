"""Bodies about host aggregates."""

from __future__ import annotations

from moorage.compute.api.schemas.common import METADATA_KEY, NAME, exactly, wrapped
from moorage.web.schema import Definition, Schema

_ZONE: Definition = {"type": ["string", "null"], "minLength": 1, "maxLength": 255}
_FIELDS = {"name": NAME, "availability_zone": _ZONE}

CREATE = wrapped("aggregate", exactly(_FIELDS, ["name"]))
UPDATE = wrapped("aggregate", {**exactly(_FIELDS, []), "minProperties": 1})

_HOST = exactly(
    {"host": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[a-zA-Z0-9._-]*$"}}, ["host"]
)
_METADATA: Definition = {
    "type": "object",
    "patternProperties": {METADATA_KEY: {"type": ["string", "null"], "maxLength": 255}},
    "additionalProperties": False,
}
ACTION = Schema(
    {
        "type": "object",
        "properties": {
            "add_host": _HOST,
            "remove_host": _HOST,
            "set_metadata": exactly({"metadata": _METADATA}, ["metadata"]),
        },
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": False,
    }
)
