"""A stretch of time. Half-open: a period that ends when another begins does not overlap it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """From `start` up to, and without, `end`; UTC without a zone, whole seconds."""

    start: datetime
    end: datetime

    @property
    def length(self) -> timedelta:
        """How long it takes."""
        return self.end - self.start

    def overlaps(self, other: Period) -> bool:
        """Whether there is an instant that belongs to both."""
        return self.start < other.end and other.start < self.end
