"""Making a lease, or asking what would become of it."""

from __future__ import annotations

from http import HTTPStatus

from moorage.reservations.api import looking
from moorage.reservations.api.lease_orders import read_order
from moorage.reservations.api.lease_views import lease_view
from moorage.reservations.api.leases import is_true
from moorage.reservations.booking.creation import create as book
from moorage.reservations.room import Room
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def create(request: Request, room: Room) -> Answer:
    """POST /leases"""
    if is_true(request.parameters.last("dry_run")):
        return looking.dry_run(request, room)
    order = read_order(request.content, room, request.known_caller)
    return json_answer({"lease": lease_view(book(room, order))}, HTTPStatus.CREATED)
