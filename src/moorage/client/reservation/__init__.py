"""The client for a reservation service, a Blazar or a Moorage, over any transport.

What rooms ask for comes as values; what people ask for, by `LeaseCalls`, as the service words it. The endpoint is the
one of the version: `…/v1`. A method raises one of `moorage.client.errors` if it cannot answer. It may be used by
several threads at once.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field

from moorage.client.calls import Calls
from moorage.client.reservation.leases import LeaseCalls
from moorage.client.transport import Transport

__all__ = ["Lease", "Reservation", "ReservationClient", "ReservationHost"]


class Reservation(Struct, frozen=True):
    """A part of a lease: instances of a shape, or whole hosts. For a flavor, the properties are that flavor."""

    id: str
    resource_type: str
    status: str
    vcpus: int = 0
    memory_mb: int = 0
    resource_properties: str = ""


class Lease(Struct, frozen=True):
    """A promise. Its dates are in UTC, which they don't say."""

    id: str
    status: str
    start_date: datetime
    end_date: datetime
    reservations: tuple[Reservation, ...] = ()


class ReservationHost(Struct, frozen=True):
    """A host that can be reserved."""

    id: str
    name: str = field(name="hypervisor_hostname")
    vcpus: int
    memory_mb: int
    availability_zone: str | None = None


class ReservationClient(LeaseCalls):
    """What rooms of Moorage, and people, ask a reservation service for."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(Calls(transport))

    def leases(self) -> tuple[Lease, ...]:
        """The leases of all projects."""
        return self._calls.read(_Leases, "/leases").leases

    def hosts(self) -> tuple[ReservationHost, ...]:
        """All hosts that can be reserved."""
        return self._calls.read(_Hosts, "/os-hosts").hosts

    def slots(self) -> tuple[tuple[str, str], ...]:
        """Where reservations have their places: the id of a host and that of a reservation, once for each slot."""
        found = self._calls.read(_Allocations, "/os-hosts/allocations").allocations
        return tuple((host.resource_id, slot.id) for host in found for slot in host.reservations)


# --- how the API words it


class _Leases(Struct, frozen=True):
    leases: tuple[Lease, ...]


class _Hosts(Struct, frozen=True):
    hosts: tuple[ReservationHost, ...]


class _Slot(Struct, frozen=True):
    id: str


class _HostSlots(Struct, frozen=True):
    resource_id: str
    reservations: tuple[_Slot, ...]


class _Allocations(Struct, frozen=True):
    allocations: tuple[_HostSlots, ...]
