"""The schemas that the image API describes itself with, for clients that read them."""

from __future__ import annotations

from typing import Any

from moorage.compute.context import Compute
from moorage.compute.image_api.fields import READ_ONLY, WRITABLE
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request

_IMAGE: dict[str, Any] = {
    "name": "image",
    "properties": {
        **WRITABLE,
        **{name: {**definition, "readOnly": True} for name, definition in READ_ONLY.items()},
    },
    "additionalProperties": {"type": "string"},
    "links": [
        {"rel": "self", "href": "{self}"},
        {"rel": "enclosure", "href": "{file}"},
        {"rel": "describedby", "href": "{schema}"},
    ],
}
_MEMBER: dict[str, Any] = {
    "name": "member",
    "properties": {
        "member_id": {"type": "string", "description": "The project that the image is shared with"},
        "image_id": {"type": "string", "description": "The image that is shared"},
        "status": {"type": "string", "enum": ["pending", "accepted", "rejected"], "description": "What it says to it"},
        "created_at": {"type": "string", "description": "When the image was shared"},
        "updated_at": {"type": "string", "description": "When the project last answered"},
        "schema": {"type": "string", "readOnly": True},
    },
}


def image(_request: Request, _compute: Compute) -> Answer:
    """GET /v2/schemas/image"""
    return json_answer(_IMAGE)


def images(_request: Request, _compute: Compute) -> Answer:
    """GET /v2/schemas/images"""
    return json_answer(_collection("images", _IMAGE))


def member(_request: Request, _compute: Compute) -> Answer:
    """GET /v2/schemas/member"""
    return json_answer(_MEMBER)


def members(_request: Request, _compute: Compute) -> Answer:
    """GET /v2/schemas/members"""
    return json_answer(_collection("members", _MEMBER))


def _collection(name: str, item: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "properties": {
            name: {"type": "array", "items": item},
            "schema": {"type": "string"},
            "first": {"type": "string"},
            "next": {"type": "string"},
        },
        "links": [
            {"rel": "first", "href": "{first}"},
            {"rel": "next", "href": "{next}"},
            {"rel": "describedby", "href": "{schema}"},
        ],
    }
