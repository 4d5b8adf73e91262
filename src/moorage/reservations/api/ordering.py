"""Making a lease and changing it, or asking what would become of it."""

from __future__ import annotations

from http import HTTPStatus

from moorage.reservations.api import looking
from moorage.reservations.api.lease_orders import read_change, read_order
from moorage.reservations.api.lease_views import lease_view
from moorage.reservations.api.leases import is_true, own
from moorage.reservations.booking.change import change
from moorage.reservations.booking.creation import create as book
from moorage.reservations.booking.looking import would_fit
from moorage.reservations.booking.looking_at_changes import would_change
from moorage.reservations.booking.promotion import promote_if_possible
from moorage.reservations.room import Room
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def create(request: Request, room: Room) -> Answer:
    """POST /leases"""
    order = read_order(request.content, room, request.known_caller)
    if _is_dry_run(request):
        return looking.show_verdict(would_fit(room, order), request, room)
    return json_answer({"lease": lease_view(book(room, order))}, HTTPStatus.CREATED)


def update(request: Request, room: Room) -> Answer:
    """PUT /leases/{lease_id}"""
    lease = own(request, room, "put")
    wanted = read_change(request.content, room, request.known_caller, lease)
    if _is_dry_run(request):
        return looking.show_verdict(would_change(room, lease.id, wanted), request, room)
    changed = change(room, lease.id, wanted)
    promote_if_possible(room)
    return json_answer({"lease": lease_view(changed)})


def _is_dry_run(request: Request) -> bool:
    return is_true(request.parameters.last("dry_run"))
