"""What a project may have and has, as Nova counts it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

NO_LIMIT = -1


@dataclass(frozen=True, slots=True)
class Limit:
    """A quota, negative for none, and what is in use of it."""

    quota: int
    used: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectLimits:
    """By resource; and what only a patched Nova tells: by flavor, and by version of hardware and resource."""

    cores: Limit
    instances: Limit
    ram: Limit
    server_groups: Limit
    # How many members a group may have; how many there are is told by the groups.
    server_group_members: int
    per_flavor: Mapping[str, Limit] = field(default_factory=dict)
    per_hardware: Mapping[str, Mapping[str, Limit]] = field(default_factory=dict)
