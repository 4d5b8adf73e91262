"""Rows that must be there before anybody can log in, with fixed ids; what is there already is left alone.

Several workers may do this at once. Nobody needs to hear of it, so nothing is marked as changed.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, Table

from moorage.db.statements import insert_ignoring_duplicates
from moorage.identity.model import ADMIN_PROJECT_ID, ADMIN_USER_ID, STANDARD_ROLES
from moorage.identity.store.tables import project_grants, projects, roles, system_grants, users

# Services that act on behalf of the administrator are let in where services are.
_ADMIN_ROLES = ("admin", "service")


def make_everything(dialect: str, connection: Connection, hashed_password: str, now: datetime) -> None:
    """The standard roles, and an administrator in a project, for all of the system."""
    make_roles(dialect, connection, now)
    _ensure(
        dialect,
        connection,
        projects,
        id=ADMIN_PROJECT_ID,
        name="admin",
        description="The project of the administrator, made at first start.",
        enabled=True,
        extra="{}",
        created_at=now,
        updated_at=now,
    )
    _ensure(
        dialect,
        connection,
        users,
        id=ADMIN_USER_ID,
        name="admin",
        description="The administrator, made at first start.",
        enabled=True,
        default_project_id=ADMIN_PROJECT_ID,
        password=hashed_password,
        extra="{}",
        created_at=now,
        updated_at=now,
    )
    for role in _ADMIN_ROLES:
        grant = {"user_id": ADMIN_USER_ID, "role_id": role}
        _ensure(dialect, connection, project_grants, **grant, project_id=ADMIN_PROJECT_ID)
    _ensure(dialect, connection, system_grants, user_id=ADMIN_USER_ID, role_id="admin")


def make_roles(dialect: str, connection: Connection, now: datetime) -> None:
    """The standard roles."""
    for name in STANDARD_ROLES:
        _ensure(
            dialect, connection, roles, id=name, name=name, description="", extra="{}", created_at=now, updated_at=now
        )


def _ensure(dialect: str, connection: Connection, table: Table, **values: object) -> None:
    connection.execute(insert_ignoring_duplicates(dialect, table).values(**values))
