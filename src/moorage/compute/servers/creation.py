"""Servers are made: recorded, placed, and recorded with their places.

The record comes first, so that a process that is killed on the way leaves a server without resources, or resources
whose owner is known, and the reconciler can put either right (see `moorage.compute.audit`).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from random import SystemRandom

from moorage.client.errors import ClientError
from moorage.compute.context import Compute
from moorage.compute.hypervisors import compute_host
from moorage.compute.model.server import NO_VALID_HOST, PLACEMENT_AWAY, Server
from moorage.compute.placing.candidates import Candidate
from moorage.compute.placing.request import PlacementRequest, placement_request
from moorage.compute.placing.settings import placing_settings
from moorage.compute.servers.aggregate_check import claim_checked
from moorage.compute.servers.choosing import Rules
from moorage.compute.servers.claiming import Place, claim_at_once, find_and_claim
from moorage.compute.servers.consumers import holding, release
from moorage.compute.servers.errors import InvalidOrder, NoPlace
from moorage.compute.servers.group_rules import rules_for
from moorage.compute.servers.order import Order
from moorage.compute.servers.recording import record
from moorage.compute.servers.settling import fail, settle
from moorage.compute.store.catalogue import Catalogue
from moorage.compute.store.servers import Recorded

LOG = logging.getLogger(__name__)

# How often servers of a group are placed anew because others of the group were placed at the same time.
_GROUP_LOOKS = 8


def create(compute: Compute, catalogue: Catalogue, order: Order) -> tuple[Server, ...]:
    """Make servers and find places for them. What is refused leaves nothing behind; what finds no place is an ERROR."""
    request = requested(compute, catalogue, order)
    recorded = compute.write_jointly(order.project_id, lambda tx: record(tx, compute.settings, order, request))
    try:
        return _place(compute, order, request, recorded)
    except NoPlace as reason:
        return compute.write(fail, recorded, NO_VALID_HOST, reason.message, reason.details)
    except ClientError as error:
        LOG.warning("Placement did not do its part for the servers of %s: %s", order.project_id, error)
        for each in recorded:
            with suppress(ClientError):  # perhaps it has; what cannot be given back now is found by the reconciler
                release(compute.placement, each.server.uuid)
        return compute.write(fail, recorded, PLACEMENT_AWAY, "The Placement service did not do its part.", str(error))


def requested(compute: Compute, catalogue: Catalogue, order: Order) -> PlacementRequest:
    """What an order asks of Placement; a Refusal if it contradicts itself."""
    settings = placing_settings(compute.settings)
    request = placement_request(
        order.flavor, order.boot_image, catalogue.aggregates, settings, order.project_id, order.availability_zone
    )
    if order.host is None:
        return request
    host = compute_host(compute.placement, order.host)
    if host is None:
        raise InvalidOrder(f"Compute host {order.host} could not be found.")
    return request.at_host(host.uuid)


def _place(
    compute: Compute, order: Order, request: PlacementRequest, recorded: Sequence[Recorded]
) -> tuple[Server, ...]:
    servers = [each.server for each in recorded]

    def claim(request: PlacementRequest, rules: Rules) -> Sequence[Place]:
        return _claim(compute, request, servers, rules)

    def undo() -> None:
        for server in servers:
            release(compute.placement, server.uuid)

    for _ in range(_GROUP_LOOKS):
        rules = _rules(compute, order)
        places = claim_checked(compute, request, rules, claim, undo)
        settled = compute.write_jointly(order.project_id, lambda tx: settle(tx, order.group, recorded, places))  # noqa: B023 - called at once
        for server in servers:
            if settled is None or server.uuid not in settled:
                release(compute.placement, server.uuid)
        if settled is not None:
            return tuple(settled.get(server.uuid, server) for server in servers)
    raise NoPlace("No valid host was found. Other servers of the group were placed at the same time; try again.")


def _rules(compute: Compute, order: Order) -> Rules:
    settings, chance = placing_settings(compute.settings), SystemRandom()
    if order.group is None and not order.same_host and not order.different_host:
        return Rules(weigher=settings.weigher, chance=chance)
    return compute.read(rules_for, order, settings, chance)


def _claim(compute: Compute, request: PlacementRequest, servers: Sequence[Server], rules: Rules) -> Sequence[Place]:
    if len(servers) == 1 and (place := claim_at_once(compute.placement, request, servers[0], rules)) is not None:
        return [place]

    def claim(chosen: Sequence[Candidate]) -> None:
        wanted = {
            server.uuid: holding(server, candidate.allocations)
            for server, candidate in zip(servers, chosen, strict=True)
        }
        if len(wanted) == 1:
            [(uuid, allocations)] = wanted.items()
            compute.placement.put_allocations(uuid, allocations)
        else:
            compute.placement.post_allocations(wanted)

    return find_and_claim(compute.placement, request, len(servers), rules, claim)
