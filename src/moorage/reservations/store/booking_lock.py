"""The lock under which all is written that the calendar counts, and the revisions by which others learn of it."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from moorage.db.database import Transaction
from moorage.db.statements import insert_ignoring_duplicates
from moorage.reservations.store.tables import booking_turns

# The word stands in databases: workers of other releases look for it in the feed.
KIND = "booking turn"

_ONLY = 1


def acquire(tx: Transaction) -> int:
    """Wait until nobody else is at it; the revision of what this transaction writes.

    Whoever waits sees afterwards all that was written under the lock before. Acquire it before anything else is locked.
    """
    next_revision = update(booking_turns).where(booking_turns.c.id == _ONLY).values(turns=booking_turns.c.turns + 1)
    if not tx.connection.execute(next_revision).rowcount:
        new = insert_ignoring_duplicates(tx.connection.dialect.name, booking_turns)
        tx.connection.execute(new.values(id=_ONLY, turns=0))
        tx.connection.execute(next_revision)
    tx.changed(KIND, _ONLY)
    return last_revision(tx.connection)


def last_revision(connection: Connection) -> int:
    """The last revision that this connection can see; everything written in it or before it can be seen as well."""
    return connection.execute(select(booking_turns.c.turns).where(booking_turns.c.id == _ONLY)).scalar() or 0
