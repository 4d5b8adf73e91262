"""Leases as clients see them."""

from __future__ import annotations

from typing import Any

import msgspec

from moorage.reservations.api.dates import shown, stamp
from moorage.reservations.model.event import LEASE_EVENT_TYPES, Event
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.reservation import InstanceRequest, Reservation, SourceFlavor


def lease_view(lease: Lease) -> dict[str, Any]:
    """A lease with its reservations and those of its events that are not the room's own."""
    events = {event.event_type: event for event in lease.events}
    return {
        "id": lease.id,
        "name": lease.name,
        "start_date": shown(lease.start),
        "end_date": shown(lease.end),
        "status": lease.status,
        "status_reason": lease.status_reason,
        "degraded": lease.degraded,
        "user_id": lease.user_id,
        "project_id": lease.project_id,
        "trust_id": None,
        "created_at": stamp(lease.created_at),
        "updated_at": stamp(lease.updated_at),
        "deleted_at": None if lease.deleted_at is None else stamp(lease.deleted_at),
        "reservations": [reservation_view(reservation) for reservation in lease.reservations],
        "events": [_event(events[kind]) for kind in LEASE_EVENT_TYPES if kind in events],
    }


def reservation_view(reservation: Reservation) -> dict[str, Any]:
    """A reservation, whose fields depend on its type."""
    common = {
        "id": reservation.id,
        "lease_id": reservation.lease_id,
        "resource_id": reservation.id,
        "resource_type": reservation.resource_type,
        "status": reservation.status,
        "missing_resources": reservation.missing_resources,
        "resources_changed": reservation.resources_changed,
        "created_at": stamp(reservation.created_at),
        "updated_at": stamp(reservation.updated_at),
    }
    request = reservation.request
    if isinstance(request, InstanceRequest):
        return common | _instances(reservation, request)
    return common | {
        "min": request.min,
        "max": request.max,
        "hypervisor_properties": request.hypervisor_properties,
        "resource_properties": request.resource_properties,
        "before_end": request.before_end,
    }


def _instances(reservation: Reservation, request: InstanceRequest) -> dict[str, Any]:
    properties = request.resource_properties if request.flavor is None else _source(request.flavor)
    return {
        "vcpus": request.vcpus,
        "memory_mb": request.memory_mb,
        "disk_gb": request.disk_gb,
        # What an instance takes in all, which for a flavor is not only, or not at all, that.
        "resources": dict(request.resources),
        "amount": request.amount,
        "affinity": request.affinity,
        "resource_properties": properties,
        # The private flavor has the id of the reservation.
        "flavor_id": reservation.id,
        # There are no aggregates and no server groups for reservations of instances.
        "aggregate_id": None,
        "server_group_id": None,
    }


def _source(flavor: SourceFlavor) -> str:
    """The flavor that a reservation was made for, where Blazar shows it."""
    return msgspec.json.encode(
        {
            "id": flavor.id,
            "name": flavor.name,
            "vcpus": flavor.vcpus,
            "ram": flavor.ram_mb,
            "disk": flavor.disk_gb,
            "ephemeral": flavor.ephemeral_gb,
            "swap": flavor.swap_mb,
            "extra_specs": dict(flavor.extra_specs),
        }
    ).decode()


def _event(event: Event) -> dict[str, Any]:
    return {
        "id": event.id,
        "lease_id": event.lease_id,
        "event_type": event.event_type,
        "time": shown(event.time),
        "status": event.status,
        "created_at": stamp(event.created_at),
        "updated_at": stamp(event.updated_at),
    }
