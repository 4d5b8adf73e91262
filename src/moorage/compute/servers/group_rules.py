"""What server groups and hints say about hosts, from what is on record about the servers that they name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from sqlalchemy import Connection

from moorage.compute.model.server import Server
from moorage.compute.model.server_group import ServerGroup
from moorage.compute.placing.groups import Members
from moorage.compute.placing.settings import PlacingSettings
from moorage.compute.servers.choosing import Rules
from moorage.compute.servers.order import Order
from moorage.compute.store import servers as server_store


def rules_for(connection: Connection, order: Order, settings: PlacingSettings, chance: Random) -> Rules:
    """What decides between the candidates for an order."""
    same = _providers(server_store.some(connection, order.same_host))
    return Rules(
        weigher=settings.weigher,
        chance=chance,
        group=order.group,
        members=members_of(connection, order.group),
        only=same if order.same_host else None,
        never=_providers(server_store.some(connection, order.different_host)),
    )


def members_of(connection: Connection, group: ServerGroup | None, without: Iterable[str] = ()) -> Members:
    """How many servers of a group each host has, leaving some out."""
    if group is None:
        return {}
    left_out = set(without)
    return Counter(
        server.provider_uuid
        for server in server_store.of_group(connection, group.uuid)
        if server.provider_uuid is not None and server.uuid not in left_out
    )


def agrees(group: ServerGroup, members: Members) -> bool:
    """Whether the places of a group's servers are as its policy demands."""
    if group.policy == "affinity":
        return sum(1 for number in members.values() if number) <= 1
    most = group.most_per_host
    return most is None or all(number <= most for number in members.values())


def _providers(servers: Iterable[Server]) -> frozenset[str]:
    return frozenset(server.provider_uuid for server in servers if server.provider_uuid is not None)
