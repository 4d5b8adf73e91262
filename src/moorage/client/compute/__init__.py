"""The client for a compute service, a Nova or a Moorage, over any transport.

Requests are made at microversion 2.61, the newest one at which flavors come with their extra specs and hypervisors
still tell what they have; a call that needs another one says so. The endpoint is the one of the version: `…/v2.1`. A
method returns values or raises one of `moorage.client.errors`. It may be used by several threads at once.
"""

from __future__ import annotations

from msgspec import Struct

from moorage.client.calls import Calls
from moorage.client.compute.flavors import FlavorCalls
from moorage.client.compute.hosts import HostCalls
from moorage.client.compute.quotas import QuotaCalls
from moorage.client.compute.servers import ServerCalls
from moorage.client.compute.values import (
    Aggregate,
    AvailabilityZone,
    ComputeService,
    Flavor,
    FlavorOfServer,
    Hypervisor,
    HypervisorService,
    Limits,
    NamedServer,
    Reference,
    Scheduling,
    Server,
    ServerFilter,
    ServerGroup,
    VolumeAttachment,
)
from moorage.client.transport import Transport

__all__ = [
    "Aggregate",
    "AvailabilityZone",
    "ComputeClient",
    "ComputeService",
    "Flavor",
    "FlavorOfServer",
    "Hypervisor",
    "HypervisorService",
    "Limits",
    "NamedServer",
    "Reference",
    "Scheduling",
    "Server",
    "ServerFilter",
    "ServerGroup",
    "VolumeAttachment",
]


class ComputeClient(FlavorCalls, ServerCalls, HostCalls, QuotaCalls):
    """What rooms of Moorage ask a compute service for."""

    def __init__(self, transport: Transport) -> None:
        self._calls = Calls(transport, "compute 2.61")

    def newest_version(self) -> tuple[int, int]:
        """The newest microversion that the service speaks."""
        told = self._calls.at("").read(_VersionDocument, "/").version.version
        major, _, minor = told.partition(".")
        return int(major), int(minor)


# --- how the API words it


class _Version(Struct, frozen=True):
    version: str


class _VersionDocument(Struct, frozen=True):
    version: _Version
