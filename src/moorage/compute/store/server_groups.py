"""Server groups and the servers in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from moorage.compute.model.server_group import ServerGroup
from moorage.compute.store.errors import NotFound
from moorage.compute.store.key_conditions import key_condition
from moorage.compute.store.tables import server_group_members, server_groups
from moorage.db.database import Transaction
from moorage.db.statements import inserted_number

KIND = "server group"


def groups(connection: Connection, project_id: str | None = None) -> list[ServerGroup]:
    """The groups of a project, or of all projects, in the order they were made."""
    query = select(server_groups).order_by(server_groups.c.id)
    if project_id is not None:
        query = query.where(server_groups.c.project_id == project_id)
    return _with_members(connection, connection.execute(query).all())


def find(connection: Connection, uuid: str) -> ServerGroup:
    """The group with a UUID."""
    rows = connection.execute(select(server_groups).where(server_groups.c.uuid == uuid)).all()
    if not rows:
        raise not_found(uuid)
    return _with_members(connection, rows)[0]


def not_found(uuid: str) -> NotFound:
    """How a group is missed, also by those who may not know of it."""
    return NotFound(f"Instance group {uuid} could not be found.")


def count(connection: Connection, project_id: str) -> int:
    """How many groups a project has."""
    query = select(func.count()).select_from(server_groups).where(server_groups.c.project_id == project_id)
    return connection.execute(query).scalar_one()


def create(tx: Transaction, group: ServerGroup) -> ServerGroup:
    """A new group without members."""
    number = inserted_number(
        tx.connection,
        server_groups,
        uuid=group.uuid,
        name=group.name,
        project_id=group.project_id,
        user_id=group.user_id,
        policy=group.policy,
        max_server_per_host=group.max_server_per_host,
        created_at=tx.now,
        updated_at=tx.now,
    )
    tx.changed(KIND, number)
    return group


def remove(tx: Transaction, uuid: str) -> None:
    """Remove a group; its servers stay, on their own."""
    number = _lock(tx, uuid)
    tx.connection.execute(delete(server_group_members).where(server_group_members.c.group_id == number))
    tx.connection.execute(delete(server_groups).where(server_groups.c.id == number))


def add_members(tx: Transaction, uuid: str, servers: Iterable[str]) -> ServerGroup:
    """Put servers into a group that nobody else changes meanwhile; the group with them."""
    number = _lock(tx, uuid)
    rows = [{"server_uuid": server, "group_id": number} for server in sorted(servers)]
    if rows:
        tx.connection.execute(insert(server_group_members), rows)
    return find(tx.connection, uuid)


def remove_member(tx: Transaction, server_uuid: str) -> None:
    """Take a server out of its group, if it is in any."""
    tx.connection.execute(delete(server_group_members).where(server_group_members.c.server_uuid == server_uuid))


def _lock(tx: Transaction, uuid: str) -> int:
    number: int | None = tx.connection.execute(
        select(server_groups.c.id).where(server_groups.c.uuid == uuid).with_for_update()
    ).scalar()
    if number is None:
        raise not_found(uuid)
    tx.changed(KIND, number)
    return number


def _with_members(connection: Connection, rows: Sequence[Any]) -> list[ServerGroup]:
    members: dict[int, list[str]] = defaultdict(list)
    for member in connection.execute(
        select(server_group_members)
        .where(key_condition(server_group_members.c.group_id, [row.id for row in rows]))
        .order_by(server_group_members.c.server_uuid)
    ):
        members[member.group_id].append(member.server_uuid)
    return [
        ServerGroup(
            uuid=row.uuid,
            name=row.name,
            project_id=row.project_id,
            user_id=row.user_id,
            policy=row.policy,
            max_server_per_host=row.max_server_per_host,
            members=tuple(members[row.id]),
        )
        for row in rows
    ]
