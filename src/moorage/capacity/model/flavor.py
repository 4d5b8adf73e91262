"""Flavors as the capacity of a cloud sees them: pooled ones, split ones, and those of bare metal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SEPARATE_QUOTA = "quota:separate"
"""The extra spec whose value "true", to the letter, makes a flavor a split flavor."""

QUOTA_FLAVOR = "quota:flavor"
"""The extra spec that names another flavor, as whose instances those of this one count: so do those of a lease."""

HYPERVISOR_TYPE = "capabilities:hypervisor_type"
"""The extra spec whose value "ironic" makes a flavor one of bare metal."""

TRAIT_PREFIX = "trait:"
"""How the extra specs begin that say which traits a host must have or lack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flavor:
    """A flavor in Nova's words; only the root disk counts for capacity, as Nova calls it `disk`."""

    id: str
    name: str
    vcpus: int
    ram_mib: int
    disk_gib: int
    ephemeral_gib: int = 0
    swap_mib: int = 0
    is_public: bool = True
    extra_specs: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_ironic(self) -> bool:
        """Whether its instances are machines of bare metal, which have no part in capacity."""
        return self.extra_specs.get(HYPERVISOR_TYPE) == "ironic"

    @property
    def is_split(self) -> bool:
        """Whether its instances are counted by themselves and not in cores, instances and RAM."""
        return self.extra_specs.get(SEPARATE_QUOTA) == "true" and not self.is_ironic

    @property
    def counted_as(self) -> str:
        """The name of the flavor that its instances count as."""
        return counted_as(self.name, self.extra_specs)

    @property
    def resource_name(self) -> str:
        """What the resource is called that counts its instances, if it is a split flavor."""
        return f"instances_{self.name}"


def is_pooled(extra_specs: Mapping[str, str]) -> bool:
    """Whether servers of a flavor with these extra specs are a part of the pool."""
    return extra_specs.get(SEPARATE_QUOTA) != "true" and extra_specs.get(HYPERVISOR_TYPE) != "ironic"


def counted_as(name: str, extra_specs: Mapping[str, str]) -> str:
    """The name of the flavor that instances of a flavor count as, which is its own unless it says otherwise."""
    return extra_specs.get(QUOTA_FLAVOR) or name
