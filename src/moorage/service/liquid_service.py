"""The LIQUID service: its API over the cloud's services, of this process or elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from oslo_config import cfg

from moorage.capacity.api import policies
from moorage.capacity.api.application import liquid_api
from moorage.capacity.api.routes import ROUTES
from moorage.capacity.liquid import open_liquid
from moorage.capacity.reading.services import Services
from moorage.db.database import Database
from moorage.service.authentication import authenticated
from moorage.service.authentication.refusals import PLAIN_REFUSALS
from moorage.service.layers import layered
from moorage.service.liquid_configuration import liquid_configuration
from moorage.service.policy import Guard

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def liquid_application(settings: cfg.ConfigOpts, database: Database, services: Services) -> WSGIApplication:
    """The API at its own root."""
    guard = Guard(settings, policies.rules(ROUTES))
    liquid = open_liquid(
        database,
        services,
        liquid_configuration(settings),
        guard.allows,
        most_at_once=settings.liquid.max_parallel_requests,
        has_open_metrics=settings.liquid.open_metrics,
    )
    api = liquid_api(liquid, settings.api.max_request_body_bytes)
    open_paths = ["/metrics"] if settings.liquid.open_metrics else []
    return layered(_with_plain_refusals(authenticated(api, settings, database, open_paths)), settings)


def _with_plain_refusals(application: WSGIApplication) -> WSGIApplication:
    """Whoever is not let in is told so in plain text, like every other error here."""

    def marked(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[PLAIN_REFUSALS] = True
        return application(environ, start_response)

    return marked
