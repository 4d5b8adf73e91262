"""The WSGI applications: each service behind its layers, alone or all together.

What a service mounts is in the table `SERVICE_MOUNTS`; what stands around every API is in `layers`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from oslo_config import cfg

from moorage.capacity.reading.services import Services
from moorage.client.compute import ComputeClient
from moorage.client.image import ImageClient
from moorage.client.placement import PlacementClient
from moorage.client.volume import VolumeClient
from moorage.compute.store import aggregates as host_aggregates
from moorage.console.finding import Audit
from moorage.db.database import Database
from moorage.placement.api import policies
from moorage.placement.api.application import placement_api
from moorage.placement.api.routes import ROUTES
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.search import Order
from moorage.placement.index_sync import IndexSync
from moorage.placement.ledger import Ledger, Options
from moorage.placement.store.names import synchronise_standard_names
from moorage.reservations.room import Room
from moorage.service import clients
from moorage.service.authentication import authenticated
from moorage.service.cloud_metrics import Watched
from moorage.service.compute_service import compute_applications, joined, open_compute
from moorage.service.console_service import console_application, lease_audit, server_audit
from moorage.service.health import healthcheck
from moorage.service.housekeeping import start_housekeeping, tidy
from moorage.service.identity_service import identity_application, serves_identity
from moorage.service.inheritance import inherited
from moorage.service.kept_zones import KeptZones, zones_of
from moorage.service.layers import layered
from moorage.service.liquid_service import liquid_application
from moorage.service.metrics import metrics_application
from moorage.service.mounting import mounted
from moorage.service.openapi_documents import openapi_application
from moorage.service.policy import Guard
from moorage.service.reservation_service import close_reserved_hosts, open_room, reservation_application
from moorage.service.reservation_workers import open_worker_context

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


def placement_application(
    settings: cfg.ConfigOpts, database: Database | None = None, *, housekeeping: bool = False
) -> WSGIApplication:
    """The Placement API at its own root; with `housekeeping` it also does what a long-lived process should."""
    return _placement_over(
        open_ledger(settings, database or open_database(settings)), settings, housekeeping=housekeeping
    )


def _placement_over(ledger: Ledger, settings: cfg.ConfigOpts, *, housekeeping: bool) -> WSGIApplication:
    database = ledger.database
    if housekeeping:
        start_housekeeping(lambda: tidy(database, ledger.index_sync))
    guard = Guard(settings, policies.rules(ROUTES))
    api = placement_api(ledger, guard, settings.api.max_request_body_bytes)
    return layered(authenticated(api, settings, database), settings)


@dataclass(frozen=True)
class Deployment:
    """What the services of one process have in common."""

    settings: cfg.ConfigOpts
    database: Database
    housekeeping: bool

    @cached_property
    def placement(self) -> WSGIApplication:
        """The Placement API, which is one and the same for clients outside and for services beside it."""
        return _placement_over(self.ledger, self.settings, housekeeping=self.housekeeping)

    @cached_property
    def ledger(self) -> Ledger:
        """The ledger, and the cloud in memory, which this process has once."""
        return open_ledger(self.settings, self.database)

    @cached_property
    def compute(self) -> Mapping[str, WSGIApplication]:
        """The compute and the image API, by the paths where they are mounted."""
        own_placement = self._own("placement", lambda: self.placement)
        return compute_applications(self.settings, self.database, own_placement, housekeeping=self.housekeeping)

    @cached_property
    def placement_client(self) -> PlacementClient:
        """The way to Placement for what is served beside it."""
        return clients.placement_client(self.settings, self._own("placement", lambda: self.placement))

    @cached_property
    def compute_client(self) -> ComputeClient:
        """The way to compute for what is served beside it."""
        return clients.compute_client(self.settings, self._own("compute", lambda: self.compute["/compute"]))

    @cached_property
    def image_client(self) -> ImageClient:
        """The way to images for what is served beside them."""
        return clients.image_client(self.settings, self._own("compute", lambda: self.compute["/image"]))

    @cached_property
    def volume_client(self) -> VolumeClient:
        """The way to volumes, which are always somebody else's."""
        return clients.volume_client(self.settings)

    @cached_property
    def reservations(self) -> Room:
        """The room of leases, for its API and for those who carry leases out."""
        return open_room(self.settings, self.database, self.placement_client, self.compute_client)

    @cached_property
    def reservation(self) -> WSGIApplication:
        """The reservation API."""
        return reservation_application(self.reservations, housekeeping=self.housekeeping)

    @cached_property
    def liquid_services(self) -> Services:
        """What the LIQUID service reads: the services of this process, or those that the settings name."""
        own_reservation = self._own("reservation", lambda: self.reservation)
        return Services(
            self.placement_client,
            self.compute_client,
            self.image_client,
            self.volume_client,
            clients.reservation_client(self.settings, own_reservation),
        )

    @cached_property
    def liquid(self) -> WSGIApplication:
        """The LIQUID API over these."""
        return liquid_application(self.settings, self.database, self.liquid_services)

    @cached_property
    def console(self) -> WSGIApplication:
        """The web console, which tells about capacity wherever there is a compute service to ask."""
        services = self.settings.api.services
        audits: dict[str, Audit] = {}
        if "compute" in services:
            own_placement = self._own("placement", lambda: self.placement)
            audits["servers"] = server_audit(open_compute(self.settings, self.database, own_placement))
        if "reservation" in services:
            audits["leases"] = lease_audit(open_worker_context(self.reservations))
        cloud = self.liquid_services if clients.reaches_compute(self.settings) else None
        return console_application(self.settings, self.database, cloud, audits)

    def _own(self, service: str, application: Callable[[], WSGIApplication]) -> Callable[[], WSGIApplication] | None:
        return application if service in self.settings.api.services else None


