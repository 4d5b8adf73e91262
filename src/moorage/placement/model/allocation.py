"""Who uses what: consumers and the amounts they hold of which providers' inventories."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import NamedTuple

# The consumer type of consumers that were written before types existed (microversion 1.38).
UNKNOWN_CONSUMER_TYPE = "unknown"


class AnyGeneration(Enum):
    """Before microversion 1.28 a write does not say which generation of the consumer it replaces."""

    ANY = "any"


class Slot(NamedTuple):
    """One inventory: a provider's and a resource class's number."""

    provider_id: int
    class_id: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A request to replace all that a consumer holds."""

    consumer_uuid: str
    project_id: str
    user_id: str
    # The type to give the consumer; None leaves it as it is.
    consumer_type: str | None
    # The consumer's generation as the client knows it; None says that the consumer must not exist yet.
    generation: int | AnyGeneration | None
    # Amounts by provider UUID and resource class name; empty to give everything back.
    amounts: Mapping[str, Mapping[str, int]]

    @property
    def provider_uuids(self) -> frozenset[str]:
        """Those it takes something from."""
        return frozenset(self.amounts)


@dataclass(frozen=True, slots=True)
class Allocation:
    """An amount of one class on one provider, held by one consumer."""

    provider_uuid: str
    provider_generation: int
    resource_class: str
    amount: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Consumer:
    """Who holds allocations: an instance, a migration, a volume; `allocations` is never empty."""

    uuid: str
    generation: int
    project_id: str
    user_id: str
    consumer_type: str | None
    allocations: tuple[Allocation, ...]


@dataclass(slots=True)
class SlotDemand:
    """What one write asks of one inventory, over all of its consumers."""

    delta: int = 0
    amounts: list[int] = field(default_factory=list)

    @property
    def smallest(self) -> int:
        """The smallest single amount: none may be below min_unit."""
        return min(self.amounts)

    @property
    def largest(self) -> int:
        """The largest single amount: none may be above max_unit."""
        return max(self.amounts)

    @property
    def common_divisor(self) -> int:
        """All amounts are multiples of a step size exactly when their greatest common divisor is."""
        return math.gcd(*self.amounts)


def net_demand(held: Iterable[Mapping[Slot, int]], wanted: Iterable[Mapping[Slot, int]]) -> dict[Slot, SlotDemand]:
    """What a write changes, as one number per inventory, in the order in which inventories are locked.

    Moving an allocation from one consumer to another within a request nets to nothing, so it needs no free room.
    """
    demands: dict[Slot, SlotDemand] = defaultdict(SlotDemand)
    for holdings in held:
        for slot, amount in holdings.items():
            demands[slot].delta -= amount
    for wishes in wanted:
        for slot, amount in wishes.items():
            demands[slot].delta += amount
            demands[slot].amounts.append(amount)
    return dict(sorted(demands.items()))
