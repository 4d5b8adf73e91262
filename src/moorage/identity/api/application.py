"""The Identity API as a WSGI application."""

from __future__ import annotations

import falcon

from moorage.identity.api.errors import STATUSES, render_error
from moorage.identity.api.routes import ROUTES
from moorage.identity.room import Room
from moorage.web.application import Api, web_application

# Nothing that is sent here is large; Keystone's own bound.
MOST_BODY_BYTES = 114_688


def identity_api(room: Room, max_body_bytes: int) -> falcon.App[falcon.Request, falcon.Response]:
    """The API over one room."""
    api = Api(routes=ROUTES, versions=None, statuses=STATUSES, render_error=render_error)
    return web_application(api, room, room.allows, min(max_body_bytes, MOST_BODY_BYTES))
