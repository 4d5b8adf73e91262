"""What the image API answers with, as schemas."""

from __future__ import annotations

from moorage.compute.image_api.fields import READ_ONLY, WRITABLE
from moorage.compute.image_api.members import STATUSES
from moorage.web.description import reference
from moorage.web.schema import Definition
from moorage.web.shapes import STATUS, TEXT, by_name, listed, record

_UUID: Definition = {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}
_TIME: Definition = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"}
_LINK = record({"rel": TEXT, "href": TEXT})

_SHOWN: dict[str, Definition] = {
    **WRITABLE,
    **READ_ONLY,
    "id": _UUID,
    # An image always has an owner, though a client may leave it out.
    "owner": {"type": "string", "maxLength": 255},
    "created_at": _TIME,
    "updated_at": _TIME,
}

IMAGE: Definition = {
    **record(_SHOWN),
    "additionalProperties": {"type": "string", "description": "A property of the image."},
}
IMAGES = record(
    {
        "images": listed(reference("Image")),
        "first": {"type": "string", "pattern": r"^/v2/images"},
        "schema": {"const": "/v2/schemas/images"},
    },
    {"next": {"type": "string", "pattern": r"^/v2/images\?", "description": "The next page, if there may be one."}},
)

MEMBER = record(
    {
        "image_id": _UUID,
        "member_id": {"type": "string", "minLength": 1, "maxLength": 255},
        "status": {"enum": list(STATUSES)},
        "created_at": _TIME,
        "updated_at": _TIME,
        "schema": {"const": "/v2/schemas/member"},
    }
)
MEMBERS = record({"members": listed(reference("Member")), "schema": {"const": "/v2/schemas/members"}})

VERSIONS = record(
    {"versions": listed(record({"id": TEXT, "status": {"enum": ["CURRENT", "SUPPORTED"]}, "links": listed(_LINK)}))}
)

SCHEMA_DOCUMENT = record(
    {"name": {"enum": ["image", "images", "member", "members"]}, "properties": by_name({"type": "object"})},
    {"additionalProperties": {"type": "object"}, "links": listed(_LINK)},
)

ERROR = record({"error": record({"code": STATUS, "title": TEXT, "message": TEXT})})
