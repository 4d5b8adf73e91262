"""Bodies about leases, as orders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from moorage.reservations.api import dates
from moorage.reservations.api.reservation_changes import read_reservation_change
from moorage.reservations.api.reservation_fields import flavor_order, hosts, instances
from moorage.reservations.booking.flavors import flavor_instances
from moorage.reservations.booking.orders import LeaseChange, LeaseOrder, ReservationChange, ReservationOrder
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.properties import read_condition
from moorage.reservations.model.refusals import Invalid
from moorage.reservations.model.reservation import FLAVOR_INSTANCE, PHYSICAL_HOST, RESOURCE_TYPES, VIRTUAL_INSTANCE
from moorage.reservations.room import Room
from moorage.reservations.store import properties
from moorage.web.caller import Caller
from moorage.web.errors import forbidden


def read_order(content: Mapping[str, Any], room: Room, caller: Caller) -> LeaseOrder:
    """A new lease, for the project of the caller."""
    if caller.project_id is None:
        raise forbidden("A lease belongs to a project, and the caller has none.")
    for name in ("name", "start_date", "end_date"):
        if not content.get(name):
            raise Invalid(f"Missing parameter {name}")
    now = room.now()
    return LeaseOrder(
        ordered_at=now,
        name=content["name"],
        project_id=caller.project_id,
        user_id=caller.user_id,
        start=dates.read(content["start_date"], now),
        end=dates.read(content["end_date"], now),
        before_end=_before_end(content, now),
        reservations=tuple(
            read_reservation(wanted, room, caller.project_id) for wanted in content.get("reservations") or []
        ),
        wait=content.get("on_conflict") == "wait",
        limited=is_limited(room, caller),
    )


def read_reservation(fields: Mapping[str, Any], room: Room, project_id: str) -> ReservationOrder:
    """A new reservation."""
    match fields.get("resource_type"):
        case None:
            raise Invalid("Missing parameter resource_type")
        case "virtual:instance":
            order = ReservationOrder(resource_type=VIRTUAL_INSTANCE, request=instances(fields))
        case "flavor:instance":
            request = flavor_instances(flavor_order(fields), room.compute, project_id)
            order = ReservationOrder(resource_type=FLAVOR_INSTANCE, request=request)
        case "physical:host":
            order = ReservationOrder(resource_type=PHYSICAL_HOST, request=hosts(fields))
        case other:
            raise Invalid(f"The {other} resource plugin is not supported; there are {', '.join(RESOURCE_TYPES)}.")
    check_properties(room, (fields.get("hypervisor_properties"), fields.get("resource_properties")))
    return order


def read_change(content: Mapping[str, Any], room: Room, caller: Caller, lease: Lease) -> LeaseChange:
    """What is to be different about a lease. Reservations that it does not have are named, but not read."""
    now = room.now()

    def date(name: str) -> datetime | None:
        return dates.read(content[name], now) if content.get(name) else None

    known = {reservation.id: reservation for reservation in lease.reservations}
    wanted: dict[str, ReservationChange] = {}
    for fields in content.get("reservations") or []:
        if not isinstance(fields.get("id"), str):
            raise Invalid("Missing parameter id: a reservation that is to be changed is named by its id.")
        reservation = known.get(fields["id"])
        change = ReservationChange() if reservation is None else read_reservation_change(fields, reservation)
        check_properties(room, (change.hypervisor_properties, change.resource_properties))
        wanted[fields["id"]] = change
    return LeaseChange(
        ordered_at=now,
        name=content.get("name"),
        start=date("start_date"),
        end=date("end_date"),
        before_end=date("before_end_date"),
        reservations=wanted,
        limited=is_limited(room, caller),
    )


def is_limited(room: Room, caller: Caller) -> bool:
    """Whether the limits of projects count for a caller."""
    return not room.allows(caller, "blazar:leases:exceed_limits", None)


def check_properties(room: Room, conditions: Iterable[object]) -> None:
    """Refuse conditions on properties that no host has ever had; what is no text is no condition."""
    names = {name for text in conditions if isinstance(text, str) for name in read_condition(text).names()}
    if unknown := sorted(names - room.read(properties.known_names)):
        raise Invalid(f"Resource property {unknown[0]} is not known; GET /os-hosts/properties lists those that are.")


def _before_end(content: Mapping[str, Any], now: datetime) -> datetime | None:
    """When the owner wants to be told of the end: a field of its own, or an event of that type."""
    found = dates.read(content["before_end_date"], now) if content.get("before_end_date") else None
    for event in content.get("events") or []:
        kind = event.get("event_type")
        if kind != "before_end_lease":
            raise Invalid(f"Invalid values for parameters: event_type is {kind!r}; it may be before_end_lease.")
        found = dates.read(event.get("event_date"), now)
    return found
