"""Roles, and which of them imply which."""

from __future__ import annotations

from http import HTTPStatus
from uuid import uuid4

from moorage.db.database import Transaction
from moorage.identity.api import rendering
from moorage.identity.api.attributes import values_of
from moorage.identity.api.lists import list_answer
from moorage.identity.model import IMPLIED_ROLES, Role
from moorage.identity.room import Room
from moorage.identity.store import roles
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.request import Request

_COLUMNS = ("name", "description")
_FILTERS = ("id", "name")


def index(request: Request, room: Room) -> Answer:
    """GET /v3/roles"""
    found = room.read(roles.listed)
    if "domain_id" in request.parameters:
        found = []  # all roles are global ones
    shown = [rendering.role(role, request.base_url) for role in found]
    return list_answer(request, "roles", "/v3/roles", shown, _FILTERS)


def create(request: Request, room: Room) -> Answer:
    """POST /v3/roles"""
    role = Role(uuid4().hex, **values_of(request.content["role"], _COLUMNS, {}))
    room.change(lambda tx: roles.add(tx, role))
    return json_answer({"role": rendering.role(role, request.base_url)}, HTTPStatus.CREATED)


def show(request: Request, room: Room) -> Answer:
    """GET /v3/roles/{role_id}"""
    role = room.read(lambda connection: roles.get(connection, request.path["role_id"]))
    return json_answer({"role": rendering.role(role, request.base_url)})


def update(request: Request, room: Room) -> Answer:
    """PATCH /v3/roles/{role_id}"""
    content, role_id = request.content["role"], request.path["role_id"]

    def work(tx: Transaction) -> Role:
        kept = roles.get(tx.connection, role_id).extra
        return roles.change(tx, role_id, values_of(content, _COLUMNS, kept))

    return json_answer({"role": rendering.role(room.change(work), request.base_url)})


def delete(request: Request, room: Room) -> Answer:
    """DELETE /v3/roles/{role_id}"""
    room.change(lambda tx: roles.remove(tx, request.path["role_id"]))
    return empty_answer()


def inferences(request: Request, room: Room) -> Answer:
    """GET /v3/role_inferences"""
    by_name = {role.name: role for role in room.read(roles.listed)}

    def shown(name: str) -> rendering.Rendered:
        role = by_name[name]
        return {
            "id": role.id,
            "name": role.name,
            "description": role.description or None,
            "links": {"self": f"{request.base_url}/v3/roles/{role.id}"},
        }

    found = [
        {"prior_role": shown(prior), "implies": [shown(name) for name in implied]}
        for prior, implied in IMPLIED_ROLES.items()
    ]
    return json_answer(
        {"role_inferences": found, "links": {"self": f"{request.base_url}/v3/role_inferences", "next": None}}
    )
