"""The change feed: one row for everything a committed write has touched, written as its last statement.

Whoever keeps a copy of the ledger in memory reads it to learn what to read again. The row also proves that a
transaction was committed when the connection broke before the answer came (see `database.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import BigInteger, Column, Connection, DateTime, String, Table, insert, select
from sqlalchemy.exc import IntegrityError

from moorage.db.schema import TABLE_OPTIONS, Identifier, metadata

changes = Table(
    "changes",
    metadata,
    # Taken when the row is written, not when it is committed: a reader may meet numbers out of order.
    Column("seq", Identifier, primary_key=True, autoincrement=True),
    Column("kind", String(32), nullable=False),
    Column("key", BigInteger, nullable=False),
    # The same random text for all rows of one transaction.
    Column("marker", String(32), nullable=False),
    Column("created_at", DateTime, nullable=False, index=True),
    sqlite_autoincrement=True,  # a number is never used twice, also after old rows were pruned
    **TABLE_OPTIONS,
)


_INSERT = insert(changes).returning(changes.c.seq)


@dataclass(frozen=True, slots=True)
class Change:
    """Something was written: a `kind` of thing ("provider", "trait", …) and the number of its row."""

    kind: str
    key: int


@dataclass(frozen=True, slots=True)
class CommitMark:
    """How to recognise a transaction afterwards."""

    seq: int
    marker: str


def record(connection: Connection, touched: Sequence[Change], marker: str, now: object) -> CommitMark:
    """Write the feed's rows for one transaction; nothing may be written after them."""
    rows = [{"kind": change.kind, "key": change.key, "marker": marker, "created_at": now} for change in touched]
    seq = connection.execute(_INSERT, rows).scalars().first()
    if seq is None:
        raise AssertionError("the database returned no number for a change")
    return CommitMark(seq, marker)


def is_recorded(connection: Connection, marker: str, at: object) -> bool:
    """Whether a transaction with this marker, recorded at this time, is committed by now."""
    rows = select(changes.c.seq).where(changes.c.created_at == at, changes.c.marker == marker).limit(1)
    return connection.execute(rows).first() is not None


def was_committed(connection: Connection, mark: CommitMark, now: object) -> bool:
    """Whether the transaction with this mark was committed, waiting for it if it still is on its way.

    Reading alone cannot tell "rolled back" from "not yet visible". Writing the same primary key can: the database
    makes us wait for the other transaction and then either refuses (it was committed) or accepts (it never was).
    The caller rolls the attempt back.
    """
    attempt = insert(changes).values(seq=mark.seq, kind="probe", key=0, marker="", created_at=now)
    try:
        with connection.begin_nested():
            connection.execute(attempt)
    except IntegrityError:
        stored = connection.execute(select(changes.c.marker).where(changes.c.seq == mark.seq)).scalar()
        return stored == mark.marker
    return False
