"""What must be there before anybody can log in: the standard roles, and an administrator in a project.

Safe at every start and from several workers at once: ids are fixed, and what is there already is left alone. The
administrator of the admin token and the user made here are one and the same, by id.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, Table

from moorage.db.database import Database, Transaction, utc_now
from moorage.db.statements import insert_ignoring_duplicates
from moorage.identity.model import STANDARD_ROLES
from moorage.identity.passwords import Hasher
from moorage.identity.store import users
from moorage.identity.store.tables import project_grants, projects, roles, system_grants
from moorage.identity.store.tables import users as users_table

ADMIN_USER_ID = "admin"
ADMIN_PROJECT_ID = "admin"
# Services that act on behalf of the administrator are let in where services are.
_ADMIN_ROLES = ("admin", "service")


def bootstrap(database: Database, password: str, hasher: Hasher, *, is_new_password: bool) -> None:
    """Make what is missing. Somebody who took the old password away, and so got a new one, wants it to count."""
    if not database.read(users.are_there_any):
        hashed = hasher.hashed(password)
        database.tidy(lambda connection: _make_everything(database.dialect, connection, hashed))
    else:
        database.tidy(lambda connection: _make_roles(database.dialect, connection, utc_now()))
        if is_new_password and database.read(lambda connection: users.find(connection, ADMIN_USER_ID)):
            values = {"password": hasher.hashed(password)}

            def renew(tx: Transaction) -> None:
                users.change(tx, ADMIN_USER_ID, values)

            database.write(renew)


def _make_everything(dialect: str, connection: Connection, hashed: str) -> None:
    now = utc_now()
    _make_roles(dialect, connection, now)
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
        users_table,
        id=ADMIN_USER_ID,
        name="admin",
        description="The administrator, made at first start.",
        enabled=True,
        default_project_id=ADMIN_PROJECT_ID,
        password=hashed,
        extra="{}",
        created_at=now,
        updated_at=now,
    )
    for role in _ADMIN_ROLES:
        grant = {"user_id": ADMIN_USER_ID, "role_id": role}
        _ensure(dialect, connection, project_grants, **grant, project_id=ADMIN_PROJECT_ID)
    _ensure(dialect, connection, system_grants, user_id=ADMIN_USER_ID, role_id="admin")


def _make_roles(dialect: str, connection: Connection, now: datetime) -> None:
    for name in STANDARD_ROLES:
        _ensure(
            dialect, connection, roles, id=name, name=name, description="", extra="{}", created_at=now, updated_at=now
        )


def _ensure(dialect: str, connection: Connection, table: Table, **values: object) -> None:
    connection.execute(insert_ignoring_duplicates(dialect, table).values(**values))
