"""Times in requests and answers."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from moorage.reservations.model.refusals import Invalid

_FORMAT = "%Y-%m-%d %H:%M"
# Text that no date has; longer than any.
_LONGEST = 32


def read(value: Any, now: datetime) -> datetime:
    """A date of a request: in UTC, or `now`, which is the current minute."""
    if value == "now":
        return now.replace(second=0, microsecond=0)
    if isinstance(value, str) and value.isascii() and len(value) <= _LONGEST:
        try:
            return datetime.strptime(value, _FORMAT)  # noqa: DTZ007 - all times are UTC without a zone
        except ValueError:
            pass
    raise Invalid(f"{value} is an invalid date. Required format: {_FORMAT}")


def shown(instant: datetime) -> str:
    """A date of an answer. Clients read it with microseconds, and fail without."""
    return instant.isoformat(timespec="microseconds")


def stamp(instant: datetime) -> str:
    """When something was made or changed."""
    return instant.strftime("%Y-%m-%d %H:%M:%S")
