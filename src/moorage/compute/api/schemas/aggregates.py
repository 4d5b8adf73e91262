"""Bodies about host aggregates."""

from __future__ import annotations

from moorage.compute.api.schemas.common import NAME, by_key, wrapped
from moorage.web.schema import Definition, Schema
from moorage.web.shapes import one_of, record

_ZONE: Definition = {"type": ["string", "null"], "minLength": 1, "maxLength": 255}
_ZONE_FIELD = {"availability_zone": _ZONE}

CREATE = wrapped("aggregate", record({"name": NAME}, _ZONE_FIELD))
UPDATE = wrapped("aggregate", {**record({}, {"name": NAME, **_ZONE_FIELD}), "minProperties": 1})

_HOST = record({"host": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[a-zA-Z0-9._-]*$"}})
_METADATA = by_key({"type": ["string", "null"], "maxLength": 255})
ACTION = Schema(one_of({"add_host": _HOST, "remove_host": _HOST, "set_metadata": record({"metadata": _METADATA})}))
