"""What servers there are, and what leases promise: what a cloud without anybody who knows the demand has of it."""

from __future__ import annotations

from moorage.capacity.lease_demand import Promises
from moorage.capacity.reading.services import Services


def read_promises(services: Services) -> Promises:
    """All servers, and all leases where somebody keeps them."""
    compute, leases = services.compute, services.reservation
    if leases is None:
        return Promises(aggregates=compute.aggregates(), servers=compute.servers())
    return Promises(
        aggregates=compute.aggregates(),
        servers=compute.servers(),
        leases=leases.leases(),
        hosts=leases.hosts(),
        slots=leases.slots(),
    )
