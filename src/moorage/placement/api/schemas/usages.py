"""Schemas of the usages of projects."""

from __future__ import annotations

from moorage.placement.api.schemas.common import CONSUMER_TYPE, OWNER, Versioned, object_of
from moorage.web.schema import Definition, Schema

_OWNERS: Definition = {"project_id": OWNER, "user_id": OWNER}
# What a refusal complains of is the first that is broken, so the pattern comes before the lengths.
_TYPE: Definition = {"type": "string", "pattern": f"{CONSUMER_TYPE}|^all|^unknown$"} | OWNER

LIST: Versioned = (
    ((1, 38), Schema(object_of(_OWNERS | {"consumer_type": _TYPE}, required=("project_id",)))),
    ((1, 9), Schema(object_of(_OWNERS, required=("project_id",)))),
)
