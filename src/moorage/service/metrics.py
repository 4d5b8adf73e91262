"""`/metrics`, for Prometheus: what the workers have counted, and how the cloud is now.

Counters come from all workers (see `moorage.meters`), the rest is read when it is asked for: capacity and usage are
sums over the columns of the index, so a hundred thousand providers take milliseconds.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from oslo_config import cfg
from oslo_policy import policy
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from sqlalchemy import Connection

from moorage import __version__
from moorage.compute.store import aggregates as host_aggregates
from moorage.db.database import Database, DatabaseUnavailable
from moorage.meters import REGISTRY
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.totals import totals
from moorage.placement.store import agents, feed
from moorage.reservations.store.leases import count_by_status
from moorage.service.authentication import authenticated
from moorage.service.mounting import json_answer
from moorage.service.policy import Guard
from moorage.service.workers import workers_alive
from moorage.web.caller import CALLER

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

RULE = "moorage:metrics:show"
RULES = (policy.RuleDefault(RULE, "role:admin or role:service or role:reader", "GET /metrics"),)
SHARED = "PROMETHEUS_MULTIPROC_DIR"


def metrics_application(
    settings: cfg.ConfigOpts, database: Database, cloud: Callable[[], Cloud] | None
) -> WSGIApplication:
    """The metrics, for those whom the policy lets see them; for everybody with `[api] open_metrics`."""
    guard = Guard(settings, RULES)
    services = frozenset(settings.api.services)

    def show(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not settings.api.open_metrics and not guard.allows(environ[CALLER], RULE, None):
            return json_answer(start_response, "403 Forbidden", {"message": f"Policy doesn't allow {RULE}."})
        body = generate_latest(_registry(_CloudNow(database, cloud, services)))
        headers = [("content-type", CONTENT_TYPE_LATEST), ("content-length", str(len(body)))]
        start_response("200 OK", headers)
        return [body]

    if settings.api.open_metrics:
        return show
    guarded = authenticated(show, settings, database)

    def never_open(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        # Roots of applications are open to everybody, which this one must not be.
        environ["SCRIPT_NAME"], environ["PATH_INFO"] = "", "/metrics"
        return guarded(environ, start_response)

    return never_open


def _registry(now: Collector) -> CollectorRegistry:
    registry = CollectorRegistry()
    directory = os.environ.get(SHARED)
    if directory:
        _forget_the_dead(Path(directory))
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # its module has no types
    else:
        registry.register(_Own())
    registry.register(now)
    return registry


class _Own(Collector):
    """What this process alone has counted."""

    def collect(self) -> Iterator[Metric]:
        """Every meter."""
        yield from REGISTRY.collect()


def _forget_the_dead(directory: Path) -> None:
    """What a worker was at counts no longer when it has ended; what it has counted does."""
    for file in directory.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdecimal() and not Path("/proc", pid).exists():
            mark_process_dead(int(pid))  # type: ignore[no-untyped-call]  # as above


class _CloudNow(Collector):
    """How the cloud is at this moment."""

    def __init__(self, database: Database, cloud: Callable[[], Cloud] | None, services: frozenset[str]) -> None:
        self._database = database
        self._cloud = cloud
        self._services = services

    def collect(self) -> Iterator[Metric]:
        """Every family that there is something to say about; the database's absence is one of them."""
        about = GaugeMetricFamily("moorage_info", "The version that answers.", labels=["version"])
        about.add_metric([__version__], 1)
        yield about
        alive = workers_alive()
        if alive is not None:
            yield GaugeMetricFamily("moorage_workers", "Worker processes that are alive.", value=alive)
        try:
            yield from self._from_database()
            is_up = 1
        except DatabaseUnavailable:
            is_up = 0
        yield GaugeMetricFamily("moorage_database_up", "Whether the database could be asked.", value=is_up)

    def _from_database(self) -> Iterator[Metric]:
        if self._cloud is not None:
            position = self._database.read(feed.highest)
            yield GaugeMetricFamily("moorage_feed_position", "The newest number in the change feed.", value=position)
            zones = self._database.read(_zones) if "compute" in self._services else {}
            yield from _capacity(self._cloud(), zones)
            yield _agents(self._database)
        if "reservation" in self._services:
            leases = GaugeMetricFamily("moorage_leases", "Leases that are not deleted, by status.", labels=["status"])
            for status, count in sorted(self._database.read(count_by_status).items()):
                leases.add_metric([status], count)
            yield leases


def _capacity(cloud: Cloud, zones: Mapping[str, Iterable[str]]) -> Iterator[Metric]:
    yield GaugeMetricFamily("moorage_providers", "Resource providers.", value=int(cloud.topology.alive.sum()))
    labels = ["resource_class", "zone"]
    capacity = GaugeMetricFamily("moorage_resource_capacity", "What may be allocated in all.", labels=labels)
    used = GaugeMetricFamily("moorage_resource_used", "What is allocated.", labels=labels)
    offering = GaugeMetricFamily("moorage_resource_providers", "Providers that offer it.", labels=labels)
    for each in totals(cloud, zones):
        place = [each.resource_class, each.zone]
        capacity.add_metric(place, each.capacity)
        used.add_metric(place, each.used)
        offering.add_metric(place, each.providers)
    yield from (capacity, used, offering)


def _agents(database: Database) -> Metric:
    now = int(time.time())
    family = GaugeMetricFamily("moorage_agents", "Agents that have left a sign of life, by state.", labels=["state"])
    for state, count in database.read(lambda connection: agents.counts(connection, now)).items():
        family.add_metric([state.value], count)
    return family


def _zones(connection: Connection) -> dict[str, list[str]]:
    """The aggregates of each availability zone."""
    zones: dict[str, list[str]] = {}
    for aggregate in host_aggregates.all_aggregates(connection):
        if aggregate.availability_zone is not None:
            zones.setdefault(aggregate.availability_zone, []).append(aggregate.uuid)
    return zones
