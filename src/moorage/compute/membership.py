"""Hosts come into aggregates and leave them: in our tables and in Placement, or in neither.

The table is written first, then Placement is brought in step; where that fails, the table is put back and the request
fails. If the process dies in between, the same request, or any other about that host, puts Placement right.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress

from moorage.client.errors import ClientError
from moorage.compute.context import Compute
from moorage.compute.hypervisors import compute_host
from moorage.compute.mirroring import settle
from moorage.compute.model.aggregate import HostAggregate
from moorage.compute.store import aggregates
from moorage.compute.store.errors import AlreadyThere, NotFound
from moorage.db.database import Transaction

LOG = logging.getLogger(__name__)


def add_host(compute: Compute, number: int, host: str) -> HostAggregate:
    """Put a host into an aggregate."""
    compute.read(aggregates.find, number)
    if compute_host(compute.placement, host) is None:
        raise NotFound(f"Compute host {host} could not be found.")
    try:
        aggregate = compute.write(aggregates.add_host, number, host)
    except AlreadyThere:
        settle(compute, host)
        raise
    _tell(compute, number, host, "is in", aggregates.remove_host)
    return aggregate


def remove_host(compute: Compute, number: int, host: str) -> HostAggregate:
    """Take a host out of an aggregate."""
    aggregate = compute.write(aggregates.remove_host, number, host)
    _tell(compute, number, host, "left", aggregates.add_host)
    return aggregate


def _tell(
    compute: Compute, number: int, host: str, news: str, take_back: Callable[[Transaction, int, str], object]
) -> None:
    """Bring Placement in step with the table, or put the table back."""
    try:
        settle(compute, host)
    except ClientError:
        LOG.warning("Placement was not told that host %s %s aggregate %s; taken back", host, news, number)
        compute.write(take_back, number, host)
        with suppress(ClientError):  # it may have been told all the same
            settle(compute, host)
        raise
