"""The image API as a WSGI application, at its own root."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moorage.compute.context import Compute
from moorage.compute.image_api.data import with_readable_bodies
from moorage.compute.image_api.errors import STATUSES, render_error
from moorage.compute.image_api.routes import ROUTES
from moorage.web.application import Api, web_application

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

API = Api(routes=ROUTES, versions=None, statuses=STATUSES, render_error=render_error)


def image_api(compute: Compute, max_body_bytes: int) -> WSGIApplication:
    """The API over one cloud."""
    return with_readable_bodies(web_application(API, compute, compute.allows, max_body_bytes))
