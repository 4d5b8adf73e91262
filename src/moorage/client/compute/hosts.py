"""The hosts: hypervisors, the services that manage them, aggregates and availability zones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from moorage.client.calls import Calls, path_of
from moorage.client.compute.values import Aggregate, AvailabilityZone, ComputeService, Hypervisor, Scheduling
from moorage.client.errors import NotFound
from moorage.client.pages import all_pages


class HostCalls:
    """The part of the client that is about hosts."""

    _calls: Calls

    # --- hypervisors and services

    def hypervisors(self, *, with_servers: bool = False) -> tuple[Hypervisor, ...]:
        """All hypervisors, with their servers if wanted."""
        query = [("with_servers", "True")] if with_servers else []
        return all_pages(self._calls, Hypervisor, "/os-hypervisors/detail", "hypervisors", query)

    def hypervisor_named(self, name: str, *, with_servers: bool = False) -> Hypervisor | None:
        """The hypervisor of this name, if there is one."""
        query = [("hypervisor_hostname_pattern", name), *([("with_servers", "True")] if with_servers else [])]
        try:
            found = self._calls.read(_Hypervisors, "/os-hypervisors/detail", query).hypervisors
        except NotFound:
            return None
        # What is asked for is a part of the name.
        return next((hypervisor for hypervisor in found if hypervisor.name == name), None)

    def services(self, *, host: str | None = None, binary: str | None = None) -> tuple[ComputeService, ...]:
        """The processes of the compute service; a Moorage has none, and answers NotFound."""
        conditions = (("host", host), ("binary", binary))
        query = [(name, value) for name, value in conditions if value is not None]
        return self._calls.read(_Services, "/os-services", query).services

    def scheduling(self) -> Scheduling | None:
        """How the scheduler keeps servers and hosts apart; None where that is not told: anywhere but in Moorage."""
        try:
            return self._calls.read(Scheduling, "/moorage/scheduling")
        except NotFound:
            # Also a proxy answers so while the service is away.
            self._calls.read(dict[str, Any], "/os-aggregates")
            return None

    # --- aggregates

    def aggregates(self) -> tuple[Aggregate, ...]:
        """All aggregates."""
        return self._calls.read(_Aggregates, "/os-aggregates").aggregates

    def aggregate(self, number: int) -> Aggregate | None:
        """The aggregate with this number, if there is one."""
        try:
            return self._calls.read(_OneAggregate, _aggregate(number)).aggregate
        except NotFound:
            return None

    def create_aggregate(self, name: str, availability_zone: str | None = None) -> Aggregate:
        """A new aggregate without hosts; Conflict if the name is taken."""
        content = {"aggregate": {"name": name, "availability_zone": availability_zone}}
        return self._calls.ask(_OneAggregate, "POST", "/os-aggregates", content=content).aggregate

    def set_aggregate_metadata(self, number: int, metadata: Mapping[str, str | None]) -> Aggregate:
        """Change the metadata of an aggregate; None removes a key."""
        return self._act(number, "set_metadata", {"metadata": dict(metadata)})

    def add_host(self, number: int, host: str) -> Aggregate:
        """Put a host into an aggregate; Conflict if it is in it."""
        return self._act(number, "add_host", {"host": host})

    def remove_host(self, number: int, host: str) -> Aggregate:
        """Take a host out of an aggregate; NotFound if it is not in it."""
        return self._act(number, "remove_host", {"host": host})

    def delete_aggregate(self, number: int) -> None:
        """Remove an aggregate, which must have no hosts."""
        self._calls.send("DELETE", _aggregate(number))

    def _act(self, number: int, what: str, how: Mapping[str, Any]) -> Aggregate:
        path = f"{_aggregate(number)}/action"
        return self._calls.ask(_OneAggregate, "POST", path, content={what: how}).aggregate

    # --- availability zones

    def availability_zones(self) -> tuple[AvailabilityZone, ...]:
        """All zones with their hosts, the one of the cloud's own services included."""
        zones = self._calls.read(_Zones, "/os-availability-zone/detail").zones
        return tuple(
            AvailabilityZone(zone.name, zone.state.get("available", False), tuple(sorted(zone.hosts or {})))
            for zone in zones
        )


def _aggregate(number: int) -> str:
    return path_of("os-aggregates", str(number))


# --- how the API words it


class _Hypervisors(Struct, frozen=True):
    hypervisors: tuple[Hypervisor, ...]


class _Services(Struct, frozen=True):
    services: tuple[ComputeService, ...]


class _OneAggregate(Struct, frozen=True):
    aggregate: Aggregate


class _Aggregates(Struct, frozen=True):
    aggregates: tuple[Aggregate, ...]


class _Zone(Struct, frozen=True, rename={"name": "zoneName", "state": "zoneState"}):
    name: str
    state: Mapping[str, bool]
    hosts: Mapping[str, Any] | None = None


class _Zones(Struct, frozen=True, rename={"zones": "availabilityZoneInfo"}):
    zones: tuple[_Zone, ...]
