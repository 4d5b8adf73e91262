"""Which versions of the reservation API there are, and the document that tells clients so."""

from __future__ import annotations

from http import HTTPStatus

from moorage.reservations.room import Room
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request
from moorage.web.versions import Versions, as_text

VERSIONS = Versions("reservation", (1, 0), (1, 0))


def root(request: Request, _room: Room) -> Answer:
    """GET /: the answer is 300, since it is a choice"""
    document = {
        "id": "v1.0",
        "status": "CURRENT",
        "min_version": as_text(VERSIONS.oldest),
        "max_version": as_text(VERSIONS.newest),
        "links": [{"rel": "self", "href": f"{request.base_url}/v1"}],
    }
    return json_answer({"versions": [document]}, HTTPStatus.MULTIPLE_CHOICES)
