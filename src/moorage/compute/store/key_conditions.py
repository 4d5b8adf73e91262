"""Rows that belong to some others, without longer lists of keys than databases like.

The others may be all there are: the rows are named one by one while they are few, and read whole when they are many.
(Where they are a page out of very many, they are asked for in batches.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, true

from moorage.db.batches import BATCH


def key_condition(column: Any, keys: Sequence[int] | Sequence[str]) -> ColumnElement[bool]:
    """A condition that at least the rows of these keys meet."""
    condition: ColumnElement[bool] = column.in_(keys) if len(keys) <= BATCH else true()
    return condition
