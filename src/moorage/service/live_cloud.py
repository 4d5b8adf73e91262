"""The cloud of this installation as a snapshot: read now, through the same clients as the LIQUID service."""

from __future__ import annotations

from oslo_config import cfg

from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.demand import CapacityRequest
from moorage.capacity.reading.snapshot import read_now
from moorage.service.application import Deployment, open_database
from moorage.service.liquid_configuration import liquid_configuration


def live_snapshot(settings: cfg.ConfigOpts, request: CapacityRequest | None = None) -> Snapshot:
    """Read the cloud, as its settings say; see `read_now`."""
    services = Deployment(settings, open_database(settings), housekeeping=False).liquid_services
    configuration = liquid_configuration(settings)
    return read_now(services.compute, services.placement, services.reservation, configuration, request)
