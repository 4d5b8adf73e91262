"""A whole cloud at one moment, for who wants to look at it later, elsewhere, or as it might be."""

from __future__ import annotations

from datetime import UTC, datetime

from moorage.capacity.flavor_demand import demand_by_flavor
from moorage.capacity.lease_demand import request_from_leases
from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.configuration import Configuration
from moorage.capacity.model.demand import CapacityRequest
from moorage.capacity.reading.cloud import read_cloud
from moorage.capacity.reading.promises import read_promises
from moorage.client.compute import ComputeClient
from moorage.client.placement import PlacementClient
from moorage.client.reservation import ReservationClient


def read_now(
    compute: ComputeClient,
    placement: PlacementClient,
    leases: ReservationClient | None,
    configuration: Configuration,
    request: CapacityRequest | None = None,
) -> Snapshot:
    """Read the cloud; without a request, what is asked of it is what runs there and what leases promise."""
    cloud = read_cloud(compute, placement, configuration)
    promises = None if request else read_promises(compute, leases)
    return Snapshot(
        cloud=cloud,
        request=request_from_leases(promises) if promises else request or CapacityRequest(),
        configuration=configuration,
        of_flavors=demand_by_flavor(promises) if promises else None,
        taken_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
