"""What clients send to have a reservation changed. Fields that its type has no use for say nothing.

Clients may send back what they were shown; where that cannot be changed, it must be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from moorage.reservations.api.reservation_fields import affinity, amount, before_end, condition, number
from moorage.reservations.booking.orders import ReservationChange
from moorage.reservations.model.refusals import CannotChange
from moorage.reservations.model.reservation import (
    FLAVOR_INSTANCE,
    PHYSICAL_HOST,
    VIRTUAL_INSTANCE,
    Reservation,
    ResourceType,
)

_Reader = Callable[[Mapping[str, Any], str], Any]


def _affinity(fields: Mapping[str, Any], name: str) -> bool | None:
    return affinity(fields[name])


_READERS: Mapping[ResourceType, Mapping[str, _Reader]] = {
    VIRTUAL_INSTANCE: {
        "vcpus": number,
        "memory_mb": number,
        "disk_gb": number,
        "amount": number,
        "affinity": _affinity,
        "resource_properties": condition,
    },
    FLAVOR_INSTANCE: {
        "amount": lambda fields, name: amount(fields[name]),
        "affinity": _affinity,
    },
    PHYSICAL_HOST: {
        "min": number,
        "max": number,
        "hypervisor_properties": condition,
        "resource_properties": condition,
        "before_end": lambda fields, name: before_end(fields[name]),
    },
}


def read_reservation_change(fields: Mapping[str, Any], reservation: Reservation) -> ReservationChange:
    """What is to be different about a reservation; CannotChange for what stays with it for ever."""
    for name, shown in _fixed(reservation).items():
        if name in fields and fields[name] not in shown:
            raise CannotChange(f"Cannot update the parameter {name}.")
    readers = _READERS[reservation.resource_type]
    return ReservationChange(**{name: read(fields, name) for name, read in readers.items() if name in fields})


def _fixed(reservation: Reservation) -> dict[str, tuple[object, ...]]:
    """What a client may have been shown of a reservation, and cannot change."""
    fixed: dict[str, tuple[object, ...]] = {"resource_type": (reservation.resource_type,)}
    if reservation.resource_type == FLAVOR_INSTANCE:
        request = reservation.instances
        flavor = () if request.flavor is None else (request.flavor.id,)
        fixed["flavor_id"] = (reservation.id, *flavor)
        fixed |= {name: (getattr(request, name),) for name in ("vcpus", "memory_mb", "disk_gb")}
    return fixed
