"""Servers change their flavor, and with it perhaps their host; until that is confirmed, it can be reverted.

What the server held before is then held by a second consumer, so that there is always a way back. Both are written in
one claim: the server never holds nothing, and never more than both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import SystemRandom

from moorage.client.errors import ClientError
from moorage.client.placement import ConsumerAllocations
from moorage.compute.context import Compute
from moorage.compute.model.flavor import Flavor
from moorage.compute.model.image import BootImage
from moorage.compute.model.server import ResizeOrigin, Server
from moorage.compute.placing.candidates import Candidate
from moorage.compute.placing.request import PlacementRequest, placement_request
from moorage.compute.placing.settings import placing_settings
from moorage.compute.quotas import effective_limits
from moorage.compute.servers.choosing import Rules
from moorage.compute.servers.claiming import find_and_claim
from moorage.compute.servers.consumers import MIGRATION, give_back, holding, host_name, resize_consumer
from moorage.compute.servers.errors import InvalidOrder, NoPlace, ServerNotFound, WrongState
from moorage.compute.servers.group_rules import members_of
from moorage.compute.servers.quotas import check_growth
from moorage.compute.store import aggregates, quotas, server_groups
from moorage.compute.store import servers as server_store
from moorage.compute.store.errors import NotFound
from moorage.db.database import Transaction

RESIZING = "resize_prep"
CONFIRMING = "resize_confirming"
REVERTING = "resize_reverting"


def resize(compute: Compute, server: Server, flavor: Flavor) -> Server:
    """The server with another flavor, waiting to be confirmed; NoPlace if no host can take it, and it is as it was."""
    if flavor == server.flavor:
        raise InvalidOrder("When resizing, instances must change flavor!")
    request = _request(compute, server, flavor)
    begun = compute.write(_begin, compute, server, flavor, request)
    try:
        chosen = _claim(compute, begun, request)
    except (NoPlace, ClientError):
        compute.write(_undo, server.uuid)
        raise
    return finish_resize(compute, server.uuid, chosen.host)


def confirm(compute: Compute, server: Server) -> None:
    """Keep the new flavor, and give back what was held before."""
    compute.write(_expect, server.uuid, "VERIFY_RESIZE", CONFIRMING, "confirmResize")
    finish_confirm(compute, server.uuid)


def revert(compute: Compute, server: Server) -> None:
    """Go back to the flavor and the place of before."""
    compute.write(_expect, server.uuid, "VERIFY_RESIZE", REVERTING, "revertResize")
    finish_revert(compute, server)


# --- the ends of each story, which the reconciler also comes to


def finish_resize(compute: Compute, uuid: str, provider_uuid: str) -> Server:
    """Record that a server has its new place."""
    name = host_name(compute.placement, provider_uuid)

    def moved(now: Server) -> Server | None:
        if now.task_state != RESIZING:
            return None
        return replace(now, status="VERIFY_RESIZE", task_state=None, host=name, provider_uuid=provider_uuid)

    return _changed(compute, uuid, moved)


def undo_resize(compute: Compute, uuid: str) -> None:
    """Record that a server has stayed what it was."""
    compute.write(_undo, uuid)


def finish_confirm(compute: Compute, uuid: str) -> None:
    """Give back what was held before the resize, and forget it."""
    give_back(compute.placement, resize_consumer(uuid))

    def confirmed(now: Server) -> Server | None:
        if now.task_state != CONFIRMING:
            return None
        return replace(now, status="ACTIVE", task_state=None, resize_origin=None)

    _changed(compute, uuid, confirmed)


def finish_revert(compute: Compute, server: Server) -> None:
    """Let the server hold what it held before the resize, unless it does already."""
    before = compute.placement.allocations(resize_consumer(server.uuid))
    if before is not None:
        now = compute.placement.allocations(server.uuid)
        compute.placement.post_allocations(
            {
                server.uuid: holding(server, before.allocations, None if now is None else now.generation),
                resize_consumer(server.uuid): holding(server, {}, before.generation, MIGRATION),
            }
        )
    compute.write(_undo, server.uuid)


# --- the steps


def _request(compute: Compute, server: Server, flavor: Flavor) -> PlacementRequest:
    image = BootImage(server.image_uuid or "", server.image_properties)
    return placement_request(
        flavor,
        image,
        compute.read(aggregates.all_aggregates),
        placing_settings(compute.settings),
        server.project_id,
        server.availability_zone,
    )


def _begin(tx: Transaction, compute: Compute, server: Server, flavor: Flavor, request: PlacementRequest) -> Server:
    quotas.take_turn(tx, server.project_id)
    limits = effective_limits(tx.connection, compute.settings, server.project_id)
    check_growth(server.flavor, flavor, limits, server_store.usage(tx.connection, server.project_id))

    def begun(now: Server) -> Server:
        if now.status != "ACTIVE" or now.task_state is not None or now.host is None or now.provider_uuid is None:
            raise WrongState(now, "resize")
        origin = ResizeOrigin(
            flavor=now.flavor, host=now.host, provider_uuid=now.provider_uuid, required_traits=now.required_traits
        )
        return replace(
            now,
            status="RESIZE",
            task_state=RESIZING,
            flavor=flavor,
            required_traits=request.required_traits,
            resize_origin=origin,
        )

    changed = server_store.change(tx, server.uuid, begun)
    if changed is None:
        raise ServerNotFound(server.uuid)
    return changed


def _claim(compute: Compute, server: Server, request: PlacementRequest) -> Candidate:
    held = compute.placement.allocations(server.uuid)
    if held is None:
        raise NoPlace(f"The server {server.uuid} holds nothing in Placement; `moorage audit` puts that right.")

    def claim(chosen: Sequence[Candidate]) -> None:
        compute.placement.post_allocations(_moved(server, held, chosen[0]))

    return find_and_claim(compute.placement, request, 1, _rules(compute, server), claim)[0]


def _moved(server: Server, held: ConsumerAllocations, place: Candidate) -> dict[str, ConsumerAllocations]:
    return {
        server.uuid: holding(server, place.allocations, held.generation),
        resize_consumer(server.uuid): holding(server, held.allocations, None, MIGRATION),
    }


def _rules(compute: Compute, server: Server) -> Rules:
    group = None
    if server.group_uuid is not None:
        try:
            group = compute.read(server_groups.find, server.group_uuid)
        except NotFound:
            group = None  # the group is gone, and its rules with it
    members = compute.read(members_of, group, [server.uuid])
    weigher = placing_settings(compute.settings).weigher
    return Rules(weigher=weigher, chance=SystemRandom(), group=group, members=members)


def _undo(tx: Transaction, uuid: str) -> None:
    def as_before(now: Server) -> Server | None:
        if now.resize_origin is None or now.task_state not in (RESIZING, REVERTING):
            return None  # somebody else was faster, and deletes it perhaps
        origin = now.resize_origin
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

    server_store.change(tx, uuid, as_before)


def _expect(tx: Transaction, uuid: str, status: str, task_state: str, what: str) -> None:
    def marked(now: Server) -> Server:
        if now.status != status or now.task_state is not None:
            raise WrongState(now, what)
        return replace(now, task_state=task_state)

    if server_store.change(tx, uuid, marked) is None:
        raise ServerNotFound(uuid)


def _changed(compute: Compute, uuid: str, make: server_store.Change) -> Server:
    changed = compute.write(server_store.change, uuid, make)
    if changed is None:
        raise ServerNotFound(uuid)
    return changed
