"""Projects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, RowMapping, delete, select

from moorage.db.database import Transaction
from moorage.identity.errors import NotFound
from moorage.identity.model import Project
from moorage.identity.store import changing
from moorage.identity.store.tables import project_grants, projects, tokens

_KIND = "project"


def listed(connection: Connection) -> list[Project]:
    """All of them, by name."""
    rows = connection.execute(select(projects).order_by(projects.c.name)).mappings()
    return [from_row(row) for row in rows]


def of_user(connection: Connection, user_id: str) -> list[Project]:
    """Those in which a user has a role, by name."""
    granted = select(project_grants.c.project_id).where(project_grants.c.user_id == user_id)
    rows = connection.execute(select(projects).where(projects.c.id.in_(granted)).order_by(projects.c.name)).mappings()
    return [from_row(row) for row in rows]


def find(connection: Connection, project_id: str) -> Project | None:
    """One of them, if it is there."""
    row = connection.execute(select(projects).where(projects.c.id == project_id)).mappings().first()
    return from_row(row) if row else None


def find_by_name(connection: Connection, name: str) -> Project | None:
    """The one with a name, if there is one."""
    row = connection.execute(select(projects).where(projects.c.name == name)).mappings().first()
    return from_row(row) if row else None


def get(connection: Connection, project_id: str) -> Project:
    """One that must be there."""
    found = find(connection, project_id)
    if found is None:
        raise NotFound(_KIND, project_id)
    return found


def add(tx: Transaction, project: Project) -> None:
    """A new one."""
    values = {name: getattr(project, name) for name in ("id", "name", "description", "enabled", "extra")}
    changing.add(tx, projects, _KIND, values)


def change(tx: Transaction, project_id: str, values: Mapping[str, Any]) -> Project:
    """One that is no longer enabled takes its tokens with it."""
    changing.change(tx, projects, _KIND, project_id, values)
    if values.get("enabled") is False:
        tx.connection.execute(delete(tokens).where(tokens.c.project_id == project_id))
    return get(tx.connection, project_id)


def remove(tx: Transaction, project_id: str) -> None:
    """With all that was granted in it."""
    changing.remove(tx, projects, _KIND, project_id)


def from_row(row: RowMapping) -> Project:
    """The value of a row of the table."""
    return Project(row["id"], row["name"], row["description"], row["enabled"], msgspec.json.decode(row["extra"]))
