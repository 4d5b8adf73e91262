"""The WSGI applications: rooms behind their layers, alone or all together.

From the outside in: proxy headers (if configured), the request's id and log line, CORS (if configured),
authentication, the room's API. CORS stands before authentication because browsers ask without a token; the log
stands before both so that refusals are logged, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec
from oslo_config import cfg
from oslo_middleware import cors, http_proxy_to_wsgi
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from moorage.db.database import Database, DatabaseUnavailable
from moorage.placement.api import policies
from moorage.placement.api.application import placement_api
from moorage.placement.api.routes import guarded_operations
from moorage.placement.index.search import Order
from moorage.placement.keeper import Keeper
from moorage.placement.ledger import Ledger, Options
from moorage.placement.store.names import synchronise_standard_names
from moorage.service.authentication import authenticated
from moorage.service.housekeeping import start_housekeeping
from moorage.service.policy import Guard
from moorage.service.request_log import logged

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def placement_application(
    settings: cfg.ConfigOpts, database: Database | None = None, *, housekeeping: bool = False
) -> WSGIApplication:
    """The Placement API at its own root; with `housekeeping` it also does what a long-lived process should."""
    database = database or open_database(settings)
    synchronise_standard_names(database)
    ledger = _ledger(settings, database)
    if housekeeping:
        start_housekeeping(database, ledger.keeper)
    guard = Guard(settings, policies.rules(guarded_operations()))
    api = placement_api(ledger, guard, settings.api.max_request_body_bytes)
    application: WSGIApplication = authenticated(api, settings)
    if settings.cors.allowed_origin:
        application = cors.CORS(application, settings)
    application = logged(application)
    if settings.oslo_middleware.enable_proxy_headers_parsing:
        application = http_proxy_to_wsgi.HTTPProxyToWSGI(application, settings)
    return application


def all_application(settings: cfg.ConfigOpts, *, housekeeping: bool = False) -> WSGIApplication:
    """Every service under its own path, and /healthcheck."""
    database = open_database(settings)
    makers = {"placement": placement_application}
    mounted = {"/healthcheck": _healthcheck(database)}
    for name in settings.api.services:
        mounted[f"/{name}"] = makers[name](settings, database, housekeeping=housekeeping)
    return _mounted(mounted)


def open_database(settings: cfg.ConfigOpts) -> Database:
    """The database that the settings name."""
    return Database(
        settings.database.connection,
        pool_size=settings.database.max_pool_size,
        attempts=settings.database.max_retries + 1,
    )


def _ledger(settings: cfg.ConfigOpts, database: Database) -> Ledger:
    placement = settings.placement
    most = placement.max_allocation_candidates
    order = Order(
        randomize=placement.randomize_allocation_candidates,
        most=most if most >= 0 else None,
        breadth_first=placement.allocation_candidates_generation_strategy == "breadth-first",
    )
    options = Options(placement.incomplete_consumer_project_id, placement.incomplete_consumer_user_id, order)
    keeper = Keeper(database)
    keeper.current()  # the first request need not wait for it
    return Ledger(database, keeper, options)


def _mounted(applications: Mapping[str, WSGIApplication]) -> WSGIApplication:
    def dispatch(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        first, slash, rest = path.lstrip("/").partition("/")
        application = applications.get(f"/{first}")
        if application is not None:
            environ["SCRIPT_NAME"] = f"{environ.get('SCRIPT_NAME', '')}/{first}"
            environ["PATH_INFO"] = f"{slash}{rest}"
            return application(environ, start_response)
        found = path in ("", "/")
        return _json(start_response, "200 OK" if found else "404 Not Found", {"paths": sorted(applications)})

    return dispatch


def _healthcheck(database: Database) -> WSGIApplication:
    def check(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            database.read(lambda connection: connection.execute(text("SELECT 1")))
        except (DatabaseUnavailable, SQLAlchemyError):
            return _json(start_response, "503 Service Unavailable", {"status": "the database cannot be reached"})
        return _json(start_response, "200 OK", {"status": "ok"})

    return check


def _json(start_response: StartResponse, status: str, content: object) -> Iterable[bytes]:
    body = msgspec.json.encode(content)
    start_response(status, [("content-type", "application/json"), ("content-length", str(len(body)))])
    return [body]
