"""The cloud of this installation as a snapshot: read now, through the same clients as the LIQUID service."""

from __future__ import annotations

from datetime import UTC, datetime

from oslo_config import cfg

from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.demand import CapacityRequest
from moorage.capacity.present_demand import present_demand
from moorage.capacity.reading.cloud import read_cloud
from moorage.capacity.reading.services import Services
from moorage.service.application import Deployment, open_database
from moorage.service.liquid_service import liquid_configuration


def live_snapshot(settings: cfg.ConfigOpts, request: CapacityRequest | None) -> Snapshot:
    """Read the cloud; without a request, what is asked of it is what runs there."""
    here = Deployment(settings, open_database(settings), housekeeping=False)
    services = Services(here.placement_client, here.compute_client, here.image_client, here.volume_client)
    configuration = liquid_configuration(settings)
    cloud = read_cloud(services, configuration)
    return Snapshot(
        cloud=cloud,
        request=request or present_demand(cloud, configuration),
        configuration=configuration,
        taken_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
