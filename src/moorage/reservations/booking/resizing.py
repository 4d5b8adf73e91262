"""What a reservation asks for once it is changed. Pure."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from msgspec import UNSET

from moorage.reservations.booking.orders import ReservationChange
from moorage.reservations.model.refusals import CannotChange
from moorage.reservations.model.reservation import (
    VIRTUAL_INSTANCE,
    HostRequest,
    InstanceRequest,
    Request,
    Reservation,
    check_bounds,
    resources_of,
)


def resized(reservation: Reservation, change: ReservationChange) -> Request:
    """The request with what is to be different in place of what it had."""
    request = reservation.request
    if isinstance(request, HostRequest):
        hosts = replace(request, **_given(change))
        check_bounds(hosts)
        return hosts
    instances = replace(request, **_given(change))
    if reservation.resource_type == VIRTUAL_INSTANCE:
        resources = resources_of(instances.vcpus, instances.memory_mb, instances.disk_gb)
        instances = replace(instances, resources=resources)
    if reservation.status == "active":
        _check_active(request, instances)
    return instances


def _given(change: ReservationChange) -> dict[str, Any]:
    values = {field.name: getattr(change, field.name) for field in fields(change)}
    return {name: value for name, value in values.items() if value is not UNSET}


def _check_active(before: InstanceRequest, after: InstanceRequest) -> None:
    """Of what has instances only the number may change, and only grow."""
    for name in ("vcpus", "memory_mb", "disk_gb", "affinity", "resource_properties"):
        if getattr(before, name) != getattr(after, name):
            raise CannotChange(f"Cannot update the parameter {name} of an active reservation.")
    if after.amount < before.amount:
        raise CannotChange("Cannot update the parameter amount: an active reservation may only grow.")
