"""The versions of the API: there is one."""

from __future__ import annotations

from http import HTTPStatus

from moorage.identity.api.rendering import Rendered
from moorage.identity.room import Room
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def index(request: Request, _room: Room) -> Answer:
    """GET /"""
    return json_answer({"versions": {"values": [_version(request)]}}, HTTPStatus.MULTIPLE_CHOICES)


def show(request: Request, _room: Room) -> Answer:
    """GET /v3"""
    return json_answer({"version": _version(request)})


def _version(request: Request) -> Rendered:
    return {
        "id": "v3.14",
        "status": "stable",
        "updated": "2020-04-07T00:00:00Z",
        "links": [{"rel": "self", "href": f"{request.base_url}/v3/"}],
        "media-types": [{"base": "application/json", "type": "application/vnd.openstack.identity-v3+json"}],
    }
