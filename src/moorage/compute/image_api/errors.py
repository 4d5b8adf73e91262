"""How the image API words errors, and which errors of the store mean which status."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

import msgspec

from moorage.compute.store.errors import AlreadyThere, InUse, NotFound, TooLarge
from moorage.compute.store.image_listing import MarkerNotFound
from moorage.web.errors import HttpError

STATUSES: Mapping[type[Exception], HTTPStatus] = {
    NotFound: HTTPStatus.NOT_FOUND,
    AlreadyThere: HTTPStatus.CONFLICT,
    # A protected image.
    InUse: HTTPStatus.FORBIDDEN,
    TooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    MarkerNotFound: HTTPStatus.BAD_REQUEST,
}


def render_error(error: HttpError, _request_id: str | None) -> bytes:
    """{"error": {"code": 404, "title": "Not Found", "message": "…"}}"""
    content = {"code": error.status, "title": HTTPStatus(error.status).phrase, "message": error.message}
    return msgspec.json.encode({"error": content})
