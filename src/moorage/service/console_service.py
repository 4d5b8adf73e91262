"""The console: its files, which everybody may have, and its API behind authentication."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from oslo_config import cfg
from oslo_policy import policy

from moorage.capacity.reading.services import Services
from moorage.compute.api import policies as compute_policies
from moorage.compute.api import routes as compute_routes
from moorage.compute.audit import audit as audit_servers
from moorage.compute.context import Compute
from moorage.console.api import policies, routes
from moorage.console.api.application import console_api
from moorage.console.context import Console
from moorage.console.files import read_files
from moorage.console.finding import Audit, Finding
from moorage.console.outlook import Outlook
from moorage.db.database import Database
from moorage.placement.api import policies as placement_policies
from moorage.placement.api import routes as placement_routes
from moorage.reservations.api import policies as reservation_policies
from moorage.reservations.api import routes as reservation_routes
from moorage.reservations.events.worker_context import WorkerContext
from moorage.reservations.reconciling.audit import audit as audit_leases
from moorage.service.authentication import authenticated
from moorage.service.identity_service import serves_identity
from moorage.service.layers import layered
from moorage.service.liquid_configuration import liquid_configuration
from moorage.service.policy import Guard
from moorage.web.application import MOST_BYTES
from moorage.web.files import file_application

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# The rules of the services whose pages the console has.
_RULES: Mapping[str, Callable[[], list[policy.RuleDefault]]] = {
    "placement": lambda: placement_policies.rules(placement_routes.ROUTES),
    "compute": lambda: compute_policies.rules(compute_routes.ROUTES),
    "reservation": lambda: reservation_policies.rules(reservation_routes.ROUTES),
}


def console_application(
    settings: cfg.ConfigOpts, database: Database, cloud: Services | None, audits: Mapping[str, Audit]
) -> WSGIApplication:
    """The files at the root and the API under /api; `cloud` is what they ask about, if there is a compute service."""
    services = tuple(settings.api.services)
    console = Console(
        services=services,
        authentication=settings.api.auth_strategy,
        takes_passwords=serves_identity(settings),
        policies={name: Guard(settings, rules()).allows for name, rules in _RULES.items() if name in services},
        allows=Guard(settings, policies.rules(routes.ROUTES)).allows,
        cloud=cloud,
        outlook=None if cloud is None else Outlook(cloud, liquid_configuration(settings)),
        audits=audits,
    )
    api = layered(authenticated(console_api(console, MOST_BYTES), settings, database), settings)
    files = file_application(read_files().get)

    def dispatch(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path != "/api" and not path.startswith("/api/"):
            return files(environ, start_response)
        environ["SCRIPT_NAME"] = f"{environ.get('SCRIPT_NAME', '')}/api"
        environ["PATH_INFO"] = path.removeprefix("/api")
        return api(environ, start_response)

    return dispatch


# What was touched within this time may be under way.
_SETTLED = timedelta(minutes=5)


def server_audit(compute: Compute) -> Audit:
    """Compares servers with what Placement holds."""
    return lambda: [
        Finding(each.kind.value, each.uuid, each.text) for each in audit_servers(compute, fix=False, age=_SETTLED)
    ]


def lease_audit(context: WorkerContext) -> Audit:
    """Compares leases with what there is of them in Placement and compute."""
    return lambda: [Finding(each.kind, each.subject, each.text) for each in audit_leases(context)]
