"""What all writes of the room have in common: the mark for the change feed, and names that may be there only once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Table, delete, insert, select, update

from moorage.db.database import Transaction
from moorage.identity.errors import Conflict, NotFound

_encode = msgspec.json.Encoder().encode


def mark(tx: Transaction) -> None:
    """Say that something was written; nobody follows this room, so it does not matter what."""
    tx.changed("identity", 0)


def add(tx: Transaction, table: Table, kind: str, values: Mapping[str, Any]) -> None:
    """A new row with a name that no other has."""
    _require_free(tx, table, kind, values["name"], values["id"])
    tx.connection.execute(insert(table).values(**_stored(values), created_at=tx.now, updated_at=tx.now))
    mark(tx)


def change(tx: Transaction, table: Table, kind: str, row_id: str, values: Mapping[str, Any]) -> None:
    """Other values for some columns of a row that must be there."""
    if "name" in values:
        _require_free(tx, table, kind, values["name"], row_id)
    statement = update(table).where(table.c.id == row_id).values(**_stored(values), updated_at=tx.now)
    if tx.connection.execute(statement).rowcount == 0:
        raise NotFound(kind, row_id)
    mark(tx)


def remove(tx: Transaction, table: Table, kind: str, row_id: str) -> None:
    """Delete a row that must be there, with all that belongs to it."""
    if tx.connection.execute(delete(table).where(table.c.id == row_id)).rowcount == 0:
        raise NotFound(kind, row_id)
    mark(tx)


def _require_free(tx: Transaction, table: Table, kind: str, name: str, row_id: str) -> None:
    taken = select(table.c.id).where(table.c.name == name, table.c.id != row_id)
    if tx.connection.execute(taken).first() is not None:
        raise Conflict(kind, name)


def _stored(values: Mapping[str, Any]) -> dict[str, Any]:
    stored = dict(values)
    if "extra" in stored:
        stored["extra"] = _encode(stored["extra"]).decode()
    return stored
