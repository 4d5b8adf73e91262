"""What clients ask for, after all that can be said about it without looking at other leases was said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from msgspec import UNSET, UnsetType

from moorage.reservations.model.reservation import BeforeEnd, Request, ResourceType


@dataclass(frozen=True, slots=True, kw_only=True)
class FlavorOrder:
    """Instances of a flavor, before anybody has looked at the flavor."""

    flavor_id: str
    amount: int
    affinity: bool | None = None
    resource_properties: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservationOrder:
    """A reservation to be."""

    resource_type: ResourceType
    request: Request


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseOrder:
    """A lease to be."""

    # When it was ordered: then `now` meant that minute, which may have passed since.
    ordered_at: datetime
    name: str
    project_id: str
    user_id: str
    start: datetime
    end: datetime
    before_end: datetime | None = None
    reservations: tuple[ReservationOrder, ...] = ()
    # Whether to wait if there is no room.
    wait: bool = False
    # Whether the limits of the project count: for administrators they do not.
    limited: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservationChange:
    """What is to be different about a reservation; UNSET for what stays, as all does that its type has no use for."""

    amount: int | UnsetType = UNSET
    # None is an affinity, too.
    affinity: bool | UnsetType | None = UNSET
    vcpus: int | UnsetType = UNSET
    memory_mb: int | UnsetType = UNSET
    disk_gb: int | UnsetType = UNSET
    min: int | UnsetType = UNSET
    max: int | UnsetType = UNSET
    hypervisor_properties: str | UnsetType = UNSET
    resource_properties: str | UnsetType = UNSET
    before_end: BeforeEnd | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseChange:
    """What is to be different about a lease; None for what stays."""

    ordered_at: datetime
    name: str | None = None
    start: datetime | None = None
    end: datetime | None = None
    before_end: datetime | None = None
    # By the ids of reservations.
    reservations: Mapping[str, ReservationChange] = field(default_factory=dict)
    limited: bool = True

    @property
    def is_rename_only(self) -> bool:
        """Whether nothing is asked for that anybody else could mind."""
        return self.start is None and self.end is None and self.before_end is None and not self.reservations
