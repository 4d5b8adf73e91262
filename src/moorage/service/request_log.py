"""One id and one log line for every request.

The id is in the answer's header and in every error, and in front of every line that is logged on the way, so that
what a client saw can be found in the log. A caller's own id (X-OpenStack-Request-ID) is logged beside it.
"""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Iterable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LOG = logging.getLogger(__name__)

# Where the id is left for whoever comes after.
REQUEST_ID = "moorage.request_id"
_HEADER = "x-openstack-request-id"
_GLOBAL_ID = re.compile("req-[0-9a-fA-F-]{36}")

request_ids: ContextVar[str] = ContextVar("request_ids", default="-")


class RequestIdFilter(logging.Filter):
    """Gives every log record the ids of the request that it belongs to."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record through, with its `request_ids`."""
        record.request_ids = request_ids.get()
        return True


def logged(application: WSGIApplication) -> WSGIApplication:
    """The application, with ids and log lines."""

    def log(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        request_id = f"req-{uuid.uuid4()}"
        environ[REQUEST_ID] = request_id
        callers_id = environ.get("HTTP_X_OPENSTACK_REQUEST_ID", "")
        token = request_ids.set(f"{callers_id} {request_id}" if _GLOBAL_ID.fullmatch(callers_id) else request_id)
        began = time.perf_counter()

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            if LOG.isEnabledFor(logging.INFO):
                _write_line(environ, status, headers, time.perf_counter() - began)
            return start_response(status, [*headers, (_HEADER, request_id)], exc_info)

        try:
            return application(environ, start)
        finally:
            request_ids.reset(token)

    return log


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
    )
