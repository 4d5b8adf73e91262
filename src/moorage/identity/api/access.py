"""Access to what is somebody's own: they have it, and so have those whom the policy lets at everybody's."""

from __future__ import annotations

from moorage.identity.model import Token
from moorage.identity.room import Room
from moorage.web.errors import forbidden
from moorage.web.request import Request


def require_self_or(rule: str, request: Request, room: Room, user_id: str) -> None:
    """Let the user in question pass, and those whom a rule allows."""
    caller = request.known_caller
    if caller.user_id != user_id and not room.allows(caller, rule, None):
        raise forbidden(f"You are not authorized to perform the requested action: {rule}.")


def require_own_project_or(rule: str, request: Request, room: Room, project_id: str) -> None:
    """Let those pass whose token is for the project in question, and those whom a rule allows."""
    caller = request.known_caller
    if caller.project_id != project_id and not room.allows(caller, rule, None):
        raise forbidden(f"You are not authorized to perform the requested action: {rule}.")


def token_of(request: Request, room: Room) -> Token | None:
    """The token that a request was sent with; None for the admin token, which is not one of this room."""
    return room.book.find(request.headers.get("x-auth-token", ""))
