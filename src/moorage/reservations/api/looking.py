"""What would fit, when, and how much is free: for everybody who may book, without a word about others' leases."""

from __future__ import annotations

from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

from moorage.reservations.api import dates
from moorage.reservations.api.lease_orders import read_reservation
from moorage.reservations.api.lease_views import lease_view
from moorage.reservations.api.leases import selected
from moorage.reservations.api.reservation_fields import check, whole_number
from moorage.reservations.booking.looking import (
    HORIZON,
    LAST_DAY,
    Alternative,
    Shortage,
    Verdict,
    availability,
    starts,
)
from moorage.reservations.calendar.columns import instant
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.period import Period
from moorage.reservations.model.refusals import Invalid
from moorage.reservations.model.reservation import Request as ReservationRequest
from moorage.reservations.room import Room
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request

MOST_DAYS = 366
LONGEST_MINUTES = MOST_DAYS * 24 * 60
USUAL_STARTS, MOST_STARTS = 10, 100


def show_verdict(verdict: Verdict, request: Request, room: Room) -> Answer:
    """What a dry run answers; who may not see hosts learns no names of theirs."""
    names = room.allows(request.known_caller, "blazar:oshosts:get", None)
    return json_answer(
        {
            "fits": verdict.lease is not None,
            "lease": None if verdict.lease is None else lease_view(verdict.lease),
            "hosts": [] if verdict.lease is None else _places(verdict.lease, room, names=names),
            "reason": verdict.reason,
            "shortages": [_shortage(one, number, names=names) for number, one in enumerate(verdict.shortages, start=1)],
            "alternatives": [_alternative(one) for one in verdict.alternatives],
        }
    )


def slots(request: Request, room: Room) -> Answer:
    """GET /slots"""
    wanted = _wanted(request, room)
    parameters, now = request.parameters, room.now()
    earliest = dates.read(parameters.last("start") or "now", now)
    minutes = parameters.last("duration")
    if minutes is None:
        raise Invalid("Missing parameter duration: how many minutes the lease takes.")
    duration = timedelta(minutes=whole_number(minutes, "duration", 1, LONGEST_MINUTES))
    days = whole_number(parameters.last("horizon") or str(HORIZON.days), "horizon", 1, MOST_DAYS)
    limit = whole_number(parameters.last("limit") or str(USUAL_STARTS), "limit", 1, MOST_STARTS)
    found = starts(
        room.availability.recent_view(room.now()),
        wanted,
        max(earliest, now.replace(second=0)),
        duration,
        timedelta(days=days),
    )
    rows = [(_whole_minute(one.first), instant(one.last).replace(second=0)) for one in found]
    return json_answer(
        {
            "slots": [
                {
                    "start_date": dates.shown(first),
                    "end_date": dates.shown(first + duration),
                    "latest_start_date": dates.shown(last),
                }
                for first, last in [row for row in rows if row[0] <= row[1]][:limit]
            ]
        }
    )


def show_availability(request: Request, room: Room) -> Answer:
    """GET /availability"""
    wanted = _wanted(request, room)
    now = room.now()
    minute = now.replace(second=0)
    # What was free in the past is not known any more, and nobody can have it.
    start = max(dates.read(request.parameters.last("start") or "now", now), minute)
    end_text = request.parameters.last("end")
    end = min(start, LAST_DAY - HORIZON) + HORIZON if end_text is None else dates.read(end_text, now)
    if not start < end or end - start > timedelta(days=MOST_DAYS):
        raise Invalid(
            f"end is {end:%Y-%m-%d %H:%M}; it must be later than start, {start:%Y-%m-%d %H:%M} (which is not before"
            f" now), by {MOST_DAYS} days at most."
        )
    stretches = availability(room.availability.recent_view(room.now()), wanted, Period(start, end))
    return json_answer(
        {
            "availability": [
                {
                    "start_date": dates.shown(instant(one.start)),
                    "end_date": dates.shown(instant(one.end)),
                    "free": one.free,
                }
                for one in stretches
            ]
        }
    )


def calendar(request: Request, room: Room) -> Answer:
    """GET /leases.ics"""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Moorage//Reservations//EN"]
    for lease in selected(request, room):
        lines += _entry(lease)
    lines.append("END:VCALENDAR")
    body = "".join(f"{_folded(line)}\r\n" for line in lines).encode()
    return Answer(HTTPStatus.OK, body, headers={"content-type": "text/calendar; charset=utf-8"})


def _wanted(request: Request, room: Room) -> ReservationRequest:
    """What a query asks for: the fields of a reservation, of instances if it does not say otherwise."""
    fields: dict[str, Any] = {"amount": "1", "disk_gb": "0"} | request.parameters.as_dict()
    fields.setdefault("resource_type", "virtual:instance")
    check(fields)
    if fields["resource_type"] == "physical:host":
        fields.setdefault("min", fields["amount"])
        fields.setdefault("max", fields["min"])
    return read_reservation(fields, room, request.known_caller.project_id or "").request


def _places(lease: Lease, room: Room, *, names: bool) -> list[dict[str, Any]]:
    snapshot = room.read(room.availability.slots.current)
    found = [row for reservation in lease.reservations for row in reservation.slots]
    return [
        {"host": snapshot.hosts[row.host_id].name if names else f"host {number}", "slots": row.count}
        for number, row in enumerate(found, start=1)
        if row.host_id in snapshot.hosts
    ]


def _shortage(one: Shortage, number: int, *, names: bool) -> dict[str, Any]:
    return {
        "host": one.host if names else f"host {number}",
        "resource": one.resource,
        "free": one.free,
        "wanted": one.wanted,
        "held_by_leases": one.leases,
        "held_until": None if one.until is None else dates.shown(one.until),
    }


def _alternative(one: Alternative) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "amount": one.amount,
        "start_date": None if one.start is None else dates.shown(one.start),
        **({"affinity": one.affinity} if one.kind == "other affinity" else {}),
        **({} if one.end is None else {"end_date": dates.shown(one.end)}),
    }


def _whole_minute(number: int) -> datetime:
    return instant(-(-number // 60) * 60)


def _entry(lease: Lease) -> list[str]:
    form = "%Y%m%dT%H%M%SZ"
    return [
        "BEGIN:VEVENT",
        f"UID:{lease.id}",
        f"DTSTAMP:{lease.updated_at.strftime(form)}",
        f"DTSTART:{lease.start.strftime(form)}",
        f"DTEND:{lease.end.strftime(form)}",
        f"SUMMARY:{_escaped(lease.name)}",
        f"DESCRIPTION:{_escaped(f'Status {lease.status}')}",
        "END:VEVENT",
    ]


def _escaped(text: str) -> str:
    """A text of iCalendar (RFC 5545, 3.3.11)."""
    text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return text.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n")


def _folded(line: str) -> str:
    """A line of at most 75 bytes, and what goes on behind a space (RFC 5545, 3.1)."""
    parts, part = [], ""
    for character in line:
        if len((part + character).encode()) > 74:  # noqa: PLR2004 - the space of the next line counts
            parts.append(part)
            part = ""
        part += character
    return "\r\n ".join([*parts, part])
