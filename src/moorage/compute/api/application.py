"""The compute API as a WSGI application, at its own root."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moorage.compute.api.errors import STATUSES, render_error
from moorage.compute.api.routes import ROUTES
from moorage.compute.api.versions import VERSIONS
from moorage.compute.context import Compute
from moorage.web.application import Api, web_application

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

API = Api(routes=ROUTES, versions=VERSIONS, statuses=STATUSES, render_error=render_error)


def compute_api(compute: Compute, max_body_bytes: int) -> WSGIApplication:
    """The API over one cloud."""
    return web_application(API, compute, compute.allows, max_body_bytes)
