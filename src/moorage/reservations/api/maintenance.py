"""The times in which a host is busy with itself."""

from __future__ import annotations

import uuid

from moorage.reservations.api import dates
from moorage.reservations.api.hosts import host_view, number
from moorage.reservations.host_registration import set_maintenance
from moorage.reservations.model.host import Maintenance
from moorage.reservations.model.period import Period
from moorage.reservations.model.refusals import Invalid
from moorage.reservations.room import Room
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def update(request: Request, room: Room) -> Answer:
    """PUT /os-hosts/{host_id}/maintenance"""
    now = room.now()
    windows = []
    for wanted in request.content["maintenance"]:
        period = Period(dates.read(wanted["start_date"], now), dates.read(wanted["end_date"], now))
        if period.end <= period.start:
            raise Invalid("End date must be later than start date.")
        windows.append(Maintenance(id=str(uuid.uuid4()), period=period, reason=wanted.get("reason", "")))
    return json_answer({"host": host_view(set_maintenance(room, number(request), tuple(windows)))})
