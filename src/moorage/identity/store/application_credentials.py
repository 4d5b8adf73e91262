"""Application credentials, and the stored forms of their secrets, which leave this module only to be compared."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, delete, insert, select

from moorage.db.database import Transaction
from moorage.identity.errors import Conflict, NotFound
from moorage.identity.model import ApplicationCredential, Role
from moorage.identity.store import changing, roles
from moorage.identity.store.tables import application_credential_roles, application_credentials
from moorage.identity.store.tables import roles as roles_table

_KIND = "application credential"


def of_user(connection: Connection, user_id: str) -> list[ApplicationCredential]:
    """Those of a user, by name."""
    statement = (
        select(application_credentials)
        .where(application_credentials.c.user_id == user_id)
        .order_by(application_credentials.c.name)
    )
    return [credential for credential, _ in _read(connection, statement)]


def get(connection: Connection, user_id: str, credential_id: str) -> ApplicationCredential:
    """One of a user that must be there."""
    credential, _ = with_secret(connection, credential_id=credential_id)
    if credential is None or credential.user_id != user_id:
        raise NotFound(_KIND, credential_id)
    return credential


def with_secret(
    connection: Connection, *, credential_id: str | None = None, user_id: str | None = None, name: str | None = None
) -> tuple[ApplicationCredential | None, str | None]:
    """One by its id, or by its user and name, and the text that its secret is compared with."""
    statement = select(application_credentials)
    if credential_id is not None:
        statement = statement.where(application_credentials.c.id == credential_id)
    else:
        statement = statement.where(
            application_credentials.c.user_id == user_id, application_credentials.c.name == name
        )
    return next(iter(_read(connection, statement)), (None, None))


def add(tx: Transaction, credential: ApplicationCredential, secret: str) -> None:
    """A new one, with the text for its secret."""
    taken, _ = with_secret(tx.connection, user_id=credential.user_id, name=credential.name)
    if taken is not None:
        raise Conflict(_KIND, credential.name)
    names = ("id", "user_id", "project_id", "name", "description", "unrestricted", "expires_at")
    values = {name: getattr(credential, name) for name in names}
    tx.connection.execute(
        insert(application_credentials).values(**values, secret=secret, created_at=tx.now, updated_at=tx.now)
    )
    passed_on = [{"credential_id": credential.id, "role_id": role.id} for role in credential.roles]
    tx.connection.execute(insert(application_credential_roles), passed_on)
    changing.mark(tx)


def remove(tx: Transaction, user_id: str, credential_id: str) -> None:
    """With its tokens."""
    get(tx.connection, user_id, credential_id)
    tx.connection.execute(delete(application_credentials).where(application_credentials.c.id == credential_id))
    changing.mark(tx)


def _read(connection: Connection, statement: Select[Any]) -> list[tuple[ApplicationCredential, str]]:
    rows = connection.execute(statement).mappings().all()
    passed_on = _roles(connection, [row["id"] for row in rows])
    return [(_from_row(row, tuple(passed_on[row["id"]])), row["secret"]) for row in rows]


def _roles(connection: Connection, credential_ids: list[str]) -> defaultdict[str, list[Role]]:
    found: defaultdict[str, list[Role]] = defaultdict(list)
    statement = (
        select(application_credential_roles.c.credential_id, roles_table)
        .join(roles_table, roles_table.c.id == application_credential_roles.c.role_id)
        .where(application_credential_roles.c.credential_id.in_(credential_ids))
        .order_by(roles_table.c.name)
    )
    for row in connection.execute(statement).mappings():
        found[row["credential_id"]].append(roles.from_row(row))
    return found


def _from_row(row: RowMapping, passed_on: tuple[Role, ...]) -> ApplicationCredential:
    return ApplicationCredential(
        id=row["id"],
        user_id=row["user_id"],
        project_id=row["project_id"],
        name=row["name"],
        description=row["description"],
        roles=passed_on,
        unrestricted=row["unrestricted"],
        expires_at=row["expires_at"],
    )
