"""Servers change their flavor, and with it perhaps their host; until that is confirmed, it can be reverted.

What the server held before is then held by a second consumer, so that there is always a way back. Both are written in
one claim: the server never holds nothing, and never more than both. How it ends is in `resize_outcomes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import SystemRandom

from moorage.client.errors import ClientError, Conflict
from moorage.client.placement import ConsumerAllocations, PlacementClient
from moorage.compute.context import Compute
from moorage.compute.model.flavor import Flavor
from moorage.compute.model.server import RESIZING, ResizeOrigin, Server
from moorage.compute.model.server_group import ServerGroup
from moorage.compute.placing.candidates import Candidate
from moorage.compute.placing.request import PlacementRequest, placement_request
from moorage.compute.placing.settings import placing_settings
from moorage.compute.quotas import limits_for
from moorage.compute.servers.aggregate_check import claim_checked
from moorage.compute.servers.choosing import Rules
from moorage.compute.servers.claiming import Place, find_and_claim
from moorage.compute.servers.consumers import MIGRATION, holding, resize_consumer
from moorage.compute.servers.errors import InvalidOrder, NoPlace, ServerNotFound, WrongState
from moorage.compute.servers.group_rules import group_of, members_of
from moorage.compute.servers.quotas import check_growth
from moorage.compute.servers.resize_outcomes import finish_resize, take_back, undo_resize
from moorage.compute.servers.sizes import check_sizes
from moorage.compute.store import quotas
from moorage.compute.store import servers as server_store
from moorage.compute.store.catalogue import Catalogue
from moorage.db.database import Transaction

# How often a server of a group is placed anew because others of the group were placed at the same time.
_GROUP_LOOKS = 8


def resize(compute: Compute, catalogue: Catalogue, server: Server, flavor: Flavor) -> None:
    """Give a server another flavor, which waits to be confirmed; NoPlace, with nothing changed, if no host takes it."""
    begun, request = compute.write(_begin, compute, catalogue, server.uuid, flavor)
    try:
        _move(compute, begun, request)
    except NoPlace:
        undo_resize(compute, begun.uuid)
        raise
    except ClientError:
        # Nobody knows what Placement has heard. If it cannot be asked now, the mark stays for the reconciler.
        take_back(compute, begun)
        undo_resize(compute, begun.uuid)
        raise


def _move(compute: Compute, server: Server, request: PlacementRequest) -> None:
    def claim(request: PlacementRequest, rules: Rules) -> Sequence[Place]:
        return find_and_claim(compute.placement, request, 1, rules, _Claim(compute.placement, server).take)

    def undo() -> None:
        take_back(compute, server)

    for _ in range(_GROUP_LOOKS):
        [place] = claim_checked(compute, request, _rules(compute, server), claim, undo)
        if finish_resize(compute, server.uuid, place):
            return
        undo()
    raise NoPlace("No valid host was found. Other servers of the group were placed at the same time; try again.")


def _begin(
    tx: Transaction, compute: Compute, catalogue: Catalogue, uuid: str, flavor: Flavor
) -> tuple[Server, PlacementRequest]:
    """Mark a server as being resized, within the quotas; and what to ask for, with its image as it is now."""
    request: list[PlacementRequest] = []

    def begun(now: Server) -> Server:
        if now.status != "ACTIVE" or now.task_state is not None or now.host is None or now.provider_uuid is None:
            raise WrongState(now, "resize")
        if flavor == now.flavor:
            raise InvalidOrder("When resizing, instances must change flavor!")
        _check_disk(now, flavor)
        quotas.take_turn(tx, now.project_id)
        limits = limits_for(tx.connection, compute.settings, now.project_id, now.flavor, flavor)
        check_growth(now.flavor, flavor, limits, server_store.usage(tx.connection, now.project_id))
        settings = placing_settings(compute.settings)
        wanted = placement_request(
            flavor, now.boot_image, catalogue.aggregates, settings, now.project_id, now.availability_zone
        )
        request.append(wanted)
        origin = ResizeOrigin(
            flavor=now.flavor, host=now.host, provider_uuid=now.provider_uuid, required_traits=now.required_traits
        )
        return replace(
            now,
            status="RESIZE",
            task_state=RESIZING,
            flavor=flavor,
            required_traits=wanted.required_traits,
            resize_origin=origin,
        )

    changed = server_store.change(tx, uuid, begun)
    if changed is None:
        raise ServerNotFound(uuid)
    return changed, request[0]


def _check_disk(server: Server, flavor: Flavor) -> None:
    """Refuse a flavor that is too small for what the server was made from, or would take its disk away."""
    check_sizes(flavor, server.image_minimum)
    if server.image_uuid is not None and server.flavor.disk_gb and not flavor.disk_gb:
        raise InvalidOrder("Resize to zero disk flavor is not allowed.")


def _rules(compute: Compute, server: Server) -> Rules:
    group: ServerGroup | None = compute.read(group_of, server)
    members = compute.read(members_of, group, [server.uuid])
    weigher = placing_settings(compute.settings).weigher
    return Rules(weigher=weigher, chance=SystemRandom(), group=group, members=members)


class _Claim:
    """Takes a new place for a server, and keeps the old one for the way back."""

    def __init__(self, placement: PlacementClient, server: Server) -> None:
        self._placement = placement
        self._server = server
        self._held = self._read()

    def take(self, chosen: Sequence[Candidate]) -> None:
        """Take a place; Conflict if it is lost to others."""
        server, held = self._server, self._held
        try:
            self._placement.post_allocations(
                {
                    server.uuid: holding(server, chosen[0].allocations, held.generation),
                    resize_consumer(server.uuid): holding(server, held.allocations, None, MIGRATION),
                }
            )
        except Conflict:
            # Perhaps it is the server that has changed, and not the place that is gone.
            self._held = self._read()
            raise

    def _read(self) -> ConsumerAllocations:
        held = self._placement.allocations(self._server.uuid)
        if held is None:
            raise NoPlace(
                f"The server {self._server.uuid} holds nothing in Placement; `moorage audit` puts that right."
            )
        return held
