"""Projects."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from uuid import uuid4

from moorage.db.database import Transaction
from moorage.identity.api import rendering
from moorage.identity.api.access import require_own_project_or, require_self_or
from moorage.identity.api.attributes import require_the_domain, values_of
from moorage.identity.api.lists import list_answer
from moorage.identity.model import Project
from moorage.identity.room import Room
from moorage.identity.store import projects, users
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.request import Request

_COLUMNS = ("name", "description", "enabled")
_FILTERS = ("id", "name", "enabled", "domain_id", "parent_id", "is_domain")
# What a parameter asks of the tags of a project, given those it names.
_TAG_FILTERS: dict[str, Callable[[set[str], set[str]], bool]] = {
    "tags": lambda wanted, tags: wanted <= tags,
    "tags-any": lambda wanted, tags: bool(wanted & tags),
    "not-tags": lambda wanted, tags: not wanted <= tags,
    "not-tags-any": lambda wanted, tags: not wanted & tags,
}


def index(request: Request, room: Room) -> Answer:
    """GET /v3/projects"""
    return _listed(request, room.read(projects.listed), "/v3/projects")


def of_user(request: Request, room: Room) -> Answer:
    """GET /v3/users/{user_id}/projects"""
    user_id = request.path["user_id"]
    require_self_or("identity:list_user_projects", request, room, user_id)
    room.read(lambda connection: users.get(connection, user_id))
    found = room.read(lambda connection: projects.of_user(connection, user_id))
    return _listed(request, found, f"/v3/users/{user_id}/projects")


def create(request: Request, room: Room) -> Answer:
    """POST /v3/projects"""
    content = request.content["project"]
    require_the_domain(content)
    project = Project(uuid4().hex, **values_of(content, _COLUMNS, {}))
    room.change(lambda tx: projects.add(tx, project))
    return json_answer({"project": rendering.project(project, request.base_url)}, HTTPStatus.CREATED)


def show(request: Request, room: Room) -> Answer:
    """GET /v3/projects/{project_id}"""
    project_id = request.path["project_id"]
    require_own_project_or("identity:get_project", request, room, project_id)
    project = room.read(lambda connection: projects.get(connection, project_id))
    return json_answer({"project": rendering.project(project, request.base_url)})


def update(request: Request, room: Room) -> Answer:
    """PATCH /v3/projects/{project_id}"""
    content, project_id = request.content["project"], request.path["project_id"]
    require_the_domain(content)

    def work(tx: Transaction) -> Project:
        kept = projects.get(tx.connection, project_id).extra
        return projects.change(tx, project_id, values_of(content, _COLUMNS, kept))

    return json_answer({"project": rendering.project(room.change(work), request.base_url)})


def delete(request: Request, room: Room) -> Answer:
    """DELETE /v3/projects/{project_id}"""
    room.change(lambda tx: projects.remove(tx, request.path["project_id"]))
    return empty_answer()


def _listed(request: Request, found: list[Project], path: str) -> Answer:
    shown = [rendering.project(project, request.base_url) for project in found]
    for parameter, passes in _TAG_FILTERS.items():
        if parameter in request.parameters:
            wanted = set((request.parameters.last(parameter) or "").split(","))
            shown = [project for project in shown if passes(wanted, set(project["tags"]))]
    return list_answer(request, "projects", path, shown, _FILTERS)
