"""The console: its files, which everybody may have, and its API behind authentication."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from oslo_config import cfg
from oslo_policy import policy

from moorage.compute.api import policies as compute_policies
from moorage.compute.api.routes import guarded_operations as compute_operations
from moorage.console.api import policies, routes
from moorage.console.api.application import console_api
from moorage.console.context import Console
from moorage.console.files import file_application, read_files
from moorage.db.database import Database
from moorage.placement.api import policies as placement_policies
from moorage.placement.api.routes import guarded_operations as placement_operations
from moorage.reservations.api import policies as reservation_policies
from moorage.reservations.api.routes import guarded_operations as reservation_operations
from moorage.service.authentication import authenticated
from moorage.service.identity_service import serves_identity
from moorage.service.layers import layered
from moorage.service.policy import Guard
from moorage.web.application import MOST_BYTES

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# The rules of the services whose pages the console has.
_RULES: Mapping[str, Callable[[], list[policy.RuleDefault]]] = {
    "placement": lambda: placement_policies.rules(placement_operations()),
    "compute": lambda: compute_policies.rules(compute_operations()),
    "reservation": lambda: reservation_policies.rules(reservation_operations()),
}


def console_application(settings: cfg.ConfigOpts, database: Database) -> WSGIApplication:
    """The files at the root and the API under /api."""
    services = tuple(settings.api.services)
    console = Console(
        services=services,
        authentication=settings.api.auth_strategy,
        takes_passwords=serves_identity(settings),
        policies={name: Guard(settings, rules()).allows for name, rules in _RULES.items() if name in services},
        allows=Guard(settings, policies.rules(routes.guarded_operations())).allows,
    )
    api = layered(authenticated(console_api(console, MOST_BYTES), settings, database), settings)
    files = file_application(read_files())

    def dispatch(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path != "/api" and not path.startswith("/api/"):
            return files(environ, start_response)
        environ["SCRIPT_NAME"] = f"{environ.get('SCRIPT_NAME', '')}/api"
        environ["PATH_INFO"] = path.removeprefix("/api")
        return api(environ, start_response)

    return dispatch
