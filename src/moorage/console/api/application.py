"""The console's own API as a WSGI application, at its own root."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from moorage.console.api.routes import ROUTES
from moorage.console.context import Console
from moorage.web.application import Api, web_application
from moorage.web.errors import HttpError

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


def render_error(error: HttpError, request_id: str | None) -> bytes:
    """A sentence for whoever looks at the page, and the id to find the request in the log by."""
    return msgspec.json.encode({"message": error.message, "request_id": request_id})


API = Api(routes=ROUTES, versions=None, statuses={}, render_error=render_error)


def console_api(console: Console, max_body_bytes: int) -> WSGIApplication:
    """The API over one deployment."""
    return web_application(API, console, console.allows, max_body_bytes)
