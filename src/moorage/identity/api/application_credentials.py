"""Application credentials of a user."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from moorage.db.database import Transaction
from moorage.identity.api import rendering
from moorage.identity.api.access import require_self_or, token_of
from moorage.identity.api.lists import list_answer
from moorage.identity.errors import Invalid, NotAllowed
from moorage.identity.model import ApplicationCredential, Role, Token
from moorage.identity.room import Room
from moorage.identity.store import application_credentials, roles, tokens, users
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.errors import forbidden
from moorage.web.request import Request

_SECRET_BYTES = 64


def index(request: Request, room: Room) -> Answer:
    """GET /v3/users/{user_id}/application_credentials"""
    user_id = request.path["user_id"]
    require_self_or("identity:list_application_credentials", request, room, user_id)
    room.read(lambda connection: users.get(connection, user_id))
    found = room.read(lambda connection: application_credentials.of_user(connection, user_id))
    shown = [rendering.application_credential(credential, request.base_url) for credential in found]
    path = f"/v3/users/{user_id}/application_credentials"
    return list_answer(request, "application_credentials", path, shown, ("name",))


def create(request: Request, room: Room) -> Answer:
    """POST /v3/users/{user_id}/application_credentials"""
    caller, content = request.known_caller, request.content["application_credential"]
    if caller.user_id != request.path["user_id"]:
        raise forbidden("An application credential can be made only by the user that it is for.")
    if caller.project_id is None:
        raise Invalid("An application credential is for a project: make it with a token for that project.")
    token = _unrestricted(request, room)
    credential = ApplicationCredential(
        id=uuid4().hex,
        user_id=caller.user_id,
        project_id=caller.project_id,
        name=content["name"],
        description=content.get("description") or "",
        roles=_passed_on(request, room),
        unrestricted=content.get("unrestricted", False),
        expires_at=_expiry(content, room.now()),
    )
    secret = content.get("secret") or secrets.token_urlsafe(_SECRET_BYTES)
    hashed = room.authentication.hasher.hashed(secret)

    def work(tx: Transaction) -> None:
        if token is not None:
            # The secret outlives the token, so this is no time to believe what was true a moment ago.
            tokens.require(tx.connection, token.digest)
        application_credentials.add(tx, credential, hashed)

    room.change(work)
    shown = rendering.application_credential(credential, request.base_url)
    return json_answer({"application_credential": {**shown, "secret": secret}}, HTTPStatus.CREATED)


def show(request: Request, room: Room) -> Answer:
    """GET /v3/users/{user_id}/application_credentials/{credential_id}"""
    user_id, credential_id = request.path["user_id"], request.path["credential_id"]
    require_self_or("identity:get_application_credential", request, room, user_id)
    found = room.read(lambda connection: application_credentials.get(connection, user_id, credential_id))
    return json_answer({"application_credential": rendering.application_credential(found, request.base_url)})


def delete(request: Request, room: Room) -> Answer:
    """DELETE /v3/users/{user_id}/application_credentials/{credential_id}"""
    user_id, credential_id = request.path["user_id"], request.path["credential_id"]
    require_self_or("identity:delete_application_credential", request, room, user_id)
    _unrestricted(request, room)
    room.change(lambda tx: application_credentials.remove(tx, user_id, credential_id))
    return empty_answer()


def _unrestricted(request: Request, room: Room) -> Token | None:
    """The caller's token; refused to a program that would make or take away keys and may not."""
    token = token_of(request, room)
    if token is not None and token.credential is not None and not token.credential.unrestricted:
        raise NotAllowed("Using method 'application_credential' is not allowed for managing application credentials.")
    return token


def _passed_on(request: Request, room: Room) -> tuple[Role, ...]:
    """The roles that are asked for, each of which the caller must have; without any, all that the caller has."""
    held = set(request.known_caller.roles)
    wanted = request.content["application_credential"].get("roles")
    known = [role for role in room.read(roles.listed) if role.name in held]
    if not wanted:
        return tuple(known)
    for one in wanted:
        if not any(_names(one, role) for role in known):
            raise Invalid(f"The role {one.get('id') or one.get('name')} is not one that you have in this project.")
    return tuple(role for role in known if any(_names(one, role) for one in wanted))


def _names(wanted: dict[str, Any], role: Role) -> bool:
    """Whether a client means this role; by its id, if it gave one."""
    return bool(wanted["id"] == role.id if "id" in wanted else wanted["name"] == role.name)


def _expiry(content: dict[str, Any], now: datetime) -> datetime | None:
    text = content.get("expires_at")
    if text is None:
        return None
    try:
        expires_at = datetime.fromisoformat(text)
        if expires_at.tzinfo is not None:
            expires_at = expires_at.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError) as error:
        raise Invalid(f"expires_at cannot be {text!r}; it must look like 2030-12-31T23:59:59Z.") from error
    expires_at = expires_at.replace(microsecond=0)
    if expires_at <= now:
        raise Invalid("expires_at must be in the future.")
    return expires_at
