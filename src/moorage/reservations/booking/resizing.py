"""What may be different about a reservation, and what it asks for then. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from moorage.reservations.booking import wishes
from moorage.reservations.model.refusals import CannotChange
from moorage.reservations.model.reservation import (
    VIRTUAL_INSTANCE,
    HostRequest,
    InstanceRequest,
    Request,
    Reservation,
)

# Clients may send back what they were shown; it must be the same then.
_SHAPE = ("vcpus", "memory_mb", "disk_gb")
_HOST_FIELDS = ("min", "max", "hypervisor_properties", "resource_properties", "before_end")
_FLAVOR_FIELDS = ("amount", "affinity")


def resized(reservation: Reservation, fields: Mapping[str, Any]) -> Request:
    """The request with these fields, as the client named them, in place of what it had."""
    request = reservation.request
    if fields.get("resource_type", reservation.resource_type) != reservation.resource_type:
        raise CannotChange("Cannot update the parameter resource_type.")
    if isinstance(request, HostRequest):
        return _hosts(request, fields)
    new = _instances(reservation, request, fields)
    if reservation.status == "active":
        _check_active(request, new)
    return new


def _hosts(request: HostRequest, fields: Mapping[str, Any]) -> HostRequest:
    own = {name: getattr(request, name) for name in _HOST_FIELDS}
    return wishes.hosts(own | {name: fields[name] for name in _HOST_FIELDS if name in fields})


def _instances(reservation: Reservation, request: InstanceRequest, fields: Mapping[str, Any]) -> InstanceRequest:
    if reservation.resource_type == VIRTUAL_INSTANCE:
        names = (*_SHAPE, *_FLAVOR_FIELDS, "resource_properties")
        own = {name: getattr(request, name) for name in names}
        return wishes.instances(own | {name: fields[name] for name in names if name in fields})
    for name in ("flavor_id", *_SHAPE):
        if name in fields and fields[name] not in _shown(request, name, reservation.id):
            raise CannotChange(f"Cannot update the parameter {name}.")
    return replace(
        request,
        amount=wishes.amount(fields.get("amount", request.amount)),
        affinity=wishes.affinity(fields.get("affinity", request.affinity)),
    )


def _shown(request: InstanceRequest, name: str, reservation_id: str) -> tuple[object, ...]:
    if name != "flavor_id":
        return (getattr(request, name),)
    return (reservation_id, *(() if request.flavor is None else (request.flavor.id,)))


def _check_active(before: InstanceRequest, after: InstanceRequest) -> None:
    """Of what has instances only the number may change, and only grow."""
    for name in (*_SHAPE, "affinity", "resource_properties"):
        if getattr(before, name) != getattr(after, name):
            raise CannotChange(f"Cannot update the parameter {name} of an active reservation.")
    if after.amount < before.amount:
        raise CannotChange("Cannot update the parameter amount: an active reservation may only grow.")
