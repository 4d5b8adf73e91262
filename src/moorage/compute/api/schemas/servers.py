"""What bodies about servers look like."""

from __future__ import annotations

from typing import Any

from moorage.web.schema import Definition, Schema

_NAME: Definition = {"type": "string", "minLength": 1, "maxLength": 255}
_DESCRIPTION: Definition = {"type": ["string", "null"], "maxLength": 255}
_COUNT: Definition = {"type": ["integer", "string"], "minimum": 1, "pattern": "^[1-9][0-9]{0,8}$"}
_METADATA: Definition = {
    "type": "object",
    "propertyNames": {"pattern": "^[a-zA-Z0-9\\-_:. ]{1,255}$"},
    "additionalProperties": {"type": "string", "maxLength": 255},
}
_TAG: Definition = {"type": "string", "minLength": 1, "maxLength": 60, "pattern": "^[^,/]*$"}
_TAGS: Definition = {"type": "array", "items": _TAG, "maxItems": 50}
_REFERENCE: Definition = {"type": ["string", "integer"], "minLength": 1, "maxLength": 2048, "minimum": 0}
_UUID: Definition = {"type": "string", "format": "uuid"}
_UUIDS: Definition = {"oneOf": [_UUID, {"type": "array", "items": _UUID, "uniqueItems": True}]}
_BOOLEAN: Definition = {"enum": [True, False, "True", "False", "true", "false", "1", "0"]}


def _object(properties: Definition, required: tuple[str, ...] = (), **more: Any) -> Definition:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
        **more,
    }


_HINTS = _object(
    {"group": _UUID, "same_host": _UUIDS, "different_host": _UUIDS},
)
_NETWORKS: Definition = {
    "oneOf": [
        {"type": "array", "items": {"type": "object"}},
        {"type": "string", "enum": ["auto", "none"]},
    ]
}
# What the command line sends beside `imageRef`, and says the same. There are no volumes to boot from, or to attach.
_DISK_FROM_IMAGE = _object(
    {
        "uuid": _UUID,
        "source_type": {"type": "string", "enum": ["image"]},
        "destination_type": {"type": "string", "enum": ["local"]},
        "boot_index": {"enum": [0, "0"]},
        "delete_on_termination": _BOOLEAN,
    },
    ("uuid", "source_type"),
)

_SERVER: Definition = {
    "name": _NAME,
    "flavorRef": _REFERENCE,
    "imageRef": {"type": "string", "maxLength": 2048},
    "metadata": _METADATA,
    "min_count": _COUNT,
    "max_count": _COUNT,
    "availability_zone": {"type": "string", "minLength": 1, "maxLength": 255},
    "networks": _NETWORKS,
    "block_device_mapping_v2": {"type": "array", "items": _DISK_FROM_IMAGE, "maxItems": 1},
    "security_groups": {"type": "array", "items": {"type": "object"}},
    "adminPass": {"type": "string", "maxLength": 255},
    "OS-DCF:diskConfig": {"type": "string", "enum": ["AUTO", "MANUAL"]},
    "os:scheduler_hints": _HINTS,
    "OS-SCH-HNT:scheduler_hints": _HINTS,
}


def _create(*brought: Definition) -> Schema:
    server = {name: value for definition in (_SERVER, *brought) for name, value in definition.items()}
    hints = dict.fromkeys(("os:scheduler_hints", "OS-SCH-HNT:scheduler_hints"), _HINTS)
    return Schema(_object({"server": _object(server, ("name", "flavorRef")), **hints}, ("server",)))


_SINCE_2_19: Definition = {"description": _DESCRIPTION}
_SINCE_2_52: Definition = {"tags": _TAGS}
_SINCE_2_74: Definition = {"host": _NAME, "hypervisor_hostname": _NAME}
CREATE = _create()
CREATE_2_19 = _create(_SINCE_2_19)
CREATE_2_52 = _create(_SINCE_2_19, _SINCE_2_52)
CREATE_2_74 = _create(_SINCE_2_19, _SINCE_2_52, _SINCE_2_74)

_CHANGEABLE: Definition = {"name": _NAME, "OS-DCF:diskConfig": {"type": "string", "enum": ["AUTO", "MANUAL"]}}
UPDATE = Schema(_object({"server": _object(_CHANGEABLE, minProperties=1)}, ("server",)))
UPDATE_2_19 = Schema(
    _object({"server": _object({**_CHANGEABLE, "description": _DESCRIPTION}, minProperties=1)}, ("server",))
)

_REBUILD: Definition = {
    "imageRef": {"type": "string", "minLength": 1, "maxLength": 2048},
    "name": _NAME,
    "metadata": _METADATA,
    "description": _DESCRIPTION,
    "adminPass": {"type": "string", "maxLength": 255},
    "preserve_ephemeral": _BOOLEAN,
    "OS-DCF:diskConfig": {"type": "string", "enum": ["AUTO", "MANUAL"]},
}
_ACTIONS: Definition = {
    "rebuild": _object(_REBUILD, ("imageRef",)),
    "resize": _object(
        {"flavorRef": _REFERENCE, "OS-DCF:diskConfig": {"type": "string", "enum": ["AUTO", "MANUAL"]}}, ("flavorRef",)
    ),
    "confirmResize": {},
    "revertResize": {},
    "forceDelete": {},
    "os-resetState": _object({"state": {"type": "string", "enum": ["active", "error"]}}, ("state",)),
}
ACTION = Schema({"type": "object", "minProperties": 1, "maxProperties": 1})
ACTIONS = {name: Schema(definition) for name, definition in _ACTIONS.items()}
"""What belongs to each action, by its name."""

METADATA = Schema(_object({"metadata": _METADATA}, ("metadata",)))
META_ITEM = Schema(_object({"meta": {**_METADATA, "minProperties": 1, "maxProperties": 1}}, ("meta",)))
TAGS = Schema(_object({"tags": _TAGS}, ("tags",)))
TAG = Schema(_TAG)
