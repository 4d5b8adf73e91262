"""How a resize ends: waiting to be confirmed, confirmed, reverted or undone.

Each is a mark, a step in Placement and a record. Whoever is killed in between leaves the mark, and the reconciler comes
here to go on; whoever finds that somebody else was faster, such as a deletion, takes back what it has done.
"""

from __future__ import annotations

from dataclasses import replace

from moorage.client.errors import Conflict
from moorage.compute.context import Compute
from moorage.compute.model.server import CONFIRMING, DELETING, RESIZING, REVERTING, Server
from moorage.compute.quotas import limits_for
from moorage.compute.servers.claiming import Place
from moorage.compute.servers.consumers import MIGRATION, give_back, holding, release, resize_consumer
from moorage.compute.servers.errors import GroupInTheWay, ServerNotFound, WrongState
from moorage.compute.servers.group_rules import group_of
from moorage.compute.servers.quotas import check_growth
from moorage.compute.servers.settling import group_agrees
from moorage.compute.store import quotas
from moorage.compute.store import servers as server_store
from moorage.db.database import Transaction

_ATTEMPTS = 10


def confirm(compute: Compute, server: Server) -> None:
    """Keep the new flavor, and give back what was held before."""
    compute.write(_mark_confirming, server.uuid)
    finish_confirm(compute, server.uuid)


def revert(compute: Compute, server: Server) -> None:
    """Go back to the flavor and the place of before."""
    finish_revert(compute, compute.write(_mark_reverting, compute, server.uuid))


# --- the marks


def _mark_confirming(tx: Transaction, uuid: str) -> Server:
    return _marked(tx, uuid, lambda now: replace(_waiting(now, "confirmResize"), task_state=CONFIRMING))


def _mark_reverting(tx: Transaction, compute: Compute, uuid: str) -> Server:
    """The server counts again as what it was, if the quotas allow that; and its group must not mind the way back."""

    def marked(now: Server) -> Server:
        origin = _waiting(now, "revertResize").resize_origin
        if origin is None:
            raise WrongState(now, "revertResize")
        quotas.take_turn(tx, now.project_id)
        limits = limits_for(tx.connection, compute.settings, now.project_id, now.flavor, origin.flavor)
        check_growth(now.flavor, origin.flavor, limits, server_store.usage(tx.connection, now.project_id))
        group = group_of(tx.connection, now)
        if group is not None and not group_agrees(tx, group, [uuid], [Place(origin.provider_uuid, origin.host)]):
            raise GroupInTheWay(group)
        return replace(now, status="REVERT_RESIZE", task_state=REVERTING, flavor=origin.flavor)

    return _marked(tx, uuid, marked)


def _waiting(now: Server, what: str) -> Server:
    if now.status != "VERIFY_RESIZE" or now.task_state is not None:
        raise WrongState(now, what)
    return now


def _marked(tx: Transaction, uuid: str, make: server_store.Change) -> Server:
    changed = server_store.change(tx, uuid, make)
    if changed is None:
        raise ServerNotFound(uuid)
    return changed


# --- the ends, which the reconciler also comes to


def finish_resize(compute: Compute, uuid: str, place: Place) -> bool:
    """Record that a server has its new place; False if its group no longer allows that, because of others.

    ServerNotFound if it is no longer being resized; what was claimed for it is then taken back.
    """
    outcome = compute.write(_finish_resize, uuid, place)
    if outcome is None:
        abandon(compute, uuid)
        raise ServerNotFound(uuid)
    return outcome


def _finish_resize(tx: Transaction, uuid: str, place: Place) -> bool | None:
    server = server_store.find(tx.connection, uuid)
    group = None if server is None else group_of(tx.connection, server)
    if group is not None and not group_agrees(tx, group, [uuid], [place]):
        return False

    def moved(now: Server) -> Server | None:
        if now.task_state != RESIZING:
            return None
        return replace(now, status="VERIFY_RESIZE", task_state=None, host=place.host, provider_uuid=place.provider_uuid)

    return True if server_store.change(tx, uuid, moved) is not None else None


def undo_resize(compute: Compute, uuid: str) -> None:
    """Record that a server has stayed what it was, unless somebody else has the say about it by now."""
    compute.write(_undo, uuid, RESIZING)


def finish_confirm(compute: Compute, uuid: str) -> None:
    """Give back what was held before the resize, and forget it."""
    give_back(compute.placement, resize_consumer(uuid))

    def confirmed(now: Server) -> Server | None:
        if now.task_state != CONFIRMING:
            return None
        return replace(now, status="ACTIVE", task_state=None, resize_origin=None)

    compute.write(server_store.change, uuid, confirmed)


def finish_revert(compute: Compute, server: Server) -> None:
    """Let the server hold what it held before the resize, and be what it was."""
    take_back(compute, server)
    if compute.write(_undo, server.uuid, REVERTING) is None:
        abandon(compute, server.uuid)


def take_back(compute: Compute, server: Server) -> None:
    """Let a server hold again what its second consumer holds for it, unless it does already."""
    placement, second = compute.placement, resize_consumer(server.uuid)
    for attempt in range(1, _ATTEMPTS + 1):
        before, now = placement.allocations(second), placement.allocations(server.uuid)
        if before is None:
            return
        try:
            placement.post_allocations(
                {
                    server.uuid: holding(server, before.allocations, None if now is None else now.generation),
                    second: holding(server, {}, before.generation, MIGRATION),
                }
            )
        except Conflict:
            if attempt == _ATTEMPTS:
                raise
        else:
            return


def abandon(compute: Compute, uuid: str) -> None:
    """Undo in Placement what was done for a server that others have the say about by now: deleted, or reset."""
    now = compute.read(server_store.find, uuid)
    if now is None or now.task_state == DELETING:
        release(compute.placement, uuid)
    elif now.resize_origin is None:
        take_back(compute, now)


def _undo(tx: Transaction, uuid: str, task_state: str) -> Server | None:
    return server_store.change(tx, uuid, lambda now: as_before(now) if now.task_state == task_state else None)


def as_before(now: Server) -> Server:
    """A server as it was before its resize."""
    origin = now.resize_origin
    if origin is None:
        return now
    return replace(
        now,
        status="ACTIVE",
        task_state=None,
        flavor=origin.flavor,
        host=origin.host,
        provider_uuid=origin.provider_uuid,
        required_traits=origin.required_traits,
        resize_origin=None,
    )
