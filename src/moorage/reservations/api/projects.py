"""What projects may book, what they have booked, and what of it nobody uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from moorage.reservations.api import dates
from moorage.reservations.api.dates import shown
from moorage.reservations.api.leases import is_true
from moorage.reservations.api.reservation_fields import whole_number
from moorage.reservations.booking.creation import project_limits
from moorage.reservations.booking.inventories import Stock
from moorage.reservations.booking.limits import NAMES, instance_hours
from moorage.reservations.booking.usage import hours_in, use_of
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.period import Period
from moorage.reservations.model.refusals import Invalid
from moorage.reservations.room import Room
from moorage.reservations.store import limits
from moorage.reservations.store.listing import Selection, select_leases
from moorage.web.answer import Answer, json_answer
from moorage.web.errors import forbidden
from moorage.web.request import Request

LONGEST_PROJECT = 255


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
    if len(project_id) > LONGEST_PROJECT:
        raise Invalid(f"The id of a project may have {LONGEST_PROJECT} characters; this one has {len(project_id)}.")
    room.write(limits.replace_all, project_id, wanted)
    found = room.read(lambda connection: project_limits(connection, room, project_id))
    return json_answer({"limits": {"project_id": project_id, **asdict(found)}})


def usage(request: Request, room: Room) -> Answer:
    """GET /usage"""
    now = room.now()
    project_id = None if is_true(request.parameters.last("all_projects")) else _project(request, room)
    if project_id is None and not room.allows(request.known_caller, "blazar:leases:get:all_projects", None):
        raise forbidden("Policy doesn't allow blazar:leases:get:all_projects to be performed.")
    period = _period(request, now)
    wanted = (
        Selection(project_id=project_id, ends_after=now)
        if period is None
        else Selection(project_id=project_id, ends_after=period.start, starts_before=period.end, deleted=True)
    )
    stocks = room.availability.recent_stocks()
    rows = [_row(lease, stocks, period, now) for lease in room.read(select_leases, wanted)]
    return json_answer(
        {
            "usage": {
                "project_id": project_id,
                "start_date": None if period is None else shown(period.start),
                "end_date": None if period is None else shown(period.end),
                "leases": len(rows),
                "instance_hours": round(sum(row["instance_hours"] for row in rows), 2),
                "idle_leases": [row["id"] for row in rows if row["idle"]],
                "details": rows,
            }
        }
    )


def _period(request: Request, now: datetime) -> Period | None:
    """The time that a report is about; None for what is still to come."""
    start, end = (request.parameters.last(name) for name in ("start", "end"))
    if start is None and end is None:
        return None
    if start is None or end is None:
        raise Invalid("start and end belong together: the time that the report is about.")
    period = Period(dates.read(start, now), dates.read(end, now))
    if period.end <= period.start:
        raise Invalid(f"end is {end}; it must be later than start, {start}.")
    return period


def _row(lease: Lease, stocks: Mapping[int, Stock], period: Period | None, now: datetime) -> dict[str, Any]:
    use = use_of(lease, stocks)
    return {
        "id": lease.id,
        "name": lease.name,
        "project_id": lease.project_id,
        "status": lease.status,
        "start_date": shown(lease.start),
        "end_date": shown(lease.end),
        "slots": use.slots,
        "servers": use.servers,
        "idle": use.idle,
        "instance_hours": round(instance_hours(lease, now) if period is None else hours_in(lease, period), 2),
    }


def _project(request: Request, room: Room) -> str:
    caller = request.known_caller
    wanted = request.parameters.last("project_id") or caller.project_id or ""
    if not room.allows(caller, "blazar:leases:get", wanted):
        raise forbidden("Policy doesn't allow blazar:leases:get to be performed.")
    return wanted
