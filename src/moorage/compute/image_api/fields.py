"""The fields of an image: which there are, what may stand in them, how an image is made from them and shown.

Every other key of an image's JSON is one of its properties, whose values are texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from moorage.compute.model.image import Image
from moorage.web.errors import HttpError, bad_request, forbidden
from moorage.web.schema import Definition, Schema, shortened

DISK_FORMATS = ("ami", "ari", "aki", "vhd", "vhdx", "vmdk", "raw", "qcow2", "vdi", "ploop", "iso", "luks")
CONTAINER_FORMATS = ("ami", "ari", "aki", "bare", "ovf", "ova", "docker", "compressed")
VISIBILITIES = ("community", "public", "private", "shared")
LARGEST = 2**31 - 1

_TAGS: Definition = {"type": "array", "items": {"type": "string", "maxLength": 255}}

WRITABLE: dict[str, Definition] = {
    "id": {
        "type": "string",
        "description": "An identifier for the image",
        "pattern": "^([0-9a-fA-F]){8}-([0-9a-fA-F]){4}-([0-9a-fA-F]){4}-([0-9a-fA-F]){4}-([0-9a-fA-F]){12}$",
    },
    "name": {"type": ["null", "string"], "maxLength": 255, "description": "Descriptive name for the image"},
    "visibility": {"type": "string", "enum": list(VISIBILITIES), "description": "Scope of image accessibility"},
    "protected": {"type": "boolean", "description": "Whether the image is kept from being deleted"},
    "os_hidden": {"type": "boolean", "description": "Whether the image is left out of lists"},
    "owner": {"type": ["null", "string"], "maxLength": 255, "description": "The project that owns the image"},
    "min_disk": {"type": "integer", "minimum": 0, "maximum": LARGEST, "description": "Disk space needed, in GiB"},
    "min_ram": {"type": "integer", "minimum": 0, "maximum": LARGEST, "description": "Memory needed, in MiB"},
    "disk_format": {"type": ["null", "string"], "enum": [None, *DISK_FORMATS], "description": "Format of the disk"},
    "container_format": {
        "type": ["null", "string"],
        "enum": [None, *CONTAINER_FORMATS],
        "description": "Format of the container",
    },
    "tags": {**_TAGS, "description": "Words to find the image by"},
}
READ_ONLY: dict[str, Definition] = {
    "status": {"type": "string", "enum": ["queued", "active", "deactivated"], "description": "Status of the image"},
    "size": {"type": ["null", "integer"], "description": "Size of the image's data in bytes"},
    "virtual_size": {"type": ["null", "integer"], "description": "Virtual size of the image in bytes"},
    "checksum": {"type": ["null", "string"], "description": "Checksum of the image's data"},
    "os_hash_algo": {"type": ["null", "string"], "description": "Algorithm of os_hash_value"},
    "os_hash_value": {"type": ["null", "string"], "description": "Hash of the image's data"},
    "created_at": {"type": "string", "description": "When the image was registered"},
    "updated_at": {"type": "string", "description": "When the image was last changed"},
    "self": {"type": "string", "description": "The path of the image"},
    "file": {"type": "string", "description": "The path of the image's data"},
    "schema": {"type": "string", "description": "The path of the schema"},
}
# What services keep among the properties, or kept once; no client may write it.
_RESERVED = frozenset({"deleted", "deleted_at", "direct_url", "locations", "is_public", "stores"})
_RESERVED_PREFIX = "os_glance_"

_PROPERTY: Definition = {"type": "string", "maxLength": 65535}
CREATE = Schema({"type": "object", "properties": WRITABLE, "additionalProperties": _PROPERTY})
_PROPERTY_SCHEMA = Schema(_PROPERTY)
_FIELD = {name: Schema(definition) for name, definition in WRITABLE.items()}
LONGEST_NAME = 255


def is_property(name: str) -> bool:
    """Whether a key is none of an image's own fields."""
    return name not in WRITABLE and name not in READ_ONLY


def check_key(name: str) -> None:
    """Refuse a key that clients may not write."""
    if name in READ_ONLY:
        raise forbidden(f"Attribute '{name}' is read-only.")
    if name in _RESERVED or name.startswith(_RESERVED_PREFIX):
        raise forbidden(f"Attribute '{name}' is reserved.")
    if is_property(name) and not 0 < len(name) <= LONGEST_NAME:
        raise bad_request(
            f"A property's name has 1 to {LONGEST_NAME} characters; {shortened(repr(name))} has {len(name)}."
        )


def check_value(name: str, value: Any) -> None:
    """Refuse a value that a field, or a property, cannot have."""
    try:
        _FIELD.get(name, _PROPERTY_SCHEMA).check(value)
    except HttpError as error:
        raise bad_request(f"Invalid value for '{name}': {shortened(repr(value))}. {error.message}") from error


def with_fields(image: Image, given: Mapping[str, Any]) -> Image:
    """An image with other values in these fields and properties, which were checked before."""
    own = {
        "name": given.get("name", image.name),
        "visibility": given.get("visibility", image.visibility),
        "protected": given.get("protected", image.protected),
        "hidden": given.get("os_hidden", image.hidden),
        "owner": given.get("owner", image.owner),
        "min_disk_gb": given.get("min_disk", image.min_disk_gb),
        "min_ram_mb": given.get("min_ram", image.min_ram_mb),
        "disk_format": given.get("disk_format", image.disk_format),
        "container_format": given.get("container_format", image.container_format),
        "tags": frozenset(given.get("tags", image.tags)),
    }
    properties = {**image.properties, **{name: value for name, value in given.items() if is_property(name)}}
    return replace(image, properties=properties, **own)


def rendered(image: Image) -> dict[str, Any]:
    """An image as the API shows it. What belongs to data is empty: there are none."""
    path = f"/v2/images/{image.uuid}"
    return {
        **image.properties,
        "id": image.uuid,
        "name": image.name,
        "status": image.status,
        "visibility": image.visibility,
        "protected": image.protected,
        "os_hidden": image.hidden,
        "owner": image.owner,
        "min_disk": image.min_disk_gb,
        "min_ram": image.min_ram_mb,
        "disk_format": image.disk_format,
        "container_format": image.container_format,
        "size": image.size,
        "virtual_size": None,
        "checksum": None,
        "os_hash_algo": None,
        "os_hash_value": None,
        "tags": sorted(image.tags),
        "created_at": f"{image.created_at.isoformat()}Z",
        "updated_at": f"{image.updated_at.isoformat()}Z",
        "self": path,
        "file": f"{path}/file",
        "schema": "/v2/schemas/image",
    }
