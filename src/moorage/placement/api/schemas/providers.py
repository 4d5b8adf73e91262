"""Schemas of resource providers."""

from __future__ import annotations

from moorage.placement.api.microversion import Version
from moorage.placement.api.schemas.common import TEXT, UUID, Definition, object_of
from moorage.placement.api.validation import Schema

_NAME: Definition = {"type": "string", "maxLength": 200}
_PARENT: Definition = {"anyOf": [UUID, {"type": "null"}]}

CREATE_1_0 = Schema(object_of({"name": _NAME, "uuid": UUID}, required=("name",)))
CREATE_1_14 = Schema(object_of({"name": _NAME, "uuid": UUID, "parent_provider_uuid": _PARENT}, required=("name",)))
UPDATE_1_0 = Schema(object_of({"name": _NAME}, required=("name",)))
UPDATE_1_14 = Schema(object_of({"name": _NAME, "parent_provider_uuid": _PARENT}, required=("name",)))

_LIST_1_0: Definition = {"name": TEXT, "uuid": UUID}
_LIST_1_3 = _LIST_1_0 | {"member_of": TEXT}
_LIST_1_4 = _LIST_1_3 | {"resources": TEXT}
_LIST_1_14 = _LIST_1_4 | {"in_tree": UUID}
LIST_1_18 = _LIST_1_14 | {"required": TEXT}

# Newest first.
LIST: tuple[tuple[Version, Schema], ...] = (
    ((1, 18), Schema(object_of(LIST_1_18))),
    ((1, 14), Schema(object_of(_LIST_1_14))),
    ((1, 4), Schema(object_of(_LIST_1_4))),
    ((1, 3), Schema(object_of(_LIST_1_3))),
    ((1, 0), Schema(object_of(_LIST_1_0))),
)
