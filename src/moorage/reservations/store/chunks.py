"""Rows that belong to some others, read with as many statements as it takes to name those."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select

# Databases bound how many parameters a statement may have.
_AT_ONCE = 500


def rows_of(
    connection: Connection, query: Select[Any], column: Any, keys: Sequence[int] | Sequence[str]
) -> Iterator[Row[Any]]:
    """The rows of a query whose column has one of these keys."""
    for start in range(0, len(keys), _AT_ONCE):
        yield from connection.execute(query.where(column.in_(keys[start : start + _AT_ONCE])))
