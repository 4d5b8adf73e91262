"""Which status each error of the room is, and how this API words errors."""

from __future__ import annotations

from http import HTTPStatus

import msgspec

from moorage.identity import errors
from moorage.web.errors import HttpError

STATUSES: dict[type[Exception], HTTPStatus] = {
    errors.NotFound: HTTPStatus.NOT_FOUND,
    errors.Conflict: HTTPStatus.CONFLICT,
    errors.NotAuthenticated: HTTPStatus.UNAUTHORIZED,
    errors.NotAllowed: HTTPStatus.FORBIDDEN,
    errors.Invalid: HTTPStatus.BAD_REQUEST,
}


def render_error(error: HttpError, _request_id: str | None) -> bytes:
    """An error as Keystone's clients expect it."""
    status = error.status
    return msgspec.json.encode({"error": {"code": status.value, "message": error.message, "title": status.phrase}})
