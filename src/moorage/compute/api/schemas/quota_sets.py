"""Bodies about quotas. Which names there are depends on the flavors, too, and is for the handler to say."""

from __future__ import annotations

from moorage.compute.api.schemas.common import BOOLEAN, whole_number, wrapped

UPDATE = wrapped(
    "quota_set", {"type": "object", "properties": {"force": BOOLEAN}, "additionalProperties": whole_number(-1)}
)
