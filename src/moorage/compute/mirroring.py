"""Host aggregates as Placement knows them: each host's provider is in the aggregates that our tables say.

The tables are the truth and Placement follows, one host at a time. What others have put a provider into is left alone.
Whoever comes in between is noticed by the provider's generation, which is read before the tables: the one who writes
last has read last. So any later change of the same host also mends what an interrupted one has left undone.
"""

from __future__ import annotations

from moorage.client.errors import Conflict
from moorage.client.placement import PlacementClient, ProviderSummary
from moorage.compute.context import Compute
from moorage.compute.store import aggregates

_ATTEMPTS = 10


def _provider_of(placement: PlacementClient, host: str) -> ProviderSummary | None:
    """The provider of a host, which is the root of a tree."""
    provider = placement.provider_named(host)
    return provider if provider is not None and provider.parent_uuid is None else None


def settle(compute: Compute, host: str) -> None:
    """Bring Placement in step with what our tables say about a host."""
    provider = _provider_of(compute.placement, host)
    if provider is None:
        return  # nothing is known about the host there, so there is nothing to put right
    for attempt in range(1, _ATTEMPTS + 1):
        known = compute.placement.aggregates(provider.uuid)
        all_ours = compute.read(aggregates.all_aggregates)
        ours = {aggregate.uuid for aggregate in all_ours}
        wanted = (known.aggregates - ours) | {aggregate.uuid for aggregate in all_ours if host in aggregate.hosts}
        if wanted == known.aggregates:
            return
        try:
            compute.placement.put_aggregates(provider.uuid, wanted, known.generation)
        except Conflict:
            if attempt == _ATTEMPTS:
                raise
        else:
            return
