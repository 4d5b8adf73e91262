"""The Identity API described: what the route table does not say of it."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from moorage.identity.api.answers import (
    CATALOG,
    ERROR,
    INFERENCES,
    NEW_CREDENTIAL,
    SCHEMAS,
    VERSION,
    VERSIONS,
    one,
    several,
)
from moorage.identity.api.lists import LARGEST_LIMIT
from moorage.identity.api.routes import ROUTES
from moorage.web.description import Described, Description, Operations, newest_routes
from moorage.web.schema import Definition
from moorage.web.shapes import TEXT

_PAGE: Mapping[str, Definition] = {
    "limit": {"type": "integer", "minimum": 1, "maximum": LARGEST_LIMIT, "description": "How many a page has."},
    "marker": {**TEXT, "description": "The id of the one after which the page begins."},
}
_SWITCH: Definition = {**TEXT, "description": "On whatever its value, except 0 and false."}
_TRUTH: Definition = {**TEXT, "description": "False if it is 0, false, no or off; otherwise true."}
_TAGS: Definition = {**TEXT, "description": "Tags, separated by commas."}
_NOTHING: Mapping[HTTPStatus, Definition | None] = {HTTPStatus.NO_CONTENT: None}
_SUBJECT: Mapping[str, Definition] = {"X-Subject-Token": {**TEXT, "description": "The token that it is about."}}
_NO_CATALOG: Mapping[str, Definition] = {"nocatalog": {**TEXT, "description": "Leaves out the catalog."}}

_OF_PROJECTS: Mapping[str, Definition] = {
    **dict.fromkeys(("id", "name", "domain_id", "parent_id"), TEXT),
    **dict.fromkeys(("enabled", "is_domain"), _TRUTH),
    **dict.fromkeys(("tags", "tags-any", "not-tags", "not-tags-any"), _TAGS),
}


def _list(summary: str, key: str, schema: str, filters: Mapping[str, Definition] | None = None) -> Described:
    return Described(summary=summary, query={**(filters or {}), **_PAGE}, answers={HTTPStatus.OK: several(key, schema)})


def _show(summary: str, key: str, schema: str) -> Described:
    return Described(summary=summary, answers={HTTPStatus.OK: one(key, schema)})


def _change(summary: str, key: str, schema: str, status: HTTPStatus = HTTPStatus.OK) -> Described:
    """An operation that gives a name, which another may have, in the one domain, which may not be the one meant."""
    refusals = (HTTPStatus.CONFLICT, HTTPStatus.NOT_FOUND)
    return Described(summary=summary, answers={status: one(key, schema)}, refusals=refusals)


def _create(summary: str, key: str, schema: str) -> Described:
    return _change(summary, key, schema, HTTPStatus.CREATED)


def _empty(summary: str) -> Described:
    return Described(summary=summary, answers=_NOTHING)


def _grants(where: str, path: str) -> Operations:
    users_roles = f"{path}/users/{{user_id}}/roles"
    return {
        ("GET", users_roles): _list(f"List the roles that a user was granted in {where}.", "roles", "Role"),
        ("GET", f"{users_roles}/{{role_id}}"): _empty(f"Check whether a user was granted a role in {where}."),
        ("PUT", f"{users_roles}/{{role_id}}"): _empty(f"Grant a user a role in {where}."),
        ("DELETE", f"{users_roles}/{{role_id}}"): _empty(f"Take a role in {where} from a user."),
    }


_TOKENS: Operations = {
    ("POST", "/v3/auth/tokens"): Described(
        summary="Get a token, in the header X-Subject-Token, for a password, a token or an application credential.",
        query=_NO_CATALOG,
        answers={HTTPStatus.CREATED: one("token", "Token")},
        refusals=(HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN),
    ),
    ("GET", "/v3/auth/tokens"): Described(
        summary="Show what a token stands for.",
        headers=_SUBJECT,
        query=_NO_CATALOG,
        answers={HTTPStatus.OK: one("token", "Token")},
        refusals=(HTTPStatus.NOT_FOUND,),
    ),
    ("DELETE", "/v3/auth/tokens"): Described(
        summary="Take a token back.", headers=_SUBJECT, answers=_NOTHING, refusals=(HTTPStatus.NOT_FOUND,)
    ),
    ("GET", "/v3/auth/catalog"): Described(
        summary="List the services and where they are.", answers={HTTPStatus.OK: CATALOG}
    ),
    ("GET", "/v3/auth/projects"): _list("List the projects that the caller has roles in.", "projects", "Project"),
}

_PROJECTS: Operations = {
    ("GET", "/v3/projects"): _list("List projects.", "projects", "Project", _OF_PROJECTS),
    ("POST", "/v3/projects"): _create("Make a project.", "project", "Project"),
    ("GET", "/v3/projects/{project_id}"): _show("Show a project.", "project", "Project"),
    ("PATCH", "/v3/projects/{project_id}"): _change("Change a project.", "project", "Project"),
    ("DELETE", "/v3/projects/{project_id}"): _empty("Remove a project, with all that was granted in it."),
}

_USERS: Operations = {
    ("GET", "/v3/users"): _list(
        "List users.",
        "users",
        "User",
        {**dict.fromkeys(("id", "name", "domain_id"), TEXT), "enabled": _TRUTH},
    ),
    ("POST", "/v3/users"): _create("Make a user.", "user", "User"),
    ("GET", "/v3/users/{user_id}"): _show("Show a user.", "user", "User"),
    ("PATCH", "/v3/users/{user_id}"): _change("Change a user.", "user", "User"),
    ("DELETE", "/v3/users/{user_id}"): _empty("Remove a user, with all that was granted to them."),
    ("POST", "/v3/users/{user_id}/password"): Described(
        summary="Change a password, by whoever knows it.", answers=_NOTHING, refusals=(HTTPStatus.UNAUTHORIZED,)
    ),
    ("GET", "/v3/users/{user_id}/projects"): _list(
        "List the projects that a user has roles in.", "projects", "Project", _OF_PROJECTS
    ),
}

_CREDENTIALS = "/v3/users/{user_id}/application_credentials"
_APPLICATION_CREDENTIALS: Operations = {
    ("GET", _CREDENTIALS): _list(
        "List the application credentials of a user.",
        "application_credentials",
        "ApplicationCredential",
        {"name": TEXT},
    ),
    ("POST", _CREDENTIALS): Described(
        summary="Make an application credential for oneself; its secret is shown this once.",
        answers={HTTPStatus.CREATED: NEW_CREDENTIAL},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("GET", f"{_CREDENTIALS}/{{credential_id}}"): _show(
        "Show an application credential.", "application_credential", "ApplicationCredential"
    ),
    ("DELETE", f"{_CREDENTIALS}/{{credential_id}}"): _empty("Remove an application credential, with its tokens."),
}

_ROLES: Operations = {
    ("GET", "/v3/roles"): _list(
        "List roles; all of them belong to no domain.",
        "roles",
        "Role",
        dict.fromkeys(("id", "name", "domain_id"), TEXT),
    ),
    ("POST", "/v3/roles"): _create("Make a role.", "role", "Role"),
    ("GET", "/v3/roles/{role_id}"): _show("Show a role.", "role", "Role"),
    ("PATCH", "/v3/roles/{role_id}"): _change("Change a role that policies do not count on.", "role", "Role"),
    ("DELETE", "/v3/roles/{role_id}"): _empty("Remove a role that policies do not count on."),
    ("GET", "/v3/role_inferences"): Described(
        summary="Which roles imply which others.", answers={HTTPStatus.OK: INFERENCES}
    ),
    ("GET", "/v3/role_assignments"): Described(
        summary="List who was granted which role where.",
        query={
            **dict.fromkeys(
                ("user.id", "role.id", "scope.project.id", "scope.system", "group.id", "scope.domain.id"), TEXT
            ),
            **dict.fromkeys(("effective", "include_names"), _SWITCH),
        },
        answers={HTTPStatus.OK: several("role_assignments", "RoleAssignment")},
    ),
    **_grants("a project", "/v3/projects/{project_id}"),
    **_grants("the system", "/v3/system"),
}

_SERVED: Operations = {
    ("GET", "/"): Described(
        summary="Which versions of the API there are.", answers={HTTPStatus.MULTIPLE_CHOICES: VERSIONS}
    ),
    ("GET", "/v3"): Described(summary="The version of the API.", answers={HTTPStatus.OK: VERSION}),
    ("GET", "/v3/domains"): _list("List the one domain.", "domains", "Domain", {"name": TEXT, "enabled": _TRUTH}),
    ("GET", "/v3/domains/{domain_id}"): _show("Show the domain.", "domain", "Domain"),
    ("GET", "/v3/services"): _list(
        "List services.", "services", "Service", dict.fromkeys(("id", "type", "name"), TEXT)
    ),
    ("GET", "/v3/services/{service_id}"): _show("Show a service.", "service", "Service"),
    ("GET", "/v3/endpoints"): _list(
        "List where services are.",
        "endpoints",
        "Endpoint",
        dict.fromkeys(("id", "interface", "service_id", "region_id"), TEXT),
    ),
    ("GET", "/v3/endpoints/{endpoint_id}"): _show("Show where a service is.", "endpoint", "Endpoint"),
    ("GET", "/v3/regions"): _list(
        "List the one region.", "regions", "Region", dict.fromkeys(("id", "parent_region_id"), TEXT)
    ),
    ("GET", "/v3/regions/{region_id}"): _show("Show the region.", "region", "Region"),
}

_PATH_ID: Definition = {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[^/]+$"}

DESCRIPTION = Description(
    title="Identity API",
    about=(
        "Keystone's API, version 3, for a cloud with one domain: tokens, projects, users, roles, grants, application"
        " credentials, and the catalog of what is served."
    ),
    routes=newest_routes(ROUTES, None),
    operations={**_SERVED, **_TOKENS, **_PROJECTS, **_USERS, **_APPLICATION_CREDENTIALS, **_ROLES},
    path_parameters=dict.fromkeys(
        (
            "project_id",
            "user_id",
            "role_id",
            "credential_id",
            "domain_id",
            "service_id",
            "endpoint_id",
            "region_id",
        ),
        _PATH_ID,
    ),
    error=ERROR,
    schemas=SCHEMAS,
)
