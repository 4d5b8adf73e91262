"""The console's own API as a WSGI application, at its own root."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING

import msgspec

from moorage.capacity.errors import CapacityError
from moorage.capacity.fit import UnknownFlavor
from moorage.capacity.what_if import UnknownHypervisor
from moorage.client.errors import ClientError
from moorage.console.api.routes import ROUTES
from moorage.console.context import Console
from moorage.web.application import Api, web_application
from moorage.web.errors import HttpError

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


def render_error(error: HttpError, request_id: str | None) -> bytes:
    """A sentence for whoever looks at the page, and the id to find the request in the log by."""
    return msgspec.json.encode({"message": error.message, "request_id": request_id})


# What the packing refuses to tell is for the operator to mend, and is told in full.
STATUSES: Mapping[type[Exception], HTTPStatus] = {
    UnknownFlavor: HTTPStatus.BAD_REQUEST,
    UnknownHypervisor: HTTPStatus.BAD_REQUEST,
    CapacityError: HTTPStatus.CONFLICT,
    ClientError: HTTPStatus.SERVICE_UNAVAILABLE,
}

API = Api(routes=ROUTES, versions=None, statuses=STATUSES, render_error=render_error)


def console_api(console: Console, max_body_bytes: int) -> WSGIApplication:
    """The API over one deployment."""
    return web_application(API, console, console.allows, max_body_bytes)
