"""Flavors: the sizes that servers come in, and what else is asked of their hosts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SEPARATE_QUOTA = "quota:separate"
"""The extra spec whose value "true", to the letter, takes the servers of a flavor out of the usual quotas."""

QUOTA_FLAVOR = "quota:flavor"
"""The extra spec that names another flavor, with whose servers those of this one are counted.

It is how servers of a lease count with those of the flavor that the lease is of, and not by themselves.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flavor:
    """A flavor as it is now or, with a server, as it was when the server was made."""

    flavor_id: str
    name: str
    ram_mb: int
    vcpus: int
    disk_gb: int = 0
    ephemeral_gb: int = 0
    swap_mb: int = 0
    rxtx_factor: float = 1.0
    is_public: bool = True
    disabled: bool = False
    description: str | None = None
    extra_specs: Mapping[str, str] = field(default_factory=dict)
    # Who may use it though it is not public.
    projects: frozenset[str] = frozenset()

    def is_open_to(self, project_id: str) -> bool:
        """Whether a project sees the flavor and may use it. An administrator sees every one, and uses no more."""
        return self.is_public or project_id in self.projects

    @property
    def total_disk_gb(self) -> int:
        """What a server takes of DISK_GB: all its disks, and swap rounded up to whole GiB."""
        return self.disk_gb + self.ephemeral_gb + -(-self.swap_mb // 1024)

    @property
    def has_separate_quota(self) -> bool:
        """Whether its servers are counted by themselves, towards the quota `instances_NAME`."""
        return self.extra_specs.get(SEPARATE_QUOTA) == "true"

    @property
    def counted_as(self) -> str:
        """The name of the flavor that its servers count as, which is its own unless it says otherwise."""
        return self.extra_specs.get(QUOTA_FLAVOR) or self.name
