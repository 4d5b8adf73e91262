"""Users, and the stored forms of their passwords, which leave this module only to be compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, RowMapping, delete, func, select

from moorage.db.database import Transaction
from moorage.identity.errors import NotAuthenticated, NotFound
from moorage.identity.model import User
from moorage.identity.store import changing
from moorage.identity.store.tables import tokens, users

_KIND = "user"


def listed(connection: Connection) -> list[User]:
    """All of them, by name."""
    return [from_row(row) for row in connection.execute(select(users).order_by(users.c.name)).mappings()]


def are_there_any(connection: Connection) -> bool:
    """Whether anybody is known."""
    return bool(connection.execute(select(func.count()).select_from(users)).scalar())


def find(connection: Connection, user_id: str) -> User | None:
    """One of them, if they are there."""
    row = connection.execute(select(users).where(users.c.id == user_id)).mappings().first()
    return from_row(row) if row else None


def get(connection: Connection, user_id: str) -> User:
    """One who must be there."""
    found = find(connection, user_id)
    if found is None:
        raise NotFound(_KIND, user_id)
    return found


def with_password(
    connection: Connection, user_id: str | None, name: str | None = None
) -> tuple[User | None, str | None]:
    """A user by id or else by name, and the text that their password is compared with."""
    which = users.c.id == user_id if user_id is not None else users.c.name == name
    row = connection.execute(select(users).where(which)).mappings().first()
    return (from_row(row), row["password"]) if row else (None, None)


def add(tx: Transaction, user: User, password: str | None) -> None:
    """A new one, with the text for their password."""
    names = ("id", "name", "description", "enabled", "default_project_id", "extra")
    changing.add(tx, users, _KIND, {**{name: getattr(user, name) for name in names}, "password": password})


def change(tx: Transaction, user_id: str, values: Mapping[str, Any]) -> User:
    """Who gets another password, or is no longer enabled, loses all tokens."""
    changing.change(tx, users, _KIND, user_id, values)
    if "password" in values or values.get("enabled") is False:
        tx.connection.execute(delete(tokens).where(tokens.c.user_id == user_id))
    return get(tx.connection, user_id)


def replace_password(tx: Transaction, user_id: str, known: str | None, password: str) -> None:
    """Another password for somebody who has shown that they know the one they had, unless that has changed since."""
    row = select(users).where(users.c.id == user_id).with_for_update()
    now = tx.connection.execute(row).mappings().first()
    if now is None or not now["enabled"] or now["password"] != known:
        raise NotAuthenticated
    change(tx, user_id, {"password": password})


def remove(tx: Transaction, user_id: str) -> None:
    """With all that was granted to them."""
    changing.remove(tx, users, _KIND, user_id)


def from_row(row: RowMapping) -> User:
    """The value of a row of the table."""
    return User(
        row["id"],
        row["name"],
        row["description"],
        row["enabled"],
        row["default_project_id"],
        msgspec.json.decode(row["extra"]),
    )
