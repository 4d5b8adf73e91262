"""A service that tells what it was asked, and one that takes certain tokens only."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment


def echo(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer with the request; with the status N if the path is /status/N, in many parts if it is /parts."""
    path = environ["PATH_INFO"]
    status = HTTPStatus(int(path.removeprefix("/status/")) if path.startswith("/status/") else 200)
    body = json.dumps(_described(environ)).encode()
    start_response(f"{status.value} {status.phrase}", [("Content-Type", "application/json"), ("X-Echo", "Yes")])
    if status is HTTPStatus.NO_CONTENT:
        return []
    return (body[position : position + 1] for position in range(len(body))) if path == "/parts" else [body]


def _described(environ: WSGIEnvironment) -> dict[str, Any]:
    length = environ.get("CONTENT_LENGTH")
    return {
        "method": environ["REQUEST_METHOD"],
        "path": environ["PATH_INFO"].encode("latin-1").decode(),
        "query": parse_qsl(environ["QUERY_STRING"]),
        "type": environ.get("CONTENT_TYPE", ""),
        "headers": {
            name.removeprefix("HTTP_").lower().replace("_", "-"): value
            for name, value in environ.items()
            if name.startswith("HTTP_")
        },
        "body": environ["wsgi.input"].read(int(length)).decode() if length else "",
    }


def guarded(tokens: Collection[str], application: WSGIApplication = echo) -> WSGIApplication:
    """The application for those who have one of the tokens, which may change meanwhile; 401 for others."""

    def check(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ.get("HTTP_X_AUTH_TOKEN") in tokens:
            return application(environ, start_response)
        start_response("401 Unauthorized", [("Content-Type", "text/plain")])
        return [b"Who are you?"]

    return check
