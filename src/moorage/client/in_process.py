"""Requests that never leave the process: straight into a WSGI application, ours or upstream's."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes, urlencode

import msgspec

from moorage.client.errors import Unavailable
from moorage.client.transport import Response

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

LOG = logging.getLogger(__name__)


class WsgiTransport:
    """Calls an application; `headers` go with every request, such as the token of whoever it is sent for.

    All paths are below `root`, as over HTTP they are below the path of the endpoint.
    """

    def __init__(
        self, application: WSGIApplication, headers: Mapping[str, str] | None = None, *, root: str = ""
    ) -> None:
        self._application = application
        self._headers = dict(headers or {})
        self._root = root

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        content: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Call the application and take its answer whole."""
        body = b"" if content is None else msgspec.json.encode(content)
        sent = {**self._headers, **(headers or {}), **({"content-type": "application/json"} if body else {})}
        try:
            return _call(self._application, _environ(method, f"{self._root}{path}", urlencode(query), sent, body))
        except Exception as error:
            # Over HTTP a server would answer 500 and log this; who asked cannot do anything about it either way.
            LOG.exception("The application in this process failed at %s %s", method, path)
            raise Unavailable(f"The application in this process failed with {type(error).__name__}.") from error


def _environ(method: str, path: str, query_string: str, headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query_string,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in headers.items():
        variable = name.upper().replace("-", "_")
        environ["CONTENT_TYPE" if variable == "CONTENT_TYPE" else f"HTTP_{variable}"] = value
    return environ


def _call(application: WSGIApplication, environ: dict[str, Any]) -> Response:
    started: list[tuple[int, dict[str, str]]] = []
    chunks: list[bytes] = []

    def start_response(status: str, headers: list[tuple[str, str]], _error: Any = None, /) -> Any:
        started[:] = [(int(status.partition(" ")[0]), {name.lower(): value for name, value in headers})]
        return chunks.append

    parts = application(environ, start_response)
    try:
        # An application may call start_response as late as when its first part is asked for.
        chunks.extend(parts)
    finally:
        if hasattr(parts, "close"):
            parts.close()
    status, headers = started[0]
    return Response(status, headers, b"".join(chunks))
