"""The room of leases in a process that serves nothing: for workers and for commands."""

from __future__ import annotations

from oslo_config import cfg

from moorage.reservations.room import Room
from moorage.service.application import Deployment, open_database
from moorage.service.reservation_service import close_reserved_hosts


def standalone_room(settings: cfg.ConfigOpts) -> Room:
    """Leases, with the services that the settings name or, where they name none, those of the same database."""
    close_reserved_hosts(settings)
    return Deployment(settings, open_database(settings), housekeeping=False).reservations
