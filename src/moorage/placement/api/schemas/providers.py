"""Schemas of resource providers."""

from __future__ import annotations

from moorage.placement.api.schemas.common import TEXT, UUID, Versioned, object_of
from moorage.web.schema import Definition, Schema

_NAME: Definition = {"type": "string", "maxLength": 200}
_PARENT: Definition = {"anyOf": [UUID, {"type": "null"}]}

CREATE: Versioned = (
    ((1, 14), Schema(object_of({"name": _NAME, "uuid": UUID, "parent_provider_uuid": _PARENT}, required=("name",)))),
    ((1, 0), Schema(object_of({"name": _NAME, "uuid": UUID}, required=("name",)))),
)
UPDATE: Versioned = (
    ((1, 14), Schema(object_of({"name": _NAME, "parent_provider_uuid": _PARENT}, required=("name",)))),
    ((1, 0), Schema(object_of({"name": _NAME}, required=("name",)))),
)

_LIST_1_0: Definition = {"name": TEXT, "uuid": UUID}
_LIST_1_3 = _LIST_1_0 | {"member_of": TEXT}
_LIST_1_4 = _LIST_1_3 | {"resources": TEXT}
_LIST_1_14 = _LIST_1_4 | {"in_tree": UUID}
LIST_1_18 = _LIST_1_14 | {"required": TEXT}

LIST: Versioned = (
    ((1, 18), Schema(object_of(LIST_1_18))),
    ((1, 14), Schema(object_of(_LIST_1_14))),
    ((1, 4), Schema(object_of(_LIST_1_4))),
    ((1, 3), Schema(object_of(_LIST_1_3))),
    ((1, 0), Schema(object_of(_LIST_1_0))),
)
