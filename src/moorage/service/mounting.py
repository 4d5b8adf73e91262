"""Several WSGI applications as one, each under its own first part of the path; and the answers at the root."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def mounted(applications: Mapping[str, WSGIApplication]) -> WSGIApplication:
    """The applications under their paths, such as "/placement"; the root lists them."""

    def dispatch(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        first, slash, rest = path.lstrip("/").partition("/")
        application = applications.get(f"/{first}")
        if application is not None:
            environ["SCRIPT_NAME"] = f"{environ.get('SCRIPT_NAME', '')}/{first}"
            environ["PATH_INFO"] = f"{slash}{rest}"
            return application(environ, start_response)
        found = path in ("", "/")
        return json_answer(start_response, "200 OK" if found else "404 Not Found", {"paths": sorted(applications)})

    return dispatch


def json_answer(start_response: StartResponse, status: str, content: object) -> Iterable[bytes]:
    """Answer with JSON."""
    body = msgspec.json.encode(content)
    start_response(status, [("content-type", "application/json"), ("content-length", str(len(body)))])
    return [body]
