"""Which versions of the image API there are."""

from __future__ import annotations

from http import HTTPStatus

from moorage.compute.context import Compute
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def root(request: Request, _compute: Compute) -> Answer:
    """GET /"""
    return json_answer(_document(request), HTTPStatus.MULTIPLE_CHOICES)


def versions(request: Request, _compute: Compute) -> Answer:
    """GET /versions"""
    return json_answer(_document(request))


def _document(request: Request) -> dict[str, list[dict[str, object]]]:
    links = [{"rel": "self", "href": f"{request.base_url}/v2/"}]
    # What there is, is what the version 2.9 of the image API has without data: visibility, members, hidden images.
    return {"versions": [{"id": "v2.9", "status": "CURRENT", "links": links}]}
