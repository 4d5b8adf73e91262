"""Who has which role in which project, or in the whole system."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, Table, and_, delete, insert, literal, select, union_all

from moorage.db.database import Transaction
from moorage.identity.errors import NotFound
from moorage.identity.model import Grant, Role, Scope
from moorage.identity.store import changing, projects, roles, users
from moorage.identity.store.tables import project_grants, system_grants
from moorage.identity.store.tables import roles as roles_table

_IN_PROJECTS: Select[Any] = select(project_grants.c.user_id, project_grants.c.role_id, project_grants.c.project_id)
_IN_THE_SYSTEM: Select[Any] = select(
    system_grants.c.user_id, system_grants.c.role_id, literal(None).label("project_id")
)


def listed(connection: Connection) -> list[Grant]:
    """All of them, those for the system last."""
    rows = connection.execute(union_all(_IN_PROJECTS, _IN_THE_SYSTEM))
    grants = (Grant(row.user_id, row.role_id, row.project_id) for row in rows)
    return sorted(grants, key=lambda grant: (grant.project_id or "\U0010ffff", grant.user_id, grant.role_id))


def roles_of(connection: Connection, user_id: str, scope: Scope) -> list[Role]:
    """What was granted to a user where, by name; what the roles imply is not in it."""
    table, where = _place(user_id, scope)
    statement = select(roles_table).join(table, table.c.role_id == roles_table.c.id).where(where)
    return [roles.from_row(row) for row in connection.execute(statement.order_by(roles_table.c.name)).mappings()]


def add(tx: Transaction, grant: Grant) -> None:
    """Grant a role; once more is no mistake."""
    _require_parts(tx.connection, grant)
    if not exists(tx.connection, grant):
        table, _ = _place(grant.user_id, _scope(grant))
        values = {"user_id": grant.user_id, "role_id": grant.role_id}
        if grant.project_id is not None:
            values["project_id"] = grant.project_id
        tx.connection.execute(insert(table).values(**values))
        changing.mark(tx)


def exists(connection: Connection, grant: Grant) -> bool:
    """Whether it was granted."""
    table, where = _place(grant.user_id, _scope(grant))
    statement = select(table.c.role_id).where(where, table.c.role_id == grant.role_id)
    return connection.execute(statement).first() is not None


def require(connection: Connection, grant: Grant) -> None:
    """Refuse if it was not granted."""
    _require_parts(connection, grant)
    if not exists(connection, grant):
        raise NotFound("role assignment", _worded(grant))


def remove(tx: Transaction, grant: Grant) -> None:
    """Take a role away that was granted."""
    require(tx.connection, grant)
    table, where = _place(grant.user_id, _scope(grant))
    tx.connection.execute(delete(table).where(where, table.c.role_id == grant.role_id))
    changing.mark(tx)


def _scope(grant: Grant) -> Scope:
    return Scope(grant.project_id, is_system=grant.project_id is None)


def _place(user_id: str, scope: Scope) -> tuple[Table, Any]:
    if scope.project_id is None:
        return system_grants, and_(system_grants.c.user_id == user_id)
    return project_grants, and_(project_grants.c.user_id == user_id, project_grants.c.project_id == scope.project_id)


def _require_parts(connection: Connection, grant: Grant) -> None:
    users.get(connection, grant.user_id)
    roles.get(connection, grant.role_id)
    if grant.project_id is not None:
        projects.get(connection, grant.project_id)


def _worded(grant: Grant) -> str:
    where = "the system" if grant.project_id is None else f"project {grant.project_id}"
    return f"role {grant.role_id} of user {grant.user_id} in {where}"
