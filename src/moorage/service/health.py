"""`/healthcheck`: whether requests can be answered, told honestly.

`/healthcheck/live` says that this process answers at all: whoever watches it restarts it if not. `/healthcheck/ready`,
and `/healthcheck` itself, say whether it can do its work: the database answers, its schema is one that this release
works with, and the index has caught up. Load balancers ask that.

A service that does its work, but not as it should, is degraded: workers are missing, one of them lags, events of leases
are left lying. It answers 200, since nobody would be helped if the machine were taken away from those it serves; people
are told by the word and the reasons.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from alembic.migration import MigrationContext
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from moorage.db.database import Database, DatabaseUnavailable, utc_now
from moorage.db.upgrade import all_versions, newest_version
from moorage.placement.index.cloud import Cloud
from moorage.placement.store import feed
from moorage.reservations.store import due
from moorage.service.mounting import json_answer
from moorage.service.worker_meters import slowest_index
from moorage.service.workers import workers_alive, workers_expected

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

OK, DEGRADED = "ok", "degraded"

_PATIENCE = timedelta(minutes=3)


def healthcheck(
    database: Database,
    cloud: Callable[[], Cloud] | None,
    *,
    patience: timedelta = _PATIENCE,
    has_leases: bool = False,
) -> WSGIApplication:
    """Whether this process lives, and whether it is ready; what takes longer than the patience is told."""
    newest, known = newest_version(), frozenset(all_versions())
    examination = _Examination(database, cloud, patience, has_leases, newest, known)

    def check(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "").rstrip("/")
        if path == "/live":
            return json_answer(start_response, "200 OK", {"status": OK})
        if path not in ("", "/ready"):
            return json_answer(start_response, "404 Not Found", {"paths": ["/live", "/ready"]})
        found = examination.make()
        if found.trouble is not None:
            return json_answer(start_response, "503 Service Unavailable", {"status": found.trouble, **found.facts})
        if found.doubts:
            told = {"status": DEGRADED, "reasons": found.doubts, **found.facts}
            return json_answer(start_response, "200 OK", told)
        return json_answer(start_response, "200 OK", {"status": OK, **found.facts})

    return check


@dataclass(slots=True)
class _Found:
    """What keeps this process from its work, if anything does; what is not as it should be; and what was seen."""

    trouble: str | None = None
    doubts: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Examination:
    database: Database
    cloud: Callable[[], Cloud] | None
    patience: timedelta
    has_leases: bool
    newest: str
    known: frozenset[str]

    def make(self) -> _Found:
        found = _Found()
        try:
            version = self.database.read(_schema)
            found.facts |= {"database": "ok", "schema": version}
            # A newer schema is one that was upgraded while this release runs, which releases are made to bear.
            if version is None or (version in self.known and version != self.newest):
                found.trouble = (
                    f"the schema of the database is not up to date, run `moorage db upgrade` ({self.newest})"
                )
                return found
            if self.cloud is not None:
                found.facts["index"], doubts = self._index(self.cloud)
                found.doubts += doubts
            if self.has_leases:
                found.facts["lease_events"], doubts = self._lease_events(utc_now())
                found.doubts += doubts
        except (DatabaseUnavailable, SQLAlchemyError):
            return _Found("the database cannot be reached", facts={"database": "away"})
        expected, alive = workers_expected(), workers_alive()
        if expected is not None:
            found.facts["workers"] = {"expected": expected, "alive": alive}
            if alive is not None and alive < expected:
                found.doubts.append(f"{alive} of {expected} workers are alive")
        return found

    def _index(self, cloud: Callable[[], Cloud]) -> tuple[dict[str, float], list[str]]:
        """How this worker catches up, and how far the one that is farthest behind is, if that is known here."""
        began = time.perf_counter()
        cloud()
        took = time.perf_counter() - began
        facts = {"catch_up_seconds": round(took, 4)}
        doubts = [f"the index took {took:.0f} seconds to catch up"] if self._is_long(took) else []
        # By now this worker knows all; others that are idle look up to 90 seconds later.
        position = slowest_index()
        if position is not None:
            since = self.database.read(lambda connection: feed.behind_since(connection, position))
            behind = 0.0 if since is None else max(0.0, (utc_now() - since).total_seconds())
            facts["behind_seconds"] = round(behind, 1)
            if self._is_long(behind):
                doubts.append(f"the index of a worker is {behind:.0f} seconds behind the database")
        return facts, doubts

    def _lease_events(self, now: datetime) -> tuple[dict[str, float], list[str]]:
        """What nobody has taken; what was taken and cannot be finished is for others to mend."""
        untaken = self.database.read(lambda connection: due.untaken(connection, now - self.patience, now))
        seconds = round(untaken.seconds(now))
        events = "an event of a lease" if untaken.count == 1 else f"{untaken.count} events of leases"
        doubts = [f"no worker has taken {events}, due {seconds} seconds ago"] if untaken.count else []
        return {"overdue": untaken.count, "overdue_seconds": seconds}, doubts

    def _is_long(self, seconds: float) -> bool:
        return seconds >= self.patience.total_seconds()


def _schema(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
