"""How the cloud is at the moment when Prometheus asks: what there is, what is promised, and who looks after it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from moorage import __version__
from moorage.capacity.cloud_capacity import last_figures
from moorage.capacity.figure_metrics import figure_metrics
from moorage.db.database import Database, DatabaseUnavailable, utc_now
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.totals import totals
from moorage.placement.store import agents, feed
from moorage.reservations.store import due
from moorage.reservations.store.leases import count_by_status
from moorage.service.kept_zones import Zones
from moorage.service.workers import workers_alive, workers_expected

OVERDUE = timedelta(minutes=1)
"""A worker takes what is due within seconds; what nobody has taken by then is overdue."""


@dataclass(frozen=True, slots=True)
class Watched:
    """What is looked at."""

    database: Database
    services: frozenset[str]
    # None where Placement is served elsewhere.
    cloud: Callable[[], Cloud] | None
    zones: Callable[[], Zones]


class CloudNow(Collector):
    """Every family that there is something to say about; the database's absence is one of them."""

    def __init__(self, watched: Watched) -> None:
        self._watched = watched

    def collect(self) -> Iterator[Metric]:
        """How it is now."""
        about = GaugeMetricFamily("moorage_info", "The version that answers.", labels=["version"])
        about.add_metric([__version__], 1)
        yield about
        yield from _workers()
        try:
            yield from self._from_database()
            is_up = 1
        except DatabaseUnavailable:
            is_up = 0
        yield GaugeMetricFamily("moorage_database_up", "Whether the database could be asked.", value=is_up)

    def _from_database(self) -> Iterator[Metric]:
        database, services = self._watched.database, self._watched.services
        if self._watched.cloud is not None:
            position = database.read(feed.highest)
            yield GaugeMetricFamily("moorage_feed_position", "The newest number in the change feed.", value=position)
            yield from _totals(self._watched.cloud(), self._watched.zones())
            yield _agents(database)
        if "reservation" in services:
            yield _leases(database)
            yield from _lease_events(database, utc_now())
        if "liquid" in services:
            yield from figure_metrics(last_figures(database))


def _workers() -> Iterator[Metric]:
    alive, expected = workers_alive(), workers_expected()
    if alive is not None:
        yield GaugeMetricFamily("moorage_workers", "Worker processes that are alive.", value=alive)
    if expected is not None:
        yield GaugeMetricFamily("moorage_workers_expected", "Worker processes that there should be.", value=expected)


def _totals(cloud: Cloud, zones: Zones) -> Iterator[Metric]:
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


def _leases(database: Database) -> Metric:
    family = GaugeMetricFamily("moorage_leases", "Leases that are not deleted, by status.", labels=["status"])
    for status, count in sorted(database.read(count_by_status).items()):
        family.add_metric([status], count)
    return family


def _lease_events(database: Database, now: datetime) -> Iterator[Metric]:
    found = database.read(lambda connection: due.overdue(connection, now - OVERDUE, now))
    count = GaugeMetricFamily(
        "moorage_lease_events_overdue",
        "Events of leases and their hosts that were due more than a minute ago: untaken by any worker, or unfinished.",
        labels=["state"],
    )
    seconds = GaugeMetricFamily(
        "moorage_lease_events_overdue_seconds",
        "How long ago the earliest of them was due; 0 without any.",
        labels=["state"],
    )
    for state, late in (("untaken", found.untaken), ("unfinished", found.unfinished)):
        count.add_metric([state], late.count)
        seconds.add_metric([state], late.seconds(now))
    yield from (count, seconds)
