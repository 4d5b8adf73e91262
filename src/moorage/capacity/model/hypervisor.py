"""Hypervisors and the groups they are in, as Nova and Placement describe them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

VCPU = "VCPU"
MEMORY_MB = "MEMORY_MB"
DISK_GB = "DISK_GB"


NO_MAX_UNIT = 2**31 - 1
"""The `max_unit` that Placement says where nobody has set one."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """What Placement says of one resource class.

    The allocation ratio and the units of single allocations play no part in capacity, but in how many servers fit right
    now.
    """

    total: int
    reserved: int = 0
    max_unit: int = 0
    allocation_ratio: float = 1.0
    min_unit: int = 1
    step_size: int = 1

    @property
    def available(self) -> int:
        """What is not reserved, and never less than nothing."""
        return max(0, self.total - self.reserved)

    @property
    def largest_part(self) -> int:
        """What one instance may take at most: `max_unit`, and all there is if nobody has set one."""
        return self.available if self.max_unit == NO_MAX_UNIT else self.max_unit

    def allows(self, amount: int) -> bool:
        """Whether a single server may take so much."""
        return self.min_unit <= amount <= self.max_unit and amount % max(1, self.step_size) == 0


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
    # Whether it is there to keep servers without a lease off its hosts.
    is_of_leases: bool = False
