"""The answers to those who are nobody, or cannot be judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec

from moorage.web.request_ids import REQUEST_ID

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


PLAIN_REFUSALS = "moorage.plain_refusals"
"""Set in the environment of a request whose API words its errors in plain text."""


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
    if environ.get(PLAIN_REFUSALS):
        return _answer(start_response, status, f"{detail}\n".encode(), "text/plain; charset=utf-8", headers)
    error: dict[str, Any] = {"status": status.value, "title": status.phrase, "detail": detail}
    if REQUEST_ID in environ:
        error["request_id"] = environ[REQUEST_ID]
    return _answer(start_response, status, msgspec.json.encode({"errors": [error]}), "application/json", headers)


def _answer(
    start_response: StartResponse, status: HTTPStatus, body: bytes, media_type: str, headers: Sequence[tuple[str, str]]
) -> Iterable[bytes]:
    content = [("content-type", media_type), ("content-length", str(len(body)))]
    start_response(f"{status.value} {status.phrase}", [*content, *headers])
    return [body]
