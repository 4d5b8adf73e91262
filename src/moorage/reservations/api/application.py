"""The reservation API as a WSGI application, at its own root."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from moorage.reservations.api.errors import STATUSES, render_error
from moorage.reservations.api.routes import ROUTES
from moorage.reservations.api.versions import VERSIONS
from moorage.reservations.room import Room
from moorage.web.application import Api, web_application

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

API = Api(routes=ROUTES, versions=VERSIONS, statuses=STATUSES, render_error=render_error)

_SUFFIX = ".json"


def reservation_api(room: Room, max_body_bytes: int) -> WSGIApplication:
    """The API over one cloud."""
    api = web_application(API, room, room.allows, max_body_bytes)

    def without_suffix(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Paths may say that they want JSON, which they get anyway."""
        path = environ.get("PATH_INFO", "")
        if path.endswith(_SUFFIX) and path.startswith("/v1/"):
            environ = {**environ, "PATH_INFO": path.removesuffix(_SUFFIX)}
        return api(environ, start_response)

    return without_suffix
