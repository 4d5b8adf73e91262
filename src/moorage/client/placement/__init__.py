"""The client for a Placement service, any that speaks microversion 1.39, over any transport.

A method returns values or raises one of `moorage.client.errors`. It may be used by several threads at once.
"""

from __future__ import annotations

from moorage.client.calls import Calls
from moorage.client.placement.allocations import AllocationCalls
from moorage.client.placement.extensions import ExtensionCalls
from moorage.client.placement.providers import ProviderCalls
from moorage.client.placement.values import (
    Claimed,
    ConsumerAllocations,
    ProviderAggregates,
    ProviderDetails,
    ProviderFilter,
    ProviderInventories,
    ProviderSummary,
    ProviderTraits,
    ProviderWrite,
)
from moorage.client.transport import Transport

__all__ = [
    "Claimed",
    "ConsumerAllocations",
    "PlacementClient",
    "ProviderAggregates",
    "ProviderDetails",
    "ProviderFilter",
    "ProviderInventories",
    "ProviderSummary",
    "ProviderTraits",
    "ProviderWrite",
]


class PlacementClient(ProviderCalls, AllocationCalls, ExtensionCalls):
    """Everything that a Placement service can be asked for."""

    def __init__(self, transport: Transport) -> None:
        self._calls = Calls(transport, "placement 1.39")
