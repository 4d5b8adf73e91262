"""Servers are made: recorded, placed, and recorded with their places.

The record comes first, so that a process that is killed on the way leaves a server without resources, or resources
whose owner is known, and the reconciler can put either right (see `moorage.compute.audit`).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from random import SystemRandom
from uuid import uuid4

from moorage.client.errors import ClientError
from moorage.compute.context import Compute
from moorage.compute.model.server import Fault, Server
from moorage.compute.model.server_group import ServerGroup
from moorage.compute.placing.candidates import Candidate
from moorage.compute.placing.request import PlacementRequest, placement_request
from moorage.compute.placing.settings import placing_settings
from moorage.compute.quotas import effective_limits
from moorage.compute.servers.claiming import claim_at_once, find_and_claim
from moorage.compute.servers.consumers import holding, host_name, release
from moorage.compute.servers.errors import InvalidOrder, NoPlace, QuotaExceeded
from moorage.compute.servers.group_rules import agrees, members_of, rules_for
from moorage.compute.servers.order import Order
from moorage.compute.servers.quotas import allowed_count, check_metadata
from moorage.compute.store import aggregates, quotas, server_groups
from moorage.compute.store import servers as server_store
from moorage.compute.store.errors import NotFound
from moorage.db.database import Transaction

LOG = logging.getLogger(__name__)

# How often servers of a group are placed anew because others of the group were placed at the same time.
_GROUP_LOOKS = 8


def create(compute: Compute, order: Order) -> tuple[Server, ...]:
    """Make servers and find places for them. What is refused leaves nothing behind; what finds no place is an ERROR."""
    request = requested(compute, order)
    recorded = compute.write(_record, compute, order, request)
    try:
        return _place(compute, order, request, recorded)
    except NoPlace as reason:
        return compute.write(_fail, recorded, HTTPStatus.INTERNAL_SERVER_ERROR, str(reason))
    except ClientError as error:
        LOG.warning("Placement did not do its part for the servers of %s: %s", order.project_id, error)
        return compute.write(
            _fail, recorded, HTTPStatus.SERVICE_UNAVAILABLE, "The Placement service did not do its part.", str(error)
        )


def requested(compute: Compute, order: Order) -> PlacementRequest:
    """What an order asks of Placement; a Refusal if it contradicts itself."""
    known = compute.read(aggregates.all_aggregates)
    settings = placing_settings(compute.settings)
    request = placement_request(
        order.flavor, order.boot_image, known, settings, order.project_id, order.availability_zone
    )
    if order.host is None:
        return request
    host = compute.placement.provider_named(order.host)
    if host is None:
        raise InvalidOrder(f"Compute host {order.host} could not be found.")
    return request.at_host(host.uuid)


# --- the record


def _record(tx: Transaction, compute: Compute, order: Order, request: PlacementRequest) -> tuple[Server, ...]:
    quotas.take_turn(tx, order.project_id)
    limits = effective_limits(tx.connection, compute.settings, order.project_id)
    check_metadata(order.metadata, limits)
    used = server_store.usage(tx.connection, order.project_id)
    count = allowed_count(order.flavor, limits, used, order.least, order.most)
    named = [order.name] if order.most == 1 else [f"{order.name}-{number}" for number in range(1, count + 1)]
    servers = tuple(_new(tx, order, name, request) for name in named)
    server_store.add(tx, servers)
    if order.group is not None:
        group = server_groups.add_members(tx, order.group.uuid, [server.uuid for server in servers])
        most = limits.get("server_group_members", -1)
        if most >= 0 and len(group.members) > most:
            raise QuotaExceeded("Quota exceeded, too many servers in group")
    return servers


def _new(tx: Transaction, order: Order, name: str, request: PlacementRequest) -> Server:
    return Server(
        uuid=str(uuid4()),
        project_id=order.project_id,
        user_id=order.user_id,
        name=name,
        flavor=order.flavor,
        created_at=tx.now,
        updated_at=tx.now,
        description=order.description,
        image_uuid=None if order.image is None else order.image.uuid,
        image_properties=order.boot_image.properties,
        task_state="scheduling",
        metadata=order.metadata,
        tags=order.tags,
        availability_zone=order.availability_zone,
        group_uuid=None if order.group is None else order.group.uuid,
        required_traits=request.required_traits,
    )


# --- the places


def _place(compute: Compute, order: Order, request: PlacementRequest, servers: Sequence[Server]) -> tuple[Server, ...]:
    settings = placing_settings(compute.settings)

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

    for _ in range(_GROUP_LOOKS):
        rules = compute.read(rules_for, order, settings, SystemRandom())
        at_once = claim_at_once(compute.placement, request, servers[0], rules) if len(servers) == 1 else None
        chosen = (
            find_and_claim(compute.placement, request, len(servers), rules, claim) if at_once is None else (at_once,)
        )
        names = {host: host_name(compute.placement, host) for host in {candidate.host for candidate in chosen}}
        placed = [
            replace(server, host=names[candidate.host], provider_uuid=candidate.host)
            for server, candidate in zip(servers, chosen, strict=True)
        ]
        settled = compute.write(_settle, order, placed)
        for server in placed:
            if settled is None or server.uuid not in settled:
                release(compute.placement, server.uuid)
        if settled is not None:
            return tuple(settled.get(server.uuid, server) for server in placed)
    raise NoPlace("No valid host was found. Other servers of the group were placed at the same time; try again.")


def _settle(tx: Transaction, order: Order, placed: Sequence[Server]) -> dict[str, Server] | None:
    """Record the places; None if the group's policy is not kept, because others of it were placed meanwhile.

    A server that was deleted meanwhile is left out.
    """
    if order.group is not None and not _group_agrees(tx, order.group, placed):
        return None
    settled = {}
    for server in placed:
        changed = server_store.change(tx, server.uuid, partial(_with_place, tx, server))
        if changed is not None:
            settled[server.uuid] = changed
    return settled


def _group_agrees(tx: Transaction, group: ServerGroup, placed: Sequence[Server]) -> bool:
    """Whether a group's policy is kept with these; a group that was deleted meanwhile has none."""
    try:
        group = server_groups.add_members(tx, group.uuid, ())
    except NotFound:
        return True
    counts = dict(members_of(tx.connection, group, without=[server.uuid for server in placed]))
    for server in placed:
        if server.provider_uuid is not None:
            counts[server.provider_uuid] = counts.get(server.provider_uuid, 0) + 1
    return agrees(group, counts)


def _with_place(tx: Transaction, placed: Server, now: Server) -> Server | None:
    if now.status != "BUILD" or now.task_state != "scheduling":
        return None
    return replace(
        now,
        host=placed.host,
        provider_uuid=placed.provider_uuid,
        status="ACTIVE",
        task_state=None,
        launched_at=tx.now,
    )


def _fail(
    tx: Transaction, servers: Sequence[Server], code: HTTPStatus, message: str, details: str = ""
) -> tuple[Server, ...]:
    fault = Fault(code=code, message=message, created_at=tx.now, details=details)

    def failed(now: Server) -> Server | None:
        return replace(now, status="ERROR", task_state=None, fault=fault) if now.status == "BUILD" else None

    return tuple(server_store.change(tx, server.uuid, failed) or server for server in servers)
