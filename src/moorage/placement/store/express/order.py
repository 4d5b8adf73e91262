"""What a message asks for: consumers to make, what they take, and what that comes to for each inventory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from moorage.placement.model.allocation import Claim, SlotDemand


class Inventory(NamedTuple):
    """An inventory as clients name it."""

    provider_uuid: str
    resource_class: str


class Line(NamedTuple):
    """What one consumer takes of one inventory."""

    consumer_uuid: str
    provider_uuid: str
    resource_class: str
    amount: int


@dataclass(frozen=True, slots=True)
class Order:
    """Some claims of new consumers, in the order in which rows are locked."""

    consumers: Sequence[Claim]
    providers: Sequence[str]
    lines: Sequence[Line]
    demands: Mapping[Inventory, SlotDemand]
    # By which the transaction can be recognised afterwards.
    marker: str
    now: datetime

    @classmethod
    def of(cls, claims: Sequence[Claim], marker: str, now: datetime) -> Order:
        """What these claims come to."""
        consumers = sorted(claims, key=lambda claim: claim.consumer_uuid)
        lines = [
            Line(claim.consumer_uuid, provider_uuid, resource_class, amount)
            for claim in consumers
            for provider_uuid, amounts in claim.amounts.items()
            for resource_class, amount in amounts.items()
        ]
        demands: dict[Inventory, SlotDemand] = {}
        for line in lines:
            demand = demands.setdefault(Inventory(line.provider_uuid, line.resource_class), SlotDemand())
            demand.delta += line.amount
            demand.amounts.append(line.amount)
        return cls(consumers, sorted({line.provider_uuid for line in lines}), lines, demands, marker, now)
