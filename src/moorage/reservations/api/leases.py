"""Leases: to list, show and delete them."""

from __future__ import annotations

from moorage.reservations.api import dates
from moorage.reservations.api.lease_views import lease_view
from moorage.reservations.api.reservation_fields import whole_number
from moorage.reservations.booking.deletion import delete as remove
from moorage.reservations.booking.promotion import promote_if_possible
from moorage.reservations.model.lease import Lease
from moorage.reservations.room import Room
from moorage.reservations.store import leases
from moorage.reservations.store.errors import NotFound
from moorage.reservations.store.listing import Selection, select_leases
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.errors import forbidden
from moorage.web.request import Request

_RULE = "blazar:leases:"
_TRUE = frozenset({"1", "t", "true", "on", "y", "yes"})


def index(request: Request, room: Room) -> Answer:
    """GET /leases"""
    return json_answer({"leases": [lease_view(lease) for lease in selected(request, room)]})


def show(request: Request, room: Room) -> Answer:
    """GET /leases/{lease_id}"""
    return json_answer({"lease": lease_view(own(request, room, "get"))})


def delete(request: Request, room: Room) -> Answer:
    """DELETE /leases/{lease_id}"""
    remove(room, own(request, room, "delete").id)
    promote_if_possible(room)
    return empty_answer()


def selected(request: Request, room: Room) -> list[Lease]:
    """The leases that a request asks for and that its caller may see: all of them only for administrators."""
    parameters, caller = request.parameters, request.known_caller
    now = room.now()
    everybody = room.allows(caller, f"{_RULE}get:all_projects", None)
    project_id = parameters.last("project_id") if everybody else caller.project_id or ""
    after, before, limit = (parameters.last(name) for name in ("ends_after", "starts_before", "limit"))
    wanted = Selection(
        project_id=project_id,
        user_id=parameters.last("user_id"),
        name=parameters.last("name"),
        status=(parameters.last("status") or "").upper() or None,
        ends_after=None if after is None else dates.read(after, now),
        starts_before=None if before is None else dates.read(before, now),
        deleted=is_true(parameters.last("deleted")),
        marker=parameters.last("marker"),
        limit=None if limit is None else whole_number(limit, "limit", 1),
    )
    return room.read(select_leases, wanted)


def is_true(text: str | None) -> bool:
    """Whether a parameter says yes."""
    return (text or "").strip().lower() in _TRUE


def own(request: Request, room: Room, what: str) -> Lease:
    """The lease in question, if the policy lets the caller do this in its project; others do not learn of it."""
    lease_id = request.path["lease_id"]
    history = what == "get" and is_true(request.parameters.last("deleted"))
    lease = room.read(leases.find, lease_id, deleted=history)
    if lease is None or not room.allows(request.known_caller, f"{_RULE}get", lease.project_id):
        raise NotFound(f"Object with {{'lease_id': '{lease_id}'}} not found")
    if not room.allows(request.known_caller, f"{_RULE}{what}", lease.project_id):
        raise forbidden(f"Policy doesn't allow {_RULE}{what} to be performed.")
    return lease
