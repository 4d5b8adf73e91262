"""The types of the columns, and the way from times to numbers and back."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

# Later than any time that a lease may have.
NEVER = 1 << 60


def seconds(instant: datetime) -> int:
    """A time, in UTC without a zone, as whole seconds."""
    return int(instant.replace(tzinfo=UTC).timestamp())


def instant(number: int) -> datetime:
    """Whole seconds as a time, in UTC without a zone."""
    return datetime.fromtimestamp(number, UTC).replace(tzinfo=None)
