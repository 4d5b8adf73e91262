"""Servers are deleted: marked, what they hold given back, and only then no longer there.

Whatever interrupts it, the mark stays, and a second request or the reconciler ends what was begun.
"""

from __future__ import annotations

from dataclasses import replace

from moorage.compute.context import Compute
from moorage.compute.model.server import DELETING, Server
from moorage.compute.servers.consumers import release
from moorage.compute.store import server_groups
from moorage.compute.store import servers as server_store
from moorage.db.database import Transaction


def delete(compute: Compute, uuid: str) -> None:
    """Delete a server in whatever state it is."""
    compute.write(_mark, uuid)
    finish(compute, uuid)


def finish(compute: Compute, uuid: str) -> None:
    """Give back what a marked server holds, and let it go."""
    release(compute.placement, uuid)
    compute.write(_end, uuid)


def _mark(tx: Transaction, uuid: str) -> None:
    server_store.change(tx, uuid, lambda now: replace(now, task_state=DELETING))


def _end(tx: Transaction, uuid: str) -> None:
    def ended(now: Server) -> Server:
        return replace(now, status="DELETED", task_state=None, terminated_at=tx.now)

    server_store.change(tx, uuid, ended)
    server_groups.remove_member(tx, uuid)
