"""How the reservation API words errors: the status twice, under names that its clients know, and a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

import msgspec

from moorage.client.errors import ClientError
from moorage.reservations.model.refusals import CannotChange, Invalid, NotEnough, OutsideLease, OverLimit
from moorage.reservations.store.errors import AlreadyThere, InUse, NotFound
from moorage.web.errors import HttpError

STATUSES: Mapping[type[Exception], HTTPStatus] = {
    Invalid: HTTPStatus.BAD_REQUEST,
    OutsideLease: HTTPStatus.FORBIDDEN,
    OverLimit: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    AlreadyThere: HTTPStatus.CONFLICT,
    InUse: HTTPStatus.CONFLICT,
    NotEnough: HTTPStatus.CONFLICT,
    CannotChange: HTTPStatus.CONFLICT,
    # Placement or compute did not do its part; the client may try again.
    ClientError: HTTPStatus.SERVICE_UNAVAILABLE,
}

# What Blazar's framework answers by itself has one key less, with another name.
_BY_FRAMEWORK = frozenset({HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.NOT_ACCEPTABLE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE})


def render_error(error: HttpError, _request_id: str | None) -> bytes:
    """{"error_code": 404, "error_message": "…", "error_name": 404}"""
    status = int(error.status)
    if error.status in _BY_FRAMEWORK:
        return msgspec.json.encode({"error": status, "error_message": error.message})
    return msgspec.json.encode({"error_code": status, "error_message": error.message, "error_name": status})
