"""Schemas of many providers at once."""

from __future__ import annotations

from moorage.placement.api.schemas.common import INTEGER, TEXT, UUID, object_of
from moorage.placement.api.schemas.inventories import INVENTORIES
from moorage.placement.api.schemas.origins import HOST, ORIGIN
from moorage.placement.api.schemas.providers import LIST_1_18
from moorage.web.schema import Definition, Schema

_WHOLE: Definition = object_of(
    {
        "uuid": UUID,
        "name": {"type": "string", "minLength": 1, "maxLength": 200},
        "parent_provider_uuid": {"anyOf": [UUID, {"type": "null"}]},
        "generation": {"anyOf": [INTEGER, {"type": "null"}]},
        "inventories": INVENTORIES["properties"]["inventories"],
        "traits": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 255}},
        "aggregates": {"type": "array", "items": UUID},
        "origin": ORIGIN | {"type": ["object", "null"]},
    },
    required=("uuid", "name"),
)

WRITE = Schema(
    object_of(
        {
            "providers": {"type": "array", "items": _WHOLE},
            "delete": {
                "type": "array",
                "items": object_of({"uuid": UUID, "generation": INTEGER}, required=("uuid",)),
            },
            "create_names": {"type": "boolean"},
        }
    )
)
READ = Schema(object_of(LIST_1_18 | {"include": TEXT, "origin_host": HOST, "in_tree_of_host": HOST}))
