"""Pieces that several descriptions have in common."""

from __future__ import annotations

from collections.abc import Mapping

from moorage.placement.api.schemas.common import RESOURCE_CLASS, TEXT, UUID
from moorage.web.description import Described
from moorage.web.schema import Definition
from moorage.web.shapes import listed, or_null, record

Operations = Mapping[tuple[str, str], Described]

# How often something was changed; whoever writes names the one that they know.
GENERATION: Definition = {"type": "integer", "minimum": 0}
UUID_OR_NULL = or_null(UUID)
# A resource class or a trait: a standard one, or one's own, which begins with CUSTOM_.
NAME: Definition = {"type": "string", "pattern": RESOURCE_CLASS, "maxLength": 255}


def by_name(value: Definition) -> Definition:
    """Something for each of some resource classes."""
    return {"type": "object", "propertyNames": NAME, "additionalProperties": value}


def by_uuid(value: Definition) -> Definition:
    """Something for each of some providers or consumers."""
    return {"type": "object", "propertyNames": UUID, "additionalProperties": value}


# Where something else is found, from the root of the host on.
LINKS = listed(record({"rel": TEXT, "href": TEXT}))
RESOURCES = by_name({"type": "integer", "minimum": 1})
# Which group of a request, by its suffix, is served by which providers.
MAPPINGS: Definition = {"type": "object", "additionalProperties": {"type": "array", "items": UUID, "minItems": 1}}
