"""Host aggregates: groups of hosts with metadata that say what the hosts are for, and for whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

AVAILABILITY_ZONE = "availability_zone"
"""The metadata key that makes an aggregate an availability zone."""

DEFAULT_AVAILABILITY_ZONE = "nova"
"""The zone of hosts that are in none."""

TENANT_PREFIX = "filter_tenant_id"
"""Metadata keys that begin so name projects; further characters only tell several of them apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostAggregate:
    """An aggregate of hosts; in Placement it has the same UUID."""

    id: int
    uuid: str
    name: str
    created_at: datetime
    updated_at: datetime | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    # Names of hosts.
    hosts: frozenset[str] = frozenset()

    @property
    def availability_zone(self) -> str | None:
        """The availability zone that the aggregate is, or None."""
        return self.metadata.get(AVAILABILITY_ZONE)

    @property
    def tenants(self) -> frozenset[str]:
        """The projects that the aggregate is set aside for: one for each such key, or several with commas between."""
        return frozenset(
            project
            for key, value in self.metadata.items()
            if key.startswith(TENANT_PREFIX)
            for project in map(str.strip, value.split(","))
            if project
        )

    def is_open_to(self, project_id: str) -> bool:
        """Whether a project may use the hosts: either they are set aside for nobody, or for this one too."""
        tenants = self.tenants
        return not tenants or project_id in tenants
