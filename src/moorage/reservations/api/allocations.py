"""Which reservations have slots on which hosts: one item for each slot, as Blazar has it."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from moorage.reservations.api.dates import shown
from moorage.reservations.api.hosts import number
from moorage.reservations.room import Room
from moorage.reservations.store import hosts
from moorage.reservations.store.slot_listing import SlotRow, booked_slots
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def index(request: Request, room: Room) -> Answer:
    """GET /os-hosts/allocations"""
    lease_id, reservation_id = (request.parameters.last(name) for name in ("lease_id", "reservation_id"))
    found = room.read(booked_slots, lease_id=lease_id, reservation_id=reservation_id)
    by_host: dict[int, list[SlotRow]] = defaultdict(list)
    for row in found:
        by_host[row.host_id].append(row)
    return json_answer({"allocations": [_view(host_id, rows) for host_id, rows in by_host.items()]})


def show(request: Request, room: Room) -> Answer:
    """GET /os-hosts/{host_id}/allocation"""
    host = room.read(hosts.find, number(request))
    lease_id, reservation_id = (request.parameters.last(name) for name in ("lease_id", "reservation_id"))
    rows = room.read(booked_slots, lease_id=lease_id, reservation_id=reservation_id, host_id=host.id)
    return json_answer({"allocation": _view(host.id, rows)})


def _view(host_id: int, rows: list[SlotRow]) -> dict[str, Any]:
    return {
        "resource_id": str(host_id),
        "reservations": [
            {
                "id": row.reservation_id,
                "lease_id": row.lease_id,
                "start_date": shown(row.start),
                "end_date": shown(row.end),
            }
            for row in rows
            for _ in range(row.count)
        ],
    }
