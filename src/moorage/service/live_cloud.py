"""The cloud of this installation as a snapshot: read now, through the same clients as the LIQUID service."""

from __future__ import annotations

from datetime import UTC, datetime

from oslo_config import cfg

from moorage.capacity.lease_demand import request_from_leases
from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.demand import CapacityRequest
from moorage.capacity.reading.cloud import read_cloud
from moorage.capacity.reading.promises import read_promises
from moorage.service.application import Deployment, open_database
from moorage.service.liquid_configuration import liquid_configuration


def live_snapshot(settings: cfg.ConfigOpts, request: CapacityRequest | None = None) -> Snapshot:
    """Read the cloud; without a request, what is asked of it is what runs there and what leases promise."""
    here = Deployment(settings, open_database(settings), housekeeping=False)
    configuration = liquid_configuration(settings)
    return Snapshot(
        cloud=read_cloud(here.liquid_services, configuration),
        request=request or request_from_leases(read_promises(here.liquid_services)),
        configuration=configuration,
        taken_at=_now(),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
