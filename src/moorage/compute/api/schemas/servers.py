"""What bodies about servers look like."""

from __future__ import annotations

from moorage.compute.api.schemas.common import BOOLEAN, NAME, by_key, wrapped
from moorage.web.schema import Definition, Schema
from moorage.web.shapes import UUID, listed, record

_DESCRIPTION: Definition = {"type": ["string", "null"], "maxLength": 255}
_COUNT: Definition = {"type": ["integer", "string"], "minimum": 1, "pattern": "^[1-9][0-9]{0,8}$"}
_METADATA = by_key({"type": "string", "maxLength": 255})
_TAG: Definition = {"type": "string", "minLength": 1, "maxLength": 60, "pattern": "^[^,/]*$"}
_TAGS: Definition = {**listed(_TAG), "maxItems": 50}
_REFERENCE: Definition = {"type": ["string", "integer"], "minLength": 1, "maxLength": 2048, "minimum": 0}
_UUIDS: Definition = {"oneOf": [UUID, {**listed(UUID), "uniqueItems": True}]}
_DISK_CONFIG: Definition = {"type": "string", "enum": ["AUTO", "MANUAL"]}

_HINTS = record({}, {"group": UUID, "same_host": _UUIDS, "different_host": _UUIDS})
# Under either name, beside the server or inside it.
_BOTH_HINTS = dict.fromkeys(("os:scheduler_hints", "OS-SCH-HNT:scheduler_hints"), _HINTS)
_NETWORKS: Definition = {
    "oneOf": [
        listed({"type": "object"}),
        {"type": "string", "enum": ["auto", "none"]},
    ]
}
# What the command line sends beside `imageRef`, and says the same. There are no volumes to boot from, or to attach.
_DISK_FROM_IMAGE = record(
    {"uuid": UUID, "source_type": {"type": "string", "enum": ["image"]}},
    {
        "destination_type": {"type": "string", "enum": ["local"]},
        "boot_index": {"enum": [0, "0"]},
        "delete_on_termination": BOOLEAN,
    },
)

_NEEDED: dict[str, Definition] = {"name": NAME, "flavorRef": _REFERENCE}
_SERVER: dict[str, Definition] = {
    "imageRef": {"type": "string", "maxLength": 2048},
    "metadata": _METADATA,
    "min_count": _COUNT,
    "max_count": _COUNT,
    "availability_zone": {"type": "string", "minLength": 1, "maxLength": 255},
    "networks": _NETWORKS,
    "block_device_mapping_v2": {**listed(_DISK_FROM_IMAGE), "maxItems": 1},
    "security_groups": listed({"type": "object"}),
    "adminPass": {"type": "string", "maxLength": 255},
    "OS-DCF:diskConfig": _DISK_CONFIG,
    **_BOTH_HINTS,
}


def _create(brought: dict[str, Definition]) -> Schema:
    return Schema(record({"server": record(_NEEDED, {**_SERVER, **brought})}, _BOTH_HINTS))


_SINCE_2_19: dict[str, Definition] = {"description": _DESCRIPTION}
_SINCE_2_52: dict[str, Definition] = {**_SINCE_2_19, "tags": _TAGS}
_SINCE_2_74: dict[str, Definition] = {**_SINCE_2_52, "host": NAME, "hypervisor_hostname": NAME}
CREATE = _create({})
CREATE_2_19 = _create(_SINCE_2_19)
CREATE_2_52 = _create(_SINCE_2_52)
CREATE_2_74 = _create(_SINCE_2_74)

_CHANGEABLE: dict[str, Definition] = {"name": NAME, "OS-DCF:diskConfig": _DISK_CONFIG}
UPDATE = wrapped("server", {**record({}, _CHANGEABLE), "minProperties": 1})
UPDATE_2_19 = wrapped("server", {**record({}, {**_CHANGEABLE, "description": _DESCRIPTION}), "minProperties": 1})

_REBUILD: dict[str, Definition] = {
    "name": NAME,
    "metadata": _METADATA,
    "description": _DESCRIPTION,
    "adminPass": {"type": "string", "maxLength": 255},
    "preserve_ephemeral": BOOLEAN,
    "OS-DCF:diskConfig": _DISK_CONFIG,
}
_ACTIONS: Definition = {
    "rebuild": record({"imageRef": {"type": "string", "minLength": 1, "maxLength": 2048}}, _REBUILD),
    "resize": record({"flavorRef": _REFERENCE}, {"OS-DCF:diskConfig": _DISK_CONFIG}),
    "confirmResize": {},
    "revertResize": {},
    "forceDelete": {},
    "os-resetState": record({"state": {"type": "string", "enum": ["active", "error"]}}),
}
ACTION = Schema({"type": "object", "minProperties": 1, "maxProperties": 1})
ACTIONS = {name: Schema(definition) for name, definition in _ACTIONS.items()}
"""What belongs to each action, by its name."""

METADATA = wrapped("metadata", _METADATA)
META_ITEM = wrapped("meta", {**_METADATA, "minProperties": 1, "maxProperties": 1})
TAGS = wrapped("tags", _TAGS)
TAG = Schema(_TAG)
