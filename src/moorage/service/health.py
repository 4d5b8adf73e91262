"""`/healthcheck`: whether requests can be answered, told honestly.

`/healthcheck/live` says that this process answers at all: whoever watches it restarts it if not. `/healthcheck/ready`,
and `/healthcheck` itself, say whether it can do its work: the database answers, its schema is one that this release
works with, and the index has caught up. Load balancers ask that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from alembic.migration import MigrationContext
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from moorage.db.database import Database, DatabaseUnavailable
from moorage.db.upgrade import all_versions, newest_version
from moorage.placement.index.cloud import Cloud
from moorage.service.mounting import json_answer
from moorage.service.workers import workers_alive, workers_expected

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def healthcheck(database: Database, cloud: Callable[[], Cloud] | None) -> WSGIApplication:
    """Whether this process lives, and whether it is ready."""
    newest, known = newest_version(), frozenset(all_versions())

    def check(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "").rstrip("/")
        if path == "/live":
            return json_answer(start_response, "200 OK", {"status": "ok"})
        if path not in ("", "/ready"):
            return json_answer(start_response, "404 Not Found", {"paths": ["/live", "/ready"]})
        trouble, facts = _examine(database, cloud, newest, known)
        status = "503 Service Unavailable" if trouble else "200 OK"
        return json_answer(start_response, status, {"status": trouble or "ok", **facts})

    return check


def _examine(
    database: Database, cloud: Callable[[], Cloud] | None, newest: str, known: frozenset[str]
) -> tuple[str | None, dict[str, Any]]:
    """What keeps this process from its work, if anything does, and what was found."""
    facts: dict[str, Any] = {}
    try:
        version = database.read(_schema)
        facts["database"] = "ok"
        facts["schema"] = version
        # A newer schema is one that was upgraded while this release runs, which releases are made to bear.
        if version is None or (version in known and version != newest):
            return f"the schema of the database is not up to date, run `moorage db upgrade` ({newest})", facts
        if cloud is not None:
            began = time.perf_counter()
            cloud()
            facts["index"] = {"catch_up_seconds": round(time.perf_counter() - began, 4)}
    except (DatabaseUnavailable, SQLAlchemyError):
        return "the database cannot be reached", {"database": "away"}
    expected = workers_expected()
    if expected is not None:
        facts["workers"] = {"expected": expected, "alive": workers_alive()}
    return None, facts


def _schema(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
