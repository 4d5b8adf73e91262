"""Roles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, RowMapping, select

from moorage.db.database import Transaction
from moorage.identity.errors import NotAllowed, NotFound
from moorage.identity.model import STANDARD_ROLES, Role
from moorage.identity.store import changing
from moorage.identity.store.tables import roles

_KIND = "role"


def listed(connection: Connection) -> list[Role]:
    """All of them, by name."""
    return [from_row(row) for row in connection.execute(select(roles).order_by(roles.c.name)).mappings()]


def get(connection: Connection, role_id: str) -> Role:
    """One that must be there."""
    row = connection.execute(select(roles).where(roles.c.id == role_id)).mappings().first()
    if row is None:
        raise NotFound(_KIND, role_id)
    return from_row(row)


def add(tx: Transaction, role: Role) -> None:
    """A new one."""
    changing.add(tx, roles, _KIND, {name: getattr(role, name) for name in ("id", "name", "description", "extra")})


def change(tx: Transaction, role_id: str, values: Mapping[str, Any]) -> Role:
    """Other values, but not for those that policies count on."""
    _require_own(tx, role_id)
    changing.change(tx, roles, _KIND, role_id, values)
    return get(tx.connection, role_id)


def remove(tx: Transaction, role_id: str) -> None:
    """With every grant of it."""
    _require_own(tx, role_id)
    changing.remove(tx, roles, _KIND, role_id)


def _require_own(tx: Transaction, role_id: str) -> None:
    name = get(tx.connection, role_id).name
    if name in STANDARD_ROLES:
        raise NotAllowed(f"The role {name} is immutable: policies count on it.")


def from_row(row: RowMapping) -> Role:
    """The value of a row of the table."""
    return Role(row["id"], row["name"], row["description"], msgspec.json.decode(row["extra"]))
