"""Rows that belong to some others: named one by one while they are few, read whole when they are many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, true

# Databases bound how many parameters a statement may have, and planning long lists takes them longer than reading.
_MOST = 500


def among(column: Any, keys: Sequence[int] | Sequence[str]) -> ColumnElement[bool]:
    """A condition that at least the rows of these keys meet."""
    condition: ColumnElement[bool] = column.in_(keys) if len(keys) <= _MOST else true()
    return condition
