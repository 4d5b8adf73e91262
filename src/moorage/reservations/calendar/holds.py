"""What is held when: a row for each reservation and each host that it has slots on, and for each maintenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from moorage.reservations.calendar.columns import Flags, Numbers


def _none() -> Numbers:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Holds:
    """Columns of one length."""

    # Positions of hosts; negative for a host that is not there any more.
    host: Numbers = field(default_factory=_none)
    # Numbers of leases; 0 for what belongs to none.
    lease: Numbers = field(default_factory=_none)
    start: Numbers = field(default_factory=_none)
    end: Numbers = field(default_factory=_none)
    # Whether the whole host is held.
    whole: Flags = field(default_factory=lambda: np.zeros(0, np.bool_))
    # What all slots of the row hold together, by resource class.
    amounts: Mapping[str, Numbers] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.host)

    def where(self, mask: Flags) -> Holds:
        """Some of the rows."""
        return Holds(
            self.host[mask],
            self.lease[mask],
            self.start[mask],
            self.end[mask],
            self.whole[mask],
            {name: amounts[mask] for name, amounts in self.amounts.items()},
        )

    def without(self, lease: int) -> Holds:
        """All rows but those of one lease, whose own slots never stand in its way."""
        return self.where(self.lease != lease)

    def during(self, start: int, end: int) -> Holds:
        """The rows that overlap a period, of hosts that are there."""
        return self.where((self.start < end) & (self.end > start) & (self.host >= 0))

    def until_gone(self, now: int, margin: int) -> Holds:
        """With overdue rows, which should have ended and have not, held for a while to come."""
        overdue = self.end <= now
        if not overdue.any():
            return self
        end = np.where(overdue, now + margin, self.end)
        return Holds(self.host, self.lease, self.start, end, self.whole, self.amounts)

    def plus(self, other: Holds) -> Holds:
        """The rows of both."""
        names = dict.fromkeys([*self.amounts, *other.amounts])
        return Holds(
            np.concatenate([self.host, other.host]),
            np.concatenate([self.lease, other.lease]),
            np.concatenate([self.start, other.start]),
            np.concatenate([self.end, other.end]),
            np.concatenate([self.whole, other.whole]),
            {name: np.concatenate([self.amount(name), other.amount(name)]) for name in names},
        )

    def amount(self, resource_class: str) -> Numbers:
        """What each row holds of a class."""
        found = self.amounts.get(resource_class)
        return np.zeros(len(self), np.int64) if found is None else found
