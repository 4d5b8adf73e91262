"""What a lease reserves: so many instances of a shape, or so many whole hosts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from moorage.reservations.model.names import resource_class_of
from moorage.reservations.model.refusals import Invalid
from moorage.reservations.model.status import ReservationStatus

ResourceType = Literal["virtual:instance", "flavor:instance", "physical:host"]
BeforeEnd = Literal["", "default", "snapshot"]

VIRTUAL_INSTANCE: ResourceType = "virtual:instance"
FLAVOR_INSTANCE: ResourceType = "flavor:instance"
PHYSICAL_HOST: ResourceType = "physical:host"
RESOURCE_TYPES: tuple[ResourceType, ...] = (VIRTUAL_INSTANCE, FLAVOR_INSTANCE, PHYSICAL_HOST)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFlavor:
    """The flavor of a flavor:instance reservation, as it was when the reservation was made."""

    id: str
    name: str
    vcpus: int
    ram_mb: int
    disk_gb: int
    ephemeral_gb: int = 0
    swap_mb: int = 0
    extra_specs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceRequest:
    """Instances of one shape; of a flavor:instance reservation the shape is that of `flavor`."""

    amount: int
    vcpus: int
    memory_mb: int
    disk_gb: int
    # True: all on one host; False: each on another; None: anywhere.
    affinity: bool | None = None
    # Which hosts come into question, as the client wrote it (see `properties`).
    resource_properties: str = ""
    flavor: SourceFlavor | None = None
    # What one instance takes, by resource class; never empty.
    resources: Mapping[str, int] = field(default_factory=dict)
    # Where an instance takes a class in several parts, each from whichever provider has it: the largest of them.
    parts: Mapping[str, int] = field(default_factory=dict)
    required_traits: frozenset[str] = frozenset()
    forbidden_traits: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRequest:
    """Whole hosts: at least `min`, and up to `max` if there are so many."""

    min: int
    max: int
    hypervisor_properties: str = ""
    resource_properties: str = ""
    # What is done before the end.
    before_end: BeforeEnd = "default"


Request = InstanceRequest | HostRequest


def resources_of(vcpus: int, memory_mb: int, disk_gb: int) -> dict[str, int]:
    """What an instance of a size takes, by resource class."""
    resources = {"VCPU": vcpus, "MEMORY_MB": memory_mb, "DISK_GB": disk_gb}
    return {name: amount for name, amount in resources.items() if amount}


def check_bounds(request: HostRequest) -> None:
    """Refuse hosts of which fewer are wanted than needed."""
    if request.max < request.min:
        raise Invalid(f"max must be at least min; it is {request.max}, and min is {request.min}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slots:
    """How many instances a reservation may have on a host; of a whole host, 1."""

    host_id: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """A part of a lease, and where it has its place."""

    id: str
    lease_id: str
    resource_type: ResourceType
    request: Request
    created_at: datetime
    updated_at: datetime
    status: ReservationStatus = "pending"
    # It has fewer hosts or slots than were promised.
    missing_resources: bool = False
    # Others than at first, after a failure, while it was active.
    resources_changed: bool = False
    # One item for each host, in the order of their ids.
    slots: tuple[Slots, ...] = ()

    @property
    def instances(self) -> InstanceRequest:
        """The request of a reservation of instances."""
        if not isinstance(self.request, InstanceRequest):
            raise TypeError(f"reservation {self.id} is one of hosts")
        return self.request

    @property
    def hosts(self) -> HostRequest:
        """The request of a reservation of hosts."""
        if not isinstance(self.request, HostRequest):
            raise TypeError(f"reservation {self.id} is one of instances")
        return self.request

    @property
    def resource_class(self) -> str:
        """The class by which Placement counts its instances."""
        return resource_class_of(self.id)
