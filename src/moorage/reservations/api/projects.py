"""What projects may book, what they have booked, and what of it nobody uses."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from moorage.reservations.api.dates import shown
from moorage.reservations.booking.creation import project_limits
from moorage.reservations.booking.limits import NAMES, instance_hours, slots_of
from moorage.reservations.booking.wishes import whole_number
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.refusals import Invalid
from moorage.reservations.room import Room
from moorage.reservations.store import limits
from moorage.reservations.store.listing import Selection, select_leases
from moorage.web.answer import Answer, json_answer
from moorage.web.errors import forbidden
from moorage.web.request import Request


def show_limits(request: Request, room: Room) -> Answer:
    """GET /limits"""
    project_id = _project(request, room)
    wanted = room.read(lambda connection: project_limits(connection, room, project_id))
    return json_answer({"limits": {"project_id": project_id, **asdict(wanted)}})


def set_limits(request: Request, room: Room) -> Answer:
    """PUT /limits/{project_id}"""
    if unknown := sorted(set(request.content) - set(NAMES)):
        raise Invalid(f"There is no limit {unknown[0]}; there are {', '.join(NAMES)}.")
    wanted = {name: whole_number(value, name, 0) for name, value in request.content.items()}
    project_id = request.path["project_id"]
    room.write(limits.replace_all, project_id, wanted)
    found = room.read(lambda connection: project_limits(connection, room, project_id))
    return json_answer({"limits": {"project_id": project_id, **asdict(found)}})


def usage(request: Request, room: Room) -> Answer:
    """GET /usage"""
    project_id, now = _project(request, room), room.now()
    leases = room.read(select_leases, Selection(project_id=project_id, ends_after=now))
    used = _servers(room)
    rows = [_row(lease, used, room) for lease in leases]
    return json_answer(
        {
            "usage": {
                "project_id": project_id,
                "leases": len(leases),
                "instance_hours": round(sum(instance_hours(lease, now) for lease in leases), 2),
                "idle_leases": [row["id"] for row in rows if row["idle"]],
                "details": rows,
            }
        }
    )


def _row(lease: Lease, used: dict[str, int], room: Room) -> dict[str, Any]:
    slots = sum(slots_of(reservation) for reservation in lease.reservations)
    servers = sum(used.get(reservation.resource_class, 0) for reservation in lease.reservations)
    counted = all(reservation.resource_type != "physical:host" for reservation in lease.reservations)
    return {
        "id": lease.id,
        "name": lease.name,
        "status": lease.status,
        "start_date": shown(lease.start),
        "end_date": shown(lease.end),
        "slots": slots,
        # What runs on whole hosts is not counted by reservations.
        "servers": servers if counted else None,
        "idle": counted and slots > 0 and servers == 0 and lease.status == "ACTIVE",
        "instance_hours": round(instance_hours(lease, room.now()), 2),
    }


def _servers(room: Room) -> dict[str, int]:
    """How many servers run on the slots of each reservation, by its class in Placement."""
    found: dict[str, int] = {}
    for stock in room.market.offer_lately().stocks.values():
        for name, number in stock.reserved_servers.items():
            found[name] = found.get(name, 0) + number
    return found


def _project(request: Request, room: Room) -> str:
    caller = request.known_caller
    wanted = request.parameters.last("project_id") or caller.project_id or ""
    if not room.allows(caller, "blazar:leases:get", wanted):
        raise forbidden("Policy doesn't allow blazar:leases:get to be performed.")
    return wanted
