"""How many members the server groups of each project have.

Nova lists the groups of all projects and not those of one, so the list is read once for all projects that are asked for
within some minutes.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping

from moorage.client.compute import ComputeClient

FRESH_SECONDS = 600.0


class GroupMembers:
    """Counts the members of server groups, by project. Several threads that need a new list wait for one of them."""

    def __init__(self, compute: ComputeClient, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._compute = compute
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._counts: Mapping[str, int] = {}
        self._fresh_until = float("-inf")

    def of_project(self, project_id: str) -> int:
        """The members of all server groups of a project together."""
        with self._lock:
            if self._monotonic() >= self._fresh_until:
                self._counts = self._read()
                self._fresh_until = self._monotonic() + FRESH_SECONDS
            return self._counts.get(project_id, 0)

    def _read(self) -> Mapping[str, int]:
        counts: Counter[str] = Counter()
        for group in self._compute.server_groups():
            counts[group.project_id] += len(group.members)
        return counts
