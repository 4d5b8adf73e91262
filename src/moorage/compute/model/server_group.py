"""Server groups: servers that shall share a host, or shall not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Policy = Literal["affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity"]
POLICIES: tuple[Policy, ...] = get_args(Policy)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerGroup:
    """A group and the servers in it. The soft policies are wishes, the others conditions."""

    uuid: str
    name: str
    project_id: str
    user_id: str
    policy: Policy
    # How many servers of a group with anti-affinity one host may have; None is 1. Other policies have no such rule.
    max_server_per_host: int | None = None
    # UUIDs of servers.
    members: tuple[str, ...] = ()

    @property
    def most_per_host(self) -> int | None:
        """How many servers of the group one host may have; None for any number."""
        return (self.max_server_per_host or 1) if self.policy == "anti-affinity" else None
