"""How much of a resource class a provider offers, and in which amounts it may be taken."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

# The largest amount the API accepts, in an inventory or an allocation.
MAX_AMOUNT = 2**31 - 1
# The largest allocation ratio: what the API promised when ratios were kept in single precision, as upstream still does.
MAX_RATIO = 3.40282e38
# A huge ratio times a huge total is more than 64 bits hold; nobody can allocate that much anyway. Half of the range is
# left free, so that an amount can be added without overflowing.
MAX_CAPACITY = 2**62


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a provider has of one resource class."""

    total: int
    reserved: int = 0
    min_unit: int = 1
    max_unit: int = MAX_AMOUNT
    step_size: int = 1
    allocation_ratio: float = 1.0

    @property
    def capacity(self) -> int:
        """What may be allocated in all, rounded down: (total - reserved) x ratio."""
        exact = (self.total - self.reserved) * self.allocation_ratio
        return int(max(-MAX_CAPACITY, min(exact, MAX_CAPACITY)))  # first the bounds: it may be infinite

    @property
    def largest(self) -> int:
        """The largest single allocation: what there is, in steps, and no more than max_unit; 0 if there can be none."""
        most = min(self.capacity, self.max_unit)
        most -= most % self.step_size
        return most if self.allows(most) else 0

    def allows(self, amount: int) -> bool:
        """Whether a single allocation may have this size."""
        return self.min_unit <= amount <= self.max_unit and amount % self.step_size == 0

    def fields(self) -> dict[str, float]:
        """What it is made of, by the names that the API and databases have for it."""
        return {
            "total": self.total,
            "reserved": self.reserved,
            "min_unit": self.min_unit,
            "max_unit": self.max_unit,
            "step_size": self.step_size,
            "allocation_ratio": self.allocation_ratio,
        }


@dataclass(frozen=True, slots=True)
class Stock:
    """An inventory and what of it is in use."""

    inventory: Inventory
    used: int
    updated_at: datetime
