"""What is asked of a cloud: for each resource and zone what is used, what is promised, and what is waited for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

CORES = "cores"
INSTANCES = "instances"
RAM = "ram"
POOLED_RESOURCES = (CORES, INSTANCES, RAM)

UNKNOWN_ZONE = "unknown"
"""The zone of whatever is in none of the zones that a request names."""


@dataclass(frozen=True, slots=True)
class Demand:
    """The demand for a resource in a zone, over all projects, in units after overcommit; in falling priority."""

    usage: int = 0
    unused_commitments: int = 0
    pending_commitments: int = 0

    @property
    def total(self) -> int:
        """All of it."""
        return self.usage + self.unused_commitments + self.pending_commitments


NO_DEMAND = Demand()


@dataclass(frozen=True, slots=True)
class FlavorDemand:
    """Servers of a pooled flavor in a zone: those that run, and slots of leases that none has taken yet."""

    flavor: str
    zone: str
    demand: Demand


@dataclass(frozen=True, slots=True)
class ResourceDemand:
    """The demand for a resource. An overcommit factor of 0 means the same as 1: there is none."""

    per_zone: Mapping[str, Demand] = field(default_factory=dict)
    overcommit_factor: float = 0.0

    def in_zone(self, zone: str) -> Demand:
        """The demand in a zone, which is nothing if none is named."""
        return self.per_zone.get(zone, NO_DEMAND)


NO_RESOURCE_DEMAND = ResourceDemand()


@dataclass(frozen=True, slots=True)
class CapacityRequest:
    """A request for a capacity report: all zones that the asker knows, and the demand by resource name."""

    zones: tuple[str, ...] = ()
    demand: Mapping[str, ResourceDemand] = field(default_factory=dict)

    def of(self, resource: str) -> ResourceDemand:
        """The demand for a resource, which is nothing if none is named."""
        return self.demand.get(resource, NO_RESOURCE_DEMAND)

    def known_zone(self, zone: str) -> str:
        """The zone itself if the asker knows it, `unknown` otherwise."""
        return zone if zone in self.zones else UNKNOWN_ZONE
