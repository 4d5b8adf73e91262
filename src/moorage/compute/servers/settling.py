"""How a server that was being placed ends up: with its place on record, or with the reason why it has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from moorage.compute.model.server import SCHEDULING, Fault, Server
from moorage.compute.model.server_group import ServerGroup
from moorage.compute.servers.claiming import Place
from moorage.compute.servers.group_rules import agrees, members_of
from moorage.compute.store import server_groups
from moorage.compute.store import servers as server_store
from moorage.compute.store.errors import NotFound
from moorage.compute.store.servers import Recorded
from moorage.db.database import Transaction


def settle(
    tx: Transaction, group: ServerGroup | None, recorded: Sequence[Recorded], places: Sequence[Place]
) -> dict[str, Server] | None:
    """Record the places; None if the group's policy is not kept, because others of it were placed meanwhile.

    A server that was deleted meanwhile is left out.
    """
    if group is not None and not group_agrees(tx, group, [each.server.uuid for each in recorded], places):
        return None
    settled = {}
    for each, place in zip(recorded, places, strict=True):
        placed = _with_place(tx, place, each.server)
        if placed is None or not server_store.swap(tx, each, placed):
            # Somebody has changed it, its metadata perhaps, or it is deleted.
            placed = server_store.change(tx, each.server.uuid, partial(_with_place, tx, place))
        if placed is not None:
            settled[placed.uuid] = placed
    return settled


def group_agrees(tx: Transaction, group: ServerGroup, servers: Sequence[str], places: Sequence[Place]) -> bool:
    """Whether a group's policy is kept with servers in these places; a group that was deleted meanwhile has none."""
    try:
        group = server_groups.add_members(tx, group.uuid, ())
    except NotFound:
        return True
    counts = Counter(members_of(tx.connection, group, without=servers))
    counts.update(place.provider_uuid for place in places)
    return agrees(group, counts)


def fail(
    tx: Transaction, recorded: Sequence[Recorded], code: int, message: str, details: str = ""
) -> tuple[Server, ...]:
    """Record why servers have no places."""
    fault = Fault(code=code, message=message, created_at=tx.now, details=details)

    def failed(now: Server) -> Server | None:
        return replace(now, status="ERROR", task_state=None, fault=fault) if now.status == "BUILD" else None

    return tuple(server_store.change(tx, each.server.uuid, failed) or each.server for each in recorded)


def _with_place(tx: Transaction, place: Place, server: Server) -> Server | None:
    if server.status != "BUILD" or server.task_state != SCHEDULING:
        return None
    return replace(
        server,
        host=place.host,
        provider_uuid=place.provider_uuid,
        status="ACTIVE",
        task_state=None,
        launched_at=tx.now,
        updated_at=tx.now,
    )
