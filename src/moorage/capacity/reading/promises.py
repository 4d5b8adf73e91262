"""What servers there are, and what leases promise: what a cloud without anybody who knows the demand has of it."""

from __future__ import annotations

from moorage.capacity.lease_demand import Promises
from moorage.client.compute import ComputeClient
from moorage.client.reservation import ReservationClient


def read_promises(compute: ComputeClient, leases: ReservationClient | None) -> Promises:
    """All servers, and all leases where somebody keeps them."""
    if leases is None:
        return Promises(aggregates=compute.aggregates(), servers=compute.servers())
    return Promises(
        aggregates=compute.aggregates(),
        servers=compute.servers(),
        leases=leases.leases(),
        hosts=leases.hosts(),
        slots=leases.slots(),
    )
