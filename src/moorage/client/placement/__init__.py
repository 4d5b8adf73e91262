"""The client for a Placement service, any that speaks microversion 1.39, over any transport.

A method returns values or raises one of `moorage.client.errors`. It may be used by several threads at once.
"""

from __future__ import annotations

from msgspec import Struct

from moorage.client.calls import Calls
from moorage.client.placement.allocations import AllocationCalls
from moorage.client.placement.extensions import ExtensionCalls
from moorage.client.placement.providers import ProviderCalls
from moorage.client.placement.values import (
    AgentDetails,
    AgentsOverview,
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
    "AgentDetails",
    "AgentsOverview",
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

    def __init__(self, transport: Transport, version: tuple[int, int] = (1, 39)) -> None:
        self._transport = transport
        self._calls = Calls(transport, f"placement {version[0]}.{version[1]}")

    def speaking(self, version: tuple[int, int]) -> PlacementClient:
        """The same service at another microversion, for one that has no newer one; not all methods work with all."""
        return PlacementClient(self._transport, version)

    def newest_version(self) -> tuple[int, int]:
        """The newest microversion that the service speaks."""
        [version] = self._calls.at("").read(_VersionDocument, "/").versions
        major, _, minor = version.max_version.partition(".")
        return int(major), int(minor)


# --- how the API words it


class _Version(Struct, frozen=True):
    max_version: str


class _VersionDocument(Struct, frozen=True):
    versions: tuple[_Version, ...]
