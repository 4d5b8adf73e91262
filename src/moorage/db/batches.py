"""Long lists in pieces.

More values in one statement make it slower, not faster, and databases bound how many it may have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, Select

Item = TypeVar("Item")

# What one statement takes well.
BATCH = 500


def batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """The items, in order, so many at a time as one statement takes well."""
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))


def rows_of(
    connection: Connection, query: Select[Any], column: Any, keys: Sequence[int] | Sequence[str]
) -> Iterator[Row[Any]]:
    """The rows of a query whose column has one of these keys, with as many statements as it takes to name them."""
    for batch in batches(keys):
        yield from connection.execute(query.where(column.in_(batch)))
