"""Changes of an image, as the media type application/openstack-images-v2.1-json-patch words them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from moorage.compute.image_api.fields import WRITABLE, check_key, check_value, is_property, with_fields
from moorage.compute.model.image import Image
from moorage.web.errors import conflict, forbidden
from moorage.web.schema import Schema

# Enough to take every property away and give as many others; each change makes an image anew.
_MOST_CHANGES = 300

PATCH = Schema(
    {
        "type": "array",
        "maxItems": _MOST_CHANGES,
        "items": {
            "type": "object",
            "properties": {
                "op": {"type": "string", "enum": ["add", "replace", "remove"]},
                # One step: the name of a field or a property.
                "path": {"type": "string", "pattern": "^/[^/]+$", "maxLength": 512},
                "value": {},
            },
            "required": ["op", "path"],
            "additionalProperties": False,
            "if": {"properties": {"op": {"enum": ["add", "replace"]}}},
            "then": {"required": ["value"]},
        },
    }
)


def patched(image: Image, changes: Sequence[dict[str, Any]]) -> Image:
    """An image after changes, one after the other."""
    for change in changes:
        image = _after(image, change["op"], _key(change["path"]), change.get("value"))
    return image


def _key(path: str) -> str:
    """A path of one step; a slash within is written ~1, and a tilde ~0."""
    return path[1:].replace("~1", "/").replace("~0", "~")


def _after(image: Image, operation: str, key: str, value: Any) -> Image:
    check_key(key)
    if key == "id":
        raise forbidden("Attribute 'id' is read-only.")
    if operation == "remove":
        if not is_property(key):
            raise forbidden(f"Property '{key}' may not be removed.")
        _check_presence(image, key)
        return replace(image, properties={name: text for name, text in image.properties.items() if name != key})
    if operation == "replace" and is_property(key):
        _check_presence(image, key)
    check_value(key, value)
    if key == "owner" and value is None:
        raise forbidden("An image without an owner belongs to nobody.")
    return with_fields(image, {key: value})


def _check_presence(image: Image, key: str) -> None:
    if key not in image.properties and key not in WRITABLE:
        raise conflict(f"Property {key} does not exist.")
