"""What server groups and hints say about hosts, from what is on record about the servers that they name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from sqlalchemy import Connection

from moorage.compute.model.server import Server
from moorage.compute.model.server_group import ServerGroup
from moorage.compute.placing.groups import Members
from moorage.compute.placing.settings import PlacingSettings
from moorage.compute.servers.choosing import Rules
from moorage.compute.servers.order import Order
from moorage.compute.store import server_groups
from moorage.compute.store import servers as server_store
from moorage.compute.store.errors import NotFound


def rules_for(connection: Connection, order: Order, settings: PlacingSettings, chance: Random) -> Rules:
    """What decides between the candidates for an order."""
    same = _providers(connection, order, order.same_host)
    return Rules(
        weigher=settings.weigher,
        chance=chance,
        group=order.group,
        members=members_of(connection, order.group),
        only=same if order.same_host else None,
        never=_providers(connection, order, order.different_host),
    )


def members_of(connection: Connection, group: ServerGroup | None, without: Iterable[str] = ()) -> Members:
    """How many servers of a group each host has, leaving some out."""
    if group is None:
        return {}
    left_out = set(without)
    members = [server for server in server_store.of_group(connection, group.uuid) if server.uuid not in left_out]
    return Counter(place for server in members for place in _places(group, server))


def _places(group: ServerGroup, server: Server) -> frozenset[str]:
    """The hosts that a server of a group is on; those that keep apart also keep the way back of a resize free."""
    places = {server.provider_uuid}
    if group.policy in ("anti-affinity", "soft-anti-affinity") and server.resize_origin is not None:
        places.add(server.resize_origin.provider_uuid)
    return frozenset(place for place in places if place is not None)


def group_of(connection: Connection, server: Server) -> ServerGroup | None:
    """The group of a server; None if it has none, or the group is gone and its rules with it."""
    if server.group_uuid is None:
        return None
    try:
        return server_groups.find(connection, server.group_uuid)
    except NotFound:
        return None


def agrees(group: ServerGroup, members: Members) -> bool:
    """Whether the places of a group's servers are as its policy demands."""
    if group.policy == "affinity":
        return sum(1 for number in members.values() if number) <= 1
    most = group.most_per_host
    return most is None or all(number <= most for number in members.values())


def _providers(connection: Connection, order: Order, servers: Sequence[str]) -> frozenset[str]:
    """Where servers are that somebody names; those of other projects are as if they did not exist."""
    return frozenset(
        server.provider_uuid
        for server in server_store.some(connection, servers)
        if server.provider_uuid is not None and server.project_id == order.project_id
    )
