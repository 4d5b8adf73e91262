"""What was settled once about the cloud as a whole, such as the id of its free pool."""

from __future__ import annotations

from sqlalchemy import Connection, select

from moorage.db.database import Transaction
from moorage.db.statements import insert_ignoring_duplicates
from moorage.reservations.store.tables import reservation_facts


def set_if_missing(tx: Transaction, name: str, value: str) -> str:
    """The value of a setting: the one that was set first, by whomever."""
    known = read(tx.connection, name)
    if known is None:
        new = insert_ignoring_duplicates(tx.connection.dialect.name, reservation_facts)
        tx.connection.execute(new.values(name=name, value=value))
        tx.changed("reservation fact", 0)
        known = read(tx.connection, name)
    return value if known is None else known


def read(connection: Connection, name: str) -> str | None:
    """The value of a setting, if it was set."""
    return connection.execute(select(reservation_facts.c.value).where(reservation_facts.c.name == name)).scalar()
