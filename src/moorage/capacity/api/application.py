"""The LIQUID API as a WSGI application, at its own root."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moorage.capacity.api.errors import STATUSES, render_error
from moorage.capacity.api.routes import ROUTES
from moorage.capacity.liquid import Liquid
from moorage.web.application import Api, web_application

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

API = Api(
    routes=ROUTES, versions=None, statuses=STATUSES, render_error=render_error, error_type="text/plain; charset=utf-8"
)


def liquid_api(liquid: Liquid, max_body_bytes: int) -> WSGIApplication:
    """The API over one cloud."""
    return web_application(API, liquid, liquid.allows, max_body_bytes)
