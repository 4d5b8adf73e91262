"""The answers to those who are nobody, or cannot be judged."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec

from moorage.service.request_log import REQUEST_ID

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


def unauthorized(environ: WSGIEnvironment, start_response: StartResponse, detail: str) -> Iterable[bytes]:
    """401: no credential, or none that is known."""
    challenge = ("www-authenticate", 'X-Auth-Token realm="moorage"')
    return _refusal(environ, start_response, HTTPStatus.UNAUTHORIZED, detail, challenge)


def unavailable(environ: WSGIEnvironment, start_response: StartResponse, detail: str) -> Iterable[bytes]:
    """503: nobody can be judged, for a reason that the operator has to mend."""
    return _refusal(environ, start_response, HTTPStatus.SERVICE_UNAVAILABLE, detail)


def _refusal(
    environ: WSGIEnvironment, start_response: StartResponse, status: HTTPStatus, detail: str, *headers: tuple[str, str]
) -> Iterable[bytes]:
    error: dict[str, Any] = {"status": status.value, "title": status.phrase, "detail": detail}
    if REQUEST_ID in environ:
        error["request_id"] = environ[REQUEST_ID]
    body = msgspec.json.encode({"errors": [error]})
    content = [("content-type", "application/json"), ("content-length", str(len(body)))]
    start_response(f"{status.value} {status.phrase}", [*content, *headers])
    return [body]
