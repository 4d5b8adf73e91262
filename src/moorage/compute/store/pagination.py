"""Where a page of a list begins: behind the row with which the page before has ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import and_, or_


def rows_after(order: Sequence[tuple[Any, bool]], last: Sequence[Any]) -> Any:
    """Rows that come after one: equal to it in some of the keys, from the first on, and behind it in the next."""
    ways = []
    for number, ((column, descending), value) in enumerate(zip(order, last, strict=True)):
        equal = [key == same for (key, _), same in zip(order[:number], last[:number], strict=True)]
        ways.append(and_(*equal, column < value if descending else column > value))
    return or_(*ways)
