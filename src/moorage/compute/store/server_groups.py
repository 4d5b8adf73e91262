"""Server groups. Who is in one is known by the servers themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from moorage.compute.model.server_group import ServerGroup
from moorage.compute.store.among import among
from moorage.compute.store.errors import NotFound
from moorage.compute.store.server_tables import servers
from moorage.compute.store.tables import server_groups
from moorage.db.database import Transaction

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
        raise NotFound(f"Instance group {uuid} could not be found.")
    return _with_members(connection, rows)[0]


def count(connection: Connection, project_id: str) -> int:
    """How many groups a project has."""
    query = select(func.count()).select_from(server_groups).where(server_groups.c.project_id == project_id)
    return connection.execute(query).scalar_one()


def create(tx: Transaction, group: ServerGroup) -> ServerGroup:
    """A new group without members."""
    number = tx.connection.execute(
        insert(server_groups).values(
            uuid=group.uuid,
            name=group.name,
            project_id=group.project_id,
            user_id=group.user_id,
            policy=group.policy,
            max_server_per_host=group.max_server_per_host,
            created_at=tx.now,
            updated_at=tx.now,
        )
    ).inserted_primary_key[0]  # type: ignore[index]  # an insert of one row has one
    tx.changed(KIND, number)
    return group


def remove(tx: Transaction, uuid: str) -> None:
    """Remove a group; its servers stay, on their own."""
    number = lock(tx, uuid)
    tx.connection.execute(delete(server_groups).where(server_groups.c.id == number))


def lock(tx: Transaction, uuid: str) -> int:
    """The number of a group that nobody else changes, or adds servers to, meanwhile."""
    number: int | None = tx.connection.execute(
        select(server_groups.c.id).where(server_groups.c.uuid == uuid).with_for_update()
    ).scalar()
    if number is None:
        raise NotFound(f"Instance group {uuid} could not be found.")
    tx.changed(KIND, number)
    return number


def _with_members(connection: Connection, rows: Sequence[Any]) -> list[ServerGroup]:
    members: dict[str, list[str]] = defaultdict(list)
    uuids = [row.uuid for row in rows]
    for member in connection.execute(
        select(servers.c.uuid, servers.c.group_uuid)
        .where(among(servers.c.group_uuid, uuids), servers.c.group_uuid != "", servers.c.status != "DELETED")
        .order_by(servers.c.id)
    ):
        members[member.group_uuid].append(member.uuid)
    return [
        ServerGroup(
            uuid=row.uuid,
            name=row.name,
            project_id=row.project_id,
            user_id=row.user_id,
            policy=row.policy,
            max_server_per_host=row.max_server_per_host,
            members=tuple(members[row.uuid]),
        )
        for row in rows
    ]
