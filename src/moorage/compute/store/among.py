"""Rows that belong to some others, without longer lists of keys than databases like.

Where the others may be all there are, the rows are named one by one while they are few, and read whole when they are
many. Where they are a page out of very many, they are asked for in parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, true

# Databases bound how many parameters a statement may have, and planning long lists takes them longer than reading.
_MOST = 500


def among(column: Any, keys: Sequence[int] | Sequence[str]) -> ColumnElement[bool]:
    """A condition that at least the rows of these keys meet."""
    condition: ColumnElement[bool] = column.in_(keys) if len(keys) <= _MOST else true()
    return condition


def in_parts(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    """The keys, as many at a time as one statement takes."""
    return (keys[start : start + _MOST] for start in range(0, len(keys), _MOST))
