"""What can be reserved."""

from __future__ import annotations

from moorage.reservations.model.reservation import RESOURCE_TYPES
from moorage.reservations.room import Room
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def index(_request: Request, _room: Room) -> Answer:
    """GET /plugins"""
    return json_answer({"plugins": [{"resource_type": name} for name in RESOURCE_TYPES]})
