"""Tokens: given out, looked at, taken back; and what a token's bearer may reach."""

from __future__ import annotations

from http import HTTPStatus

from moorage.identity.api import rendering
from moorage.identity.api.access import token_of
from moorage.identity.api.lists import list_answer
from moorage.identity.api.logins import proofs, wanted_scope
from moorage.identity.errors import NotFound
from moorage.identity.model import Token
from moorage.identity.room import Room
from moorage.identity.store import projects
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.errors import forbidden
from moorage.web.request import Request


def create(request: Request, room: Room) -> Answer:
    """POST /v3/auth/tokens"""
    auth = request.content["auth"]
    issued = room.authentication.log_in(proofs(auth), wanted_scope(auth))
    return _shown(request, room, issued.text, issued.token, HTTPStatus.CREATED)


def show(request: Request, room: Room) -> Answer:
    """GET /v3/auth/tokens"""
    subject = _subject(request, room, "identity:validate_token")
    return _shown(request, room, request.headers["x-subject-token"], subject, HTTPStatus.OK)


def revoke(request: Request, room: Room) -> Answer:
    """DELETE /v3/auth/tokens"""
    room.book.revoke(_subject(request, room, "identity:revoke_token"))
    return empty_answer()


def catalog(request: Request, room: Room) -> Answer:
    """GET /v3/auth/catalog"""
    shown = rendering.catalog(room.catalog.endpoints(request.base_url))
    return json_answer({"catalog": shown, "links": {"self": f"{request.base_url}/v3/auth/catalog"}})


def own_projects(request: Request, room: Room) -> Answer:
    """GET /v3/auth/projects"""
    token = token_of(request, room)
    user_id = request.known_caller.user_id
    found = room.read(lambda connection: projects.of_user(connection, user_id))
    if token is not None and token.credential is not None:
        found = [project for project in found if project.id == token.credential.project_id]
    shown = [rendering.project(project, request.base_url) for project in found if project.enabled]
    return list_answer(request, "projects", "/v3/auth/projects", shown)


def _subject(request: Request, room: Room, rule: str) -> Token:
    """The token that a request is about: the bearer's own, or anybody's for those whom a rule allows."""
    subject = room.book.find(request.headers.get("x-subject-token", ""))
    caller = request.known_caller
    is_own = subject is not None and subject.user.id == caller.user_id
    if not is_own and not room.allows(caller, rule, None):
        raise forbidden(f"You are not authorized to perform the requested action: {rule}.")
    if subject is None:
        raise NotFound("token", "the one in X-Subject-Token")
    return subject


def _shown(request: Request, room: Room, text: str, token: Token, status: HTTPStatus) -> Answer:
    wants_catalog = "nocatalog" not in request.parameters
    endpoints = room.catalog.endpoints(request.base_url) if wants_catalog else None
    headers = {"x-subject-token": text, "vary": "X-Auth-Token"}
    return json_answer({"token": rendering.token(token, endpoints)}, status, headers)
