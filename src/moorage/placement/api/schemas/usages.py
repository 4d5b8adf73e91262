"""Schemas of the usages of projects."""

from __future__ import annotations

from moorage.placement.api.schemas.common import CONSUMER_TYPE, OWNER, Versioned, object_of
from moorage.web.schema import Definition, Schema

_OWNERS: Definition = {"project_id": OWNER, "user_id": OWNER}
_TYPE: Definition = OWNER | {"pattern": f"{CONSUMER_TYPE}|^all|^unknown$"}

LIST: Versioned = (
    ((1, 38), Schema(object_of(_OWNERS | {"consumer_type": _TYPE}, required=("project_id",)))),
    ((1, 9), Schema(object_of(_OWNERS, required=("project_id",)))),
)
