"""One id and one log line for every request.

The id is in the answer's header and in every error, and in front of every line that is logged on the way, so that
what a client saw can be found in the log. A caller's own id (X-OpenStack-Request-ID) is logged beside it.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from moorage.meters import REQUEST_SECONDS, REQUESTS
from moorage.web.application import ROUTE
from moorage.web.request_ids import REQUEST_ID, ids_of, request_ids

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LOG = logging.getLogger(__name__)

IN_PROCESS = "in process"
"""The service of a request that came from another service of this process, which knows no path before the API."""

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

_HEADER = "x-openstack-request-id"


class RequestIdFilter(logging.Filter):
    """Gives every log record the ids of the request that it belongs to."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record through, with its `request_ids`."""
        record.request_ids = request_ids.get() or "-"
        return True


def logged(application: WSGIApplication) -> WSGIApplication:
    """The application, with ids and log lines."""

    def log(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        request_id = f"req-{uuid.uuid4()}"
        environ[REQUEST_ID] = request_id
        token = request_ids.set(ids_of(request_id, environ.get("HTTP_X_OPENSTACK_REQUEST_ID", "")))
        began = time.perf_counter()

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            seconds = time.perf_counter() - began
            _count(environ, status, seconds)
            if LOG.isEnabledFor(logging.INFO):
                _write_line(environ, status, headers, seconds)
            return start_response(status, [*headers, (_HEADER, request_id)], exc_info)

        try:
            return application(environ, start)
        finally:
            request_ids.reset(token)

    return log


def _count(environ: WSGIEnvironment, status: str, seconds: float) -> None:
    """Count the request by its route: paths have names and ids in them, of which there is no end."""
    service = environ.get("SCRIPT_NAME", "").strip("/") or IN_PROCESS
    method, route = environ["REQUEST_METHOD"], environ.get(ROUTE, "")
    method = method if method in _METHODS else "other"
    REQUESTS.labels(service, method, route, status[:3]).inc()
    REQUEST_SECONDS.labels(service, method, route).observe(seconds)


def _write_line(environ: WSGIEnvironment, status: str, headers: list[tuple[str, str]], seconds: float) -> None:
    query = environ.get("QUERY_STRING")
    length = next((value for name, value in headers if name.lower() == "content-length"), "-")
    LOG.info(
        '%s "%s %s%s%s" status: %s len: %s time: %.1f ms version: %s',
        environ.get("REMOTE_ADDR", "-"),
        environ["REQUEST_METHOD"],
        environ.get("SCRIPT_NAME", ""),
        environ.get("PATH_INFO", ""),
        f"?{query}" if query else "",
        status.partition(" ")[0],
        length,
        seconds * 1000,
        next((value for name, value in headers if name.lower() == "openstack-api-version"), "-"),
        extra={
            "request": {
                "method": environ["REQUEST_METHOD"],
                "path": f"{environ.get('SCRIPT_NAME', '')}{environ.get('PATH_INFO', '')}",
                "route": environ.get(ROUTE, ""),
                "status": int(status[:3]),
                "seconds": round(seconds, 6),
            }
        },
    )
