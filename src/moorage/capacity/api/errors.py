"""How the API words errors: a sentence in plain text, as all services that speak LIQUID do.

What goes wrong in the cloud is told in full, with the status 500: those who ask are the cloud's own services.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from moorage.capacity.errors import CapacityError, UnusableOvercommit
from moorage.capacity.protocol.errors import InvalidAnswer, InvalidRequest
from moorage.client.errors import ClientError
from moorage.web.errors import HttpError

STATUSES: Mapping[type[Exception], HTTPStatus] = {
    InvalidRequest: HTTPStatus.BAD_REQUEST,
    UnusableOvercommit: HTTPStatus.BAD_REQUEST,
    InvalidAnswer: HTTPStatus.INTERNAL_SERVER_ERROR,
    CapacityError: HTTPStatus.INTERNAL_SERVER_ERROR,
    ClientError: HTTPStatus.INTERNAL_SERVER_ERROR,
}


def render_error(error: HttpError, _request_id: str | None) -> bytes:
    """The sentence, and a line feed."""
    return f"{error.message}\n".encode()
