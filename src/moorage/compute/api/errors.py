"""How the compute API words errors: one key that names the kind, with the code and a sentence inside."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

import msgspec

from moorage.client.errors import ClientError
from moorage.compute.placing.refusals import Refusal
from moorage.compute.store.errors import AlreadyThere, InUse, NotFound, OverQuota
from moorage.web.errors import HttpError

KINDS: dict[int, str] = {
    HTTPStatus.BAD_REQUEST: "badRequest",
    HTTPStatus.UNAUTHORIZED: "unauthorized",
    HTTPStatus.FORBIDDEN: "forbidden",
    HTTPStatus.NOT_FOUND: "itemNotFound",
    HTTPStatus.METHOD_NOT_ALLOWED: "badMethod",
    HTTPStatus.CONFLICT: "conflictingRequest",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "overLimit",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "badMediaType",
    HTTPStatus.TOO_MANY_REQUESTS: "overLimit",
    HTTPStatus.NOT_IMPLEMENTED: "notImplemented",
    HTTPStatus.SERVICE_UNAVAILABLE: "serviceUnavailable",
}
OTHER_KIND = "computeFault"

STATUSES: Mapping[type[Exception], HTTPStatus] = {
    NotFound: HTTPStatus.NOT_FOUND,
    AlreadyThere: HTTPStatus.CONFLICT,
    InUse: HTTPStatus.BAD_REQUEST,
    OverQuota: HTTPStatus.FORBIDDEN,
    Refusal: HTTPStatus.BAD_REQUEST,
    # Placement did not do its part; the client may try again.
    ClientError: HTTPStatus.SERVICE_UNAVAILABLE,
}


def render_error(error: HttpError, _request_id: str | None) -> bytes:
    """{"itemNotFound": {"code": 404, "message": "…"}}"""
    kind = KINDS.get(error.status, OTHER_KIND)
    return msgspec.json.encode({kind: {"code": error.status, "message": error.message}})
