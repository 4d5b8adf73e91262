"""A request that is answered with an error, whatever the API's way to word it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus


@dataclass(eq=False)
class HttpError(Exception):
    """A status and a sentence for whoever sent the request."""

    status: HTTPStatus
    message: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


def bad_request(message: str) -> HttpError:
    """The client must change the request."""
    return HttpError(HTTPStatus.BAD_REQUEST, message)


def forbidden(message: str) -> HttpError:
    """The client may not do this."""
    return HttpError(HTTPStatus.FORBIDDEN, message)


def not_found(message: str) -> HttpError:
    """There is no such thing, or the client may not know of it."""
    return HttpError(HTTPStatus.NOT_FOUND, message)


def conflict(message: str) -> HttpError:
    """What is there stands in the way."""
    return HttpError(HTTPStatus.CONFLICT, message)
