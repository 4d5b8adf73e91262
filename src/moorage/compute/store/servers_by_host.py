"""The servers of each host, as far as hosts are concerned: their UUIDs and names, and how many they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from moorage.compute.store.server_tables import servers

_DELETED = "DELETED"


@dataclass(frozen=True, slots=True)
class HostedServer:
    """A server on a host."""

    uuid: str
    name: str


def servers_by_host(connection: Connection, host: str | None = None) -> Mapping[str, Sequence[HostedServer]]:
    """The servers of one host, or of all, by host."""
    query = select(servers.c.host, servers.c.uuid, servers.c.name).where(servers.c.status != _DELETED)
    query = query.where(servers.c.host == host) if host is not None else query.where(servers.c.host != "")
    found: dict[str, list[HostedServer]] = defaultdict(list)
    for row in connection.execute(query.order_by(servers.c.id)):
        found[row.host].append(HostedServer(row.uuid, row.name))
    return found


def server_counts(connection: Connection) -> Mapping[str, int]:
    """How many servers each host has; none for those without any."""
    rows = connection.execute(
        select(servers.c.host, func.count())
        .where(servers.c.status != _DELETED, servers.c.host != "")
        .group_by(servers.c.host)
    )
    return {host: number for host, number in rows}  # noqa: C416 - a row is no pair to mypy
