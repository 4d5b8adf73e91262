"""A cloud over a database: the real applications, with the settings of a fresh installation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from moorage.db.database import Database
from moorage.service.application import placement_application
from moorage.service.compute_service import compute_applications
from moorage.service.mounting import mounted
from moorage.service.settings import load_settings
from tests.compute.api.people import Cloud

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class Interruptible:
    """A Placement service that can be made to fail, as one across a network does."""

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application
        # Requests that are answered with 503 instead, by method and how the path ends.
        self.failing: set[tuple[str, str]] = set()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        if any(method == failing and path.endswith(end) for failing, end in self.failing):
            start_response("503 Service Unavailable", [("content-length", "0")])
            return []
        return self._application(environ, start_response)


def open_cloud(database: Database, **settings: Any) -> Cloud:
    """All APIs over one database; settings are written with two underscores: quota__cores=4."""
    overrides = {name.replace("__", "."): value for name, value in settings.items()}
    loaded = load_settings({"api.auth_strategy": "noauth2", **overrides}, config_files=[])
    placement = Interruptible(placement_application(loaded, database))
    return Cloud(mounted(compute_applications(loaded, database, lambda: placement)), placement)
