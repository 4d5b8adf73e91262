"""An administrator says what a server is, whatever it was about to become.

A resize ends with that: one that was still looking for a place, or on its way back, leaves the server as it was before;
one that only waited to be confirmed leaves it as it is. Either way the server then holds what its record says, and
nothing else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from moorage.compute.context import Compute
from moorage.compute.model.server import RESIZING, REVERTING, Server
from moorage.compute.servers.consumers import give_back, resize_consumer
from moorage.compute.servers.errors import ServerNotFound
from moorage.compute.servers.resize_outcomes import as_before, take_back
from moorage.compute.store import servers as server_store
from moorage.db.database import Transaction


def reset(compute: Compute, uuid: str, state: Literal["active", "error"]) -> None:
    """Put a server into a state."""
    before, now = compute.write(_reset, uuid, state)
    if before.resize_origin is None:
        return
    if before.task_state in (RESIZING, REVERTING):
        take_back(compute, now)
    else:
        give_back(compute.placement, resize_consumer(uuid))


def _reset(tx: Transaction, uuid: str, state: Literal["active", "error"]) -> tuple[Server, Server]:
    """The server before and after."""
    before: list[Server] = []

    def changed(now: Server) -> Server:
        before.append(now)
        settled = as_before(now) if now.task_state in (RESIZING, REVERTING) else replace(now, resize_origin=None)
        if state == "error":
            return replace(settled, status="ERROR", task_state=None)
        return replace(settled, status="ACTIVE", task_state=None, fault=None)

    after = server_store.change(tx, uuid, changed)
    if after is None:
        raise ServerNotFound(uuid)
    return before[0], after
