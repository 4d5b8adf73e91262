"""Whole transactions that are one message to the database.

A transaction of several statements holds its locks over all the ways to and fro, and over whatever keeps the process
busy in between. Where a database can be told everything at once, it holds them only while it works. SQLAlchemy's care
for a statement takes longer than the statement, so the driver is asked directly.

The price: when the connection breaks before the answer comes, nobody knows whether the message was carried out. So a
message must leave a mark by which that can be found out (`moorage.db.changes.is_recorded`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from moorage.db.faults import Fault, classify_cause


@dataclass(frozen=True, slots=True)
class Message:
    """A text in the database's own SQL, with places for values as the driver writes them."""

    text: str
    values: Sequence[Any]


class NotSent(Exception):
    """There was no connection to send a message over."""


class AnswerLost(Exception):
    """The connection broke before the answer came: the message may have been carried out, or not."""


class Busy(Exception):
    """Somebody holds what a message needs, and has not let go of it for as long as it waits. Nothing was written."""


class Messenger:
    """Sends messages over connections on which every message is a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def send(self, message: Message) -> Sequence[Any] | None:
        """The one row that a message is answered with; None if it was refused, and so nothing was written."""
        try:
            connection = self._engine.raw_connection()
        except SQLAlchemyError as error:
            raise NotSent from error
        try:
            cursor = connection.cursor()
            cursor.execute(message.text, message.values)
            row: Sequence[Any] | None = cursor.fetchone()
            cursor.close()
        except Exception as error:
            fault = classify_cause(error)
            if fault is Fault.COLLISION:
                # The database has undone everything, and the connection is as good as before.
                connection.close()
                raise Busy from error
            # Whatever else it is, nobody else shall find the connection in the middle of something.
            connection.invalidate()
            if fault is Fault.DISCONNECTED:
                raise AnswerLost from error
            if not isinstance(error, self._engine.dialect.loaded_dbapi.Error):
                raise
            return None
        connection.close()
        return row
