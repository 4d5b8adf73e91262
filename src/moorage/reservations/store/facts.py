"""What the room has to remember about the cloud as a whole."""

from __future__ import annotations

from sqlalchemy import Connection, select

from moorage.db.database import Transaction
from moorage.db.statements import insert_ignoring_duplicates
from moorage.reservations.store.tables import reservation_facts


def first(tx: Transaction, name: str, value: str) -> str:
    """What is remembered under a name: whatever was said first, by whomever."""
    known = read(tx.connection, name)
    if known is None:
        new = insert_ignoring_duplicates(tx.connection.dialect.name, reservation_facts)
        tx.connection.execute(new.values(name=name, value=value))
        tx.changed("reservation fact", 0)
        known = read(tx.connection, name)
    return value if known is None else known


def read(connection: Connection, name: str) -> str | None:
    """What is remembered under a name."""
    return connection.execute(select(reservation_facts.c.value).where(reservation_facts.c.name == name)).scalar()
