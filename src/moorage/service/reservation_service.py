"""The reservation service: its API over the database, and over the Placement and compute services of the settings."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from oslo_config import cfg

from moorage.client.compute import ComputeClient
from moorage.client.placement import PlacementClient
from moorage.db.database import Database
from moorage.reservations.api import policies, routes
from moorage.reservations.api.application import reservation_api
from moorage.reservations.booking.host_availability import HostAvailability
from moorage.reservations.booking.promotion import promote
from moorage.reservations.model.names import PREFIX
from moorage.reservations.room import Room
from moorage.service.authentication import authenticated
from moorage.service.housekeeping import start_housekeeping
from moorage.service.layers import layered
from moorage.service.policy import Guard
from moorage.service.reservation_workers import start_workers
from moorage.web.application import MOST_BYTES

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


def reservation_application(room: Room, *, housekeeping: bool = False) -> WSGIApplication:
    """The reservation API at its own root; with `housekeeping` it also does what a long-lived process should."""
    settings = room.settings
    if housekeeping:
        start_housekeeping(lambda: _look_after(room))
        start_workers(room, threading.Event(), settings.reservation.workers)
    api = reservation_api(room, min(settings.api.max_request_body_bytes, MOST_BYTES))
    return layered(authenticated(api, settings, room.database, ["/versions"]), settings)


def open_room(settings: cfg.ConfigOpts, database: Database, placement: PlacementClient, compute: ComputeClient) -> Room:
    """What handlers and workers of the room work with."""
    return Room(
        database=database,
        placement=placement,
        compute=compute,
        availability=HostAvailability(database, placement, seconds_for_looking=settings.reservation.inventory_seconds),
        settings=settings,
        allows=Guard(settings, policies.rules(routes.ROUTES)).allows,
    )


def close_reserved_hosts(settings: cfg.ConfigOpts) -> None:
    """Have the compute service of this process keep servers without a reservation off reserved hosts.

    Settings of the operator's own come first.
    """
    settings.set_default("placement_req_required_member_prefix", PREFIX, group="scheduler")
    settings.set_default("placement_req_default_forbidden_member_prefix", [PREFIX], group="scheduler")


def _look_after(room: Room) -> None:
    promote(room)
