"""One connection that is kept for one short question, asked before every answer.

SQLAlchemy's care for a statement takes longer than the statement: the driver is asked directly. Whenever that fails,
the ordinary way is taken instead, which knows how to try again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Engine, Select


class FeedConnection:
    """Asks single statements; not for several threads at a time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Any = None
        self._cursor: Any = None
        self._texts: dict[int, tuple[str, Mapping[str, Any]]] = {}
        # How often a question has found the connection broken.
        self.times_lost = 0

    def ask(self, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Sequence[Any]] | None:
        """The rows of a statement that is a constant of the program; None if it could not be asked."""
        if self._engine.dialect.name == "sqlite":
            return None  # its driver leaves dates as text
        if any(isinstance(value, list) for value in values.values()):
            return None  # its text depends on how many there are
        try:
            if self._cursor is None:
                self._connection = self._engine.raw_connection()
                self._cursor = self._connection.cursor()
            text, constants = self._text(statement)
            self._cursor.execute(text, {**constants, **values})
            rows: Sequence[Sequence[Any]] = self._cursor.fetchall()
        except Exception:  # noqa: BLE001 - whatever a driver may raise, it is asked again in the ordinary way
            self.close()
            self.times_lost += 1
            return None
        return rows

    def _text(self, statement: Select[Any]) -> tuple[str, Mapping[str, Any]]:
        known = self._texts.get(id(statement))
        if known is None:
            compiled = statement.compile(dialect=self._engine.dialect)
            known = self._texts[id(statement)] = (str(compiled), dict(compiled.params))
        return known

    def close(self) -> None:
        """Give the connection up; the next question opens another one."""
        if self._connection is not None:
            self._connection.invalidate()
        self._connection = self._cursor = None
