"""Whose turn it is to write what the calendar counts, and the number by which others learn of it."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from moorage.db.database import Transaction
from moorage.db.statements import insert_ignoring_duplicates
from moorage.reservations.store.tables import booking_turns

KIND = "booking turn"

_ONLY = 1


def take(tx: Transaction) -> int:
    """Wait until nobody else is at it; the revision of what this transaction writes.

    Whoever waits sees afterwards all that was written in the turns before. Take it before anything else is locked.
    """
    turn = update(booking_turns).where(booking_turns.c.id == _ONLY).values(turns=booking_turns.c.turns + 1)
    if not tx.connection.execute(turn).rowcount:
        new = insert_ignoring_duplicates(tx.connection.dialect.name, booking_turns)
        tx.connection.execute(new.values(id=_ONLY, turns=0))
        tx.connection.execute(turn)
    tx.changed(KIND, _ONLY)
    return last(tx.connection)


def last(connection: Connection) -> int:
    """The last turn that this connection can see; everything written in it or before it can be seen as well."""
    return connection.execute(select(booking_turns.c.turns).where(booking_turns.c.id == _ONLY)).scalar() or 0
