"""Why a ledger could not be carried over."""

from __future__ import annotations

from collections.abc import Sequence

_MOST = 10


class TransferRefused(Exception):
    """Nothing was written. Its text is complete sentences, fit to be shown."""


def some_of(sentences: Sequence[str]) -> str:
    """The first few sentences, a line for each, and how many more there are."""
    more = [f"… and {len(sentences) - _MOST} more."] if len(sentences) > _MOST else []
    return "\n".join(f"  {line}" for line in (*sentences[:_MOST], *more))
