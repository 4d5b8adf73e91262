"""Users."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from uuid import uuid4

from moorage.db.database import Transaction
from moorage.identity.api import rendering
from moorage.identity.api.access import require_self_or
from moorage.identity.api.attributes import require_the_domain, values_of
from moorage.identity.api.lists import list_answer
from moorage.identity.model import User
from moorage.identity.room import Room
from moorage.identity.store import users
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.request import Request

_COLUMNS = ("name", "description", "enabled", "default_project_id", "password")
_FILTERS = ("id", "name", "enabled", "domain_id")


def index(request: Request, room: Room) -> Answer:
    """GET /v3/users"""
    shown = [rendering.user(user, request.base_url) for user in room.read(users.listed)]
    return list_answer(request, "users", "/v3/users", shown, _FILTERS)


def create(request: Request, room: Room) -> Answer:
    """POST /v3/users"""
    values = _values(request, room, {})
    password = values.pop("password", None)
    user = User(uuid4().hex, **values)
    room.change(lambda tx: users.add(tx, user, password))
    return json_answer({"user": rendering.user(user, request.base_url)}, HTTPStatus.CREATED)


def show(request: Request, room: Room) -> Answer:
    """GET /v3/users/{user_id}"""
    user_id = request.path["user_id"]
    require_self_or("identity:get_user", request, room, user_id)
    user = room.read(lambda connection: users.get(connection, user_id))
    return json_answer({"user": rendering.user(user, request.base_url)})


def update(request: Request, room: Room) -> Answer:
    """PATCH /v3/users/{user_id}"""
    user_id = request.path["user_id"]
    sent = _values(request, room, {})

    def work(tx: Transaction) -> User:
        kept = users.get(tx.connection, user_id).extra
        extra = {"extra": {**kept, **sent["extra"]}} if "extra" in sent else {}
        return users.change(tx, user_id, {**sent, **extra})

    return json_answer({"user": rendering.user(room.change(work), request.base_url)})


def delete(request: Request, room: Room) -> Answer:
    """DELETE /v3/users/{user_id}"""
    room.change(lambda tx: users.remove(tx, request.path["user_id"]))
    return empty_answer()


def change_password(request: Request, room: Room) -> Answer:
    """POST /v3/users/{user_id}/password

    Needs no token, as in Keystone: whoever knows the password could get one.
    """
    user_id, content = request.path["user_id"], request.content["user"]
    room.authentication.change_password(user_id, content["original_password"], content["password"])
    return empty_answer()


def _values(request: Request, room: Room, kept: dict[str, Any]) -> dict[str, Any]:
    """What was sent, with the password in the form that is kept."""
    content = request.content["user"]
    require_the_domain(content)
    values = values_of(content, _COLUMNS, kept)
    if values.get("password") is not None:
        values["password"] = room.authentication.hasher.hashed(values["password"])
    return values
