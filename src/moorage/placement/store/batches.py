"""Long lists in pieces.

More values in one statement make it slower, not faster, and SQLite takes no more than some thousands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")

BATCH = 500


def batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """The items, in order, so many at a time as one statement takes well."""
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))