def _identity(deployment: Deployment) -> Mapping[str, WSGIApplication]:
    settings, database = deployment.settings, deployment.database
    if not serves_identity(settings):
        return {}
    return {"/identity": identity_application(settings, database, housekeeping=deployment.housekeeping)}


# What each service offers, by path.
SERVICE_MOUNTS: Mapping[str, Callable[[Deployment], Mapping[str, WSGIApplication]]] = {
    "placement": lambda deployment: {"/placement": deployment.placement},
    "identity": _identity,
    "compute": lambda deployment: deployment.compute,
    "reservation": lambda deployment: {"/reservation": deployment.reservation},
    "liquid": lambda deployment: {"/liquid-nova": deployment.liquid},
    "console": lambda deployment: {"/console": deployment.console},
}


def compute_application(settings: cfg.ConfigOpts, *, housekeeping: bool = False) -> WSGIApplication:
    """The compute API at the root and the image API beside it, which begins at /v2; Placement is somewhere else."""
    return joined(compute_applications(settings, open_database(settings), None, housekeeping=housekeeping))


def alone_reservation_application(settings: cfg.ConfigOpts) -> WSGIApplication:
    """The reservation API at the root; Placement and compute are somewhere else."""
    room = open_room(
        settings,
        open_database(settings),
        clients.placement_client(settings, None),
        clients.compute_client(settings, None),
    )
    return reservation_application(room, housekeeping=True)


def liquid_at_the_root(settings: cfg.ConfigOpts) -> WSGIApplication:
    """The LIQUID API at the root; all services that it asks are somewhere else."""
    services = Services(
        clients.placement_client(settings, None),
        clients.compute_client(settings, None),
        clients.image_client(settings, None),
        clients.volume_client(settings),
    )
    return liquid_application(settings, open_database(settings), services)


def all_application(settings: cfg.ConfigOpts, *, housekeeping: bool = False) -> WSGIApplication:
    """Every service under its own path, /healthcheck, /metrics and /openapi."""
    if "reservation" in settings.api.services:
        close_reserved_hosts(settings)
    deployment = Deployment(settings, open_database(settings), housekeeping)
    cloud = deployment.ledger.cloud if "placement" in settings.api.services else None
    applications = {
        "/healthcheck": healthcheck(
            deployment.database,
            cloud,
            patience=timedelta(seconds=settings.api.degraded_after_seconds),
            has_leases="reservation" in settings.api.services,
        ),
        "/metrics": metrics_application(settings, _watched(deployment, cloud)),
    }
    for name in settings.api.services:
        applications.update(SERVICE_MOUNTS[name](deployment))
    applications["/openapi"] = openapi_application(applications.keys())
    return mounted(applications)


def _watched(deployment: Deployment, cloud: Callable[[], Cloud] | None) -> Watched:
    settings, database = deployment.settings, deployment.database
    services = frozenset(settings.api.services)
    if "compute" in services:
        return Watched(database, services, cloud, lambda: zones_of(database.read(host_aggregates.zones)))
    if cloud is None or not clients.reaches_compute(settings):
        return Watched(database, services, cloud, dict)
    return Watched(database, services, cloud, KeptZones(deployment.compute_client.aggregates).get)


def open_database(settings: cfg.ConfigOpts) -> Database:
    """The database that the settings name."""
    return Database(
        settings.database.connection,
        pool_size=settings.database.max_pool_size,
        attempts=settings.database.max_retries + 1,
    )


def open_ledger(settings: cfg.ConfigOpts, database: Database) -> Ledger:
    """The ledger in a database, with the standard names in it and the cloud in memory."""
    synchronise_standard_names(database)
    placement = settings.placement
    most = placement.max_allocation_candidates
    order = Order(
        randomize=placement.randomize_allocation_candidates,
        most=most if most >= 0 else None,
        breadth_first=placement.allocation_candidates_generation_strategy == "breadth-first",
    )
    options = Options(placement.incomplete_consumer_project_id, placement.incomplete_consumer_user_id, order)
    index_sync = IndexSync(database, beginning=inherited(settings.database.connection))
    index_sync.current()  # the first request need not wait for it
    return Ledger(database, index_sync, options)
