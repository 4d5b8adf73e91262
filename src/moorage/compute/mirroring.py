"""Host aggregates as Placement knows them: each host's provider is in the aggregates that our tables say.

The tables are the truth and Placement follows, one host at a time. What others have put a provider into is left alone.
Whoever comes in between is noticed by the provider's generation, which is read before the tables: the one who writes
last has read last. So any later change of the same host also mends what an interrupted one has left undone.

A host that is registered anew gets a new provider, which is in no aggregate: `settle_all` finds such hosts. Until
it has, `moorage.compute.servers.aggregate_check` keeps servers off them.
"""

from __future__ import annotations

import logging

import os_traits

from moorage.client.errors import Conflict
from moorage.client.placement import PlacementClient, ProviderFilter, ProviderSummary
from moorage.compute.context import Compute
from moorage.compute.model.aggregate import HostAggregate
from moorage.compute.store import aggregates

LOG = logging.getLogger(__name__)

_ATTEMPTS = 10


def _provider_of(placement: PlacementClient, host: str) -> ProviderSummary | None:
    """The provider of a host, which is the root of a tree."""
    provider = placement.provider_named(host)
    return provider if provider is not None and provider.parent_uuid is None else None


def settle(compute: Compute, host: str) -> bool:
    """Bring Placement in step with what our tables say about a host; whether there was anything to do."""
    provider = _provider_of(compute.placement, host)
    if provider is None:
        return False  # nothing is known about the host there, so there is nothing to put right
    for attempt in range(1, _ATTEMPTS + 1):
        known = compute.placement.aggregates(provider.uuid)
        all_ours = compute.read(aggregates.all_aggregates)
        ours = {aggregate.uuid for aggregate in all_ours}
        wanted = (known.aggregates - ours) | {aggregate.uuid for aggregate in all_ours if host in aggregate.hosts}
        if wanted == known.aggregates:
            return False
        try:
            compute.placement.put_aggregates(provider.uuid, wanted, known.generation)
        except Conflict:
            if attempt == _ATTEMPTS:
                raise
        else:
            return True
    raise AssertionError("the last attempt ends in one way or another")


def settle_all(compute: Compute) -> None:
    """Find the hosts that Placement has elsewhere than our tables, and bring it in step: a question per aggregate."""
    strayed: set[str] = set()
    for aggregate in compute.read(aggregates.all_aggregates):
        strayed |= _hosts_there(compute.placement, aggregate) ^ aggregate.hosts
    for host in sorted(strayed):
        if settle(compute, host):
            LOG.warning("Placement had host %s in other aggregates than it is in; put right", host)


def _hosts_there(placement: PlacementClient, aggregate: HostAggregate) -> frozenset[str]:
    """The compute hosts that Placement has in an aggregate; storage that they share is none of our business."""
    found = placement.providers(ProviderFilter(member_of=(aggregate.uuid,), required=(os_traits.COMPUTE_NODE,)))
    return frozenset(provider.name for provider in found if provider.parent_uuid is None)
