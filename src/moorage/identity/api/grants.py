"""Grants of roles in a project or in the whole system, one by one and all together."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from moorage.identity.api import rendering
from moorage.identity.api.lists import list_answer
from moorage.identity.model import Grant, Project, Role, Scope, User, with_implied
from moorage.identity.room import Room
from moorage.identity.store import grants, projects, roles, users
from moorage.web.answer import Answer, empty_answer
from moorage.web.request import Request

_NO = ("0", "false")


def index(request: Request, room: Room) -> Answer:
    """GET /v3/projects/{project_id}/users/{user_id}/roles, and the same for the system"""
    project_id, user_id = request.path.get("project_id"), request.path["user_id"]

    def work(connection: Connection) -> list[Role]:
        users.get(connection, user_id)
        if project_id is not None:
            projects.get(connection, project_id)
        return grants.roles_of(connection, user_id, Scope(project_id, is_system=project_id is None))

    shown = [rendering.role(role, request.base_url) for role in room.read(work)]
    where = "system" if project_id is None else f"projects/{project_id}"
    return list_answer(request, "roles", f"/v3/{where}/users/{user_id}/roles", shown)


def create(request: Request, room: Room) -> Answer:
    """PUT …/users/{user_id}/roles/{role_id}"""
    room.change(lambda tx: grants.add(tx, _grant(request)))
    return empty_answer()


def check(request: Request, room: Room) -> Answer:
    """GET and HEAD …/users/{user_id}/roles/{role_id}"""
    room.read(lambda connection: grants.require(connection, _grant(request)))
    return empty_answer()


def delete(request: Request, room: Room) -> Answer:
    """DELETE …/users/{user_id}/roles/{role_id}"""
    room.change(lambda tx: grants.remove(tx, _grant(request)))
    return empty_answer()


def assignments(request: Request, room: Room) -> Answer:
    """GET /v3/role_assignments"""

    def work(connection: Connection) -> tuple[list[Grant], list[Role], list[User], list[Project]]:
        return (
            grants.listed(connection),
            roles.listed(connection),
            users.listed(connection),
            projects.listed(connection),
        )

    found, all_roles, all_users, all_projects = room.read(work)
    asked = request.parameters
    role_by_id = {role.id: role for role in all_roles}
    expanded = _expanded(found, role_by_id) if _is_on(request, "effective") else zip(found, found, strict=True)
    names = {user.id: user.name for user in all_users} if _is_on(request, "include_names") else None
    project_names = {project.id: project.name for project in all_projects}
    shown = [
        _shown(request, grant, prior, role_by_id, names, project_names)
        for grant, prior in expanded
        if asked.last("user.id") in (None, grant.user_id)
        and asked.last("role.id") in (None, grant.role_id)
        and asked.last("scope.project.id") in (None, grant.project_id)
        and ("scope.system" not in asked or grant.project_id is None)
        # Nobody is in a group, and nobody has a role in a domain.
        and "group.id" not in asked
        and "scope.domain.id" not in asked
    ]
    return list_answer(request, "role_assignments", "/v3/role_assignments", shown, has_pages=False)


def _grant(request: Request) -> Grant:
    return Grant(request.path["user_id"], request.path["role_id"], request.path.get("project_id"))


def _is_on(request: Request, parameter: str) -> bool:
    value = request.parameters.last(parameter)
    return value is not None and value.lower() not in _NO


def _expanded(found: list[Grant], role_by_id: dict[str, Role]) -> Iterator[tuple[Grant, Grant]]:
    """Every grant and those that its role implies, each once, with the one that it comes from."""
    seen: set[Grant] = set()
    for prior in found:
        for role in with_implied([role_by_id[prior.role_id]], role_by_id.values()):
            grant = Grant(prior.user_id, role.id, prior.project_id)
            if grant not in seen:
                seen.add(grant)
                yield grant, prior


def _shown(
    request: Request,
    grant: Grant,
    prior: Grant,
    role_by_id: dict[str, Role],
    names: dict[str, str] | None,
    project_names: dict[str, str],
) -> rendering.Rendered:
    where = "system" if grant.project_id is None else f"projects/{grant.project_id}"
    links = {"assignment": f"{request.base_url}/v3/{where}/users/{grant.user_id}/roles/{prior.role_id}"}
    if grant != prior:
        links["prior_role"] = f"{request.base_url}/v3/roles/{prior.role_id}"
    user: rendering.Rendered = {"id": grant.user_id}
    role: rendering.Rendered = {"id": grant.role_id}
    project: rendering.Rendered = {"id": grant.project_id}
    if names is not None:
        user |= {"name": names[grant.user_id], "domain": rendering.DOMAIN}
        role |= {"name": role_by_id[grant.role_id].name}
        if grant.project_id is not None:
            project |= {"name": project_names[grant.project_id], "domain": rendering.DOMAIN}
    scope = {"system": {"all": True}} if grant.project_id is None else {"project": project}
    return {"scope": scope, "user": user, "role": role, "links": links}
