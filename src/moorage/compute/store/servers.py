"""Servers, kept and changed.

A change locks the row, reads the server as it is then, and writes what a function makes of it: so each step of a
longer story can say in which state it expects the server, and finds out if somebody else was faster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple, get_args

import msgspec
from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, select, update

from moorage.compute.model.quota import Amounts, amounts_of, separate_quota
from moorage.compute.model.server import RESIZING, Server, Status
from moorage.compute.store.server_tables import servers
from moorage.db.database import Transaction

DELETED = "DELETED"
# Named one by one, so that an index leads past those that are deleted.
_LIVING = [status for status in get_args(Status) if status != DELETED]

_encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Server).decode

# What a change makes of a server; None leaves it as it is.
Change = Callable[[Server], Server | None]

_INSERT = insert(servers).returning(servers.c.id, sort_by_parameter_order=True)
_SWAP = update(servers).where(servers.c.id == bindparam("number"), servers.c.document == bindparam("before"))
_USAGE = (
    select(servers.c.quota_name, func.count(), func.sum(servers.c.vcpus), func.sum(servers.c.ram_mb))
    .where(servers.c.project_id == bindparam("project_id"), servers.c.status.in_(_LIVING))
    .group_by(servers.c.quota_name)
)


class Recorded(NamedTuple):
    """A server as it was just recorded, and the number of its row."""

    number: int
    server: Server


def add(tx: Transaction, new: Sequence[Server]) -> tuple[Recorded, ...]:
    """Record servers that nobody knows yet."""
    numbers = tx.connection.execute(_INSERT, [columns_of(server) for server in new]).scalars().all()
    for number in numbers:
        tx.changed("server", number)
    return tuple(Recorded(number, server) for number, server in zip(numbers, new, strict=True))


def swap(tx: Transaction, before: Recorded, after: Server) -> bool:
    """Write what has become of a server that is still as it was recorded; False if it is not, and nothing is written.

    One statement, where `change` takes two.
    """
    unchanged = {"number": before.number, "before": _encoded(before.server)}
    if not tx.connection.execute(_SWAP, {**columns_of(after), **unchanged}).rowcount:
        return False
    tx.changed("server", before.number)
    return True


def find(connection: Connection, uuid: str) -> Server | None:
    """The server with this UUID, unless it is deleted."""
    found = connection.execute(
        select(servers.c.document).where(servers.c.uuid == uuid, servers.c.status != DELETED)
    ).scalar()
    return None if found is None else decode(found)


def change(tx: Transaction, uuid: str, make: Change) -> Server | None:
    """Lock a server and write what `make` makes of it; None if there is no such server or it was left as it is."""
    row = tx.connection.execute(
        select(servers.c.id, servers.c.document)
        .where(servers.c.uuid == uuid, servers.c.status != DELETED)
        .with_for_update()
    ).one_or_none()
    changed = None if row is None else make(decode(row.document))
    if row is None or changed is None:
        return None
    changed = replace(changed, updated_at=tx.now)
    tx.connection.execute(update(servers).where(servers.c.id == row.id).values(columns_of(changed)))
    tx.changed("server", row.id)
    return changed


def usage(connection: Connection, project_id: str) -> Amounts:
    """What a project's servers count towards its quotas."""
    rows = connection.execute(_USAGE, {"project_id": project_id})
    used = {"instances": 0, "cores": 0, "ram": 0}
    for name, count, vcpus, ram_mb in rows:
        used[name] = count
        used["cores"] += int(vcpus)
        used["ram"] += int(ram_mb)
    return used


def of_group(connection: Connection, group_uuid: str) -> tuple[Server, ...]:
    """The servers of a group."""
    return _all_where(connection, servers.c.group_uuid == group_uuid)


def some(connection: Connection, uuids: Sequence[str]) -> tuple[Server, ...]:
    """Those of the servers that are there."""
    if not uuids:
        return ()
    return _all_where(connection, servers.c.uuid.in_(uuids))


def on_host(connection: Connection, host: str) -> tuple[Server, ...]:
    """The servers with a place on a host, the oldest first."""
    return _all_where(connection, servers.c.host == host)


def everything(connection: Connection) -> tuple[Server, ...]:
    """All servers, deleted ones too: for those who look after them."""
    return tuple(decode(row.document) for row in connection.execute(select(servers.c.document).order_by(servers.c.id)))


def forget_deleted(tx: Transaction, before: datetime) -> int:
    """Remove what is left of servers that were deleted before a time; how many there were."""
    old = list(
        tx.connection.execute(
            select(servers.c.id).where(servers.c.status == DELETED, servers.c.updated_at < before)
        ).scalars()
    )
    for number in old:
        tx.connection.execute(delete(servers).where(servers.c.id == number))
        tx.changed("server", number)
    return len(old)


def _all_where(connection: Connection, condition: ColumnElement[bool]) -> tuple[Server, ...]:
    rows = connection.execute(
        select(servers.c.document).where(condition, servers.c.status != DELETED).order_by(servers.c.id)
    )
    return tuple(decode(row.document) for row in rows)


def _encoded(server: Server) -> str:
    return _encode(server).decode()


def _counted(server: Server) -> tuple[str, int, int]:
    """Towards which quota a server counts, and with how many processors and how much memory.

    Until it is known whether a server becomes what it is resized to, it may have to go back, so that the larger counts.
    """
    possible = [server.flavor]
    if server.task_state == RESIZING and server.resize_origin is not None:
        possible.append(server.resize_origin.flavor)
    amounts = [amounts_of(flavor) for flavor in possible]
    return (
        separate_quota(server.flavor) or "instances",
        max(amount.get("cores", 0) for amount in amounts),
        max(amount.get("ram", 0) for amount in amounts),
    )


def columns_of(server: Server) -> dict[str, Any]:
    """A server as a row."""
    quota_name, vcpus, ram_mb = _counted(server)
    return {
        "uuid": server.uuid,
        "project_id": server.project_id,
        "user_id": server.user_id,
        "name": server.name,
        "status": server.status,
        "task_state": server.task_state or "",
        "host": server.host or "",
        "availability_zone": server.availability_zone or "",
        "flavor_id": server.flavor.flavor_id,
        "image_uuid": server.image_uuid or "",
        "group_uuid": server.group_uuid or "",
        "quota_name": quota_name,
        "vcpus": vcpus,
        "ram_mb": ram_mb,
        "document": _encoded(server),
        "created_at": server.created_at,
        "updated_at": server.updated_at,
        "launched_at": server.launched_at,
    }
