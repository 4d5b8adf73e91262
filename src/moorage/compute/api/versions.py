"""Which versions of the compute API there are, and the documents that tell clients so."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from moorage.compute.context import Compute
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request
from moorage.web.versions import Versions, as_text

VERSIONS = Versions("compute", (2, 1), (2, 96), "x-openstack-nova-api-version")


def root(request: Request, _compute: Compute) -> Answer:
    """GET /"""
    return json_answer({"versions": [_document(request)]})


def version(request: Request, _compute: Compute) -> Answer:
    """GET /v2.1"""
    return json_answer({"version": _document(request)}, HTTPStatus.OK)


def _document(request: Request) -> dict[str, Any]:
    return {
        "id": "v2.1",
        "status": "CURRENT",
        "version": as_text(VERSIONS.newest),
        "min_version": as_text(VERSIONS.oldest),
        "updated": "2013-07-23T11:33:21Z",
        "links": [{"rel": "self", "href": f"{request.base_url}/v2.1/"}],
        "media-types": [{"base": "application/json", "type": "application/vnd.openstack.compute+json;version=2.1"}],
    }
