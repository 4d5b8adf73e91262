"""What a capacity report says, for each resource and zone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Subcapacity:
    """What one hypervisor contributes to the capacity and usage of a resource in its zone."""

    name: str
    capacity: int
    usage: int
    aggregate_name: str
    traits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ZoneCapacity:
    """The capacity of a resource in a zone. Split flavors have no usage here; it is the servers' business."""

    capacity: int
    usage: int | None = None
    subcapacities: tuple[Subcapacity, ...] = ()


@dataclass(frozen=True, slots=True)
class CapacityReport:
    """By resource name and zone; the zones are those of the request, and `unknown` where there is something in it."""

    resources: Mapping[str, Mapping[str, ZoneCapacity]] = field(default_factory=dict)
