"""Hypervisors and the groups they are in, as Nova and Placement describe them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

VCPU = "VCPU"
MEMORY_MB = "MEMORY_MB"
DISK_GB = "DISK_GB"


@dataclass(frozen=True, slots=True)
class Inventory:
    """What Placement says of one resource class. Allocation ratios play no part in capacity."""

    total: int
    reserved: int = 0
    max_unit: int = 0

    @property
    def available(self) -> int:
        """What is not reserved, and never less than nothing."""
        return max(0, self.total - self.reserved)


NOTHING = Inventory(0)
"""The inventory of a resource class that a provider does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypervisor:
    """A hypervisor in Nova, with its resource provider in Placement. It may stand for a cluster of machines."""

    id: str
    hostname: str
    service_host: str
    hypervisor_type: str = ""
    running_vms: int = 0
    traits: tuple[str, ...] = ()
    inventories: Mapping[str, Inventory] = field(default_factory=dict)
    usages: Mapping[str, int] = field(default_factory=dict)
    # Why traits, inventories and usages are not known, in a sentence; empty if they are.
    problem: str = ""

    def inventory(self, resource_class: str) -> Inventory:
        """The inventory of a class, which is nothing if there is none."""
        return self.inventories.get(resource_class, NOTHING)

    @property
    def description(self) -> str:
        """How a message names it."""
        return f'hypervisor {self.hostname} (service host "{self.service_host}")'


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """A host aggregate. `availability_zone` is empty if it is none; `hosts` are service hosts."""

    name: str
    availability_zone: str = ""
    hosts: tuple[str, ...] = ()
