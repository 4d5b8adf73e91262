"""The whole Identity API on one screen.

HEAD is answered wherever GET is. What is somebody's own, its owner may see: there the handler asks for the rule.
"""

from __future__ import annotations

from collections.abc import Callable

from moorage.identity.api import (
    application_credentials,
    grants,
    projects,
    roles,
    schemas,
    services,
    tokens,
    users,
    versions,
)
from moorage.identity.api.policies import KNOWN
from moorage.identity.room import Room
from moorage.web.answer import Answer
from moorage.web.application import Operation, Routes
from moorage.web.request import Request
from moorage.web.schema import Schema

Handler = Callable[[Request, Room], Answer]


def _by(rule: str | None, handler: Handler, schema: Schema | None = None) -> tuple[Operation[Room], ...]:
    return (Operation(handler=handler, rule=rule, schema=schema),)


def _open(handler: Handler, schema: Schema | None = None) -> tuple[Operation[Room], ...]:
    """For everybody."""
    return _by(None, handler, schema)


def _known(handler: Handler, schema: Schema | None = None) -> tuple[Operation[Room], ...]:
    """For everybody with a token."""
    return _by(KNOWN, handler, schema)


ROUTES: Routes[Room] = {
    "/": {"GET": _open(versions.index)},
    "/v3": {"GET": _open(versions.show)},
    "/v3/auth/tokens": {
        "POST": _open(tokens.create, schemas.TOKEN_CREATE),
        "GET": _known(tokens.show),
        "DELETE": _known(tokens.revoke),
    },
    "/v3/auth/catalog": {"GET": _known(tokens.catalog)},
    "/v3/auth/projects": {"GET": _known(tokens.own_projects)},
    "/v3/projects": {
        "GET": _by("identity:list_projects", projects.index),
        "POST": _by("identity:create_project", projects.create, schemas.PROJECT_CREATE),
    },
    "/v3/projects/{project_id}": {
        "GET": _known(projects.show),
        "PATCH": _by("identity:update_project", projects.update, schemas.PROJECT_UPDATE),
        "DELETE": _by("identity:delete_project", projects.delete),
    },
    "/v3/projects/{project_id}/users/{user_id}/roles": {"GET": _by("identity:list_grants", grants.index)},
    "/v3/projects/{project_id}/users/{user_id}/roles/{role_id}": {
        "GET": _by("identity:check_grant", grants.check),
        "PUT": _by("identity:create_grant", grants.create),
        "DELETE": _by("identity:revoke_grant", grants.delete),
    },
    "/v3/system/users/{user_id}/roles": {"GET": _by("identity:list_system_grants_for_user", grants.index)},
    "/v3/system/users/{user_id}/roles/{role_id}": {
        "GET": _by("identity:check_system_grant_for_user", grants.check),
        "PUT": _by("identity:create_system_grant_for_user", grants.create),
        "DELETE": _by("identity:revoke_system_grant_for_user", grants.delete),
    },
    "/v3/role_assignments": {"GET": _by("identity:list_role_assignments", grants.assignments)},
    "/v3/users": {
        "GET": _by("identity:list_users", users.index),
        "POST": _by("identity:create_user", users.create, schemas.USER_CREATE),
    },
    "/v3/users/{user_id}": {
        "GET": _known(users.show),
        "PATCH": _by("identity:update_user", users.update, schemas.USER_UPDATE),
        "DELETE": _by("identity:delete_user", users.delete),
    },
    "/v3/users/{user_id}/password": {"POST": _open(users.change_password, schemas.PASSWORD_CHANGE)},
    "/v3/users/{user_id}/projects": {"GET": _known(projects.of_user)},
    "/v3/users/{user_id}/application_credentials": {
        "GET": _known(application_credentials.index),
        "POST": _known(application_credentials.create, schemas.APPLICATION_CREDENTIAL_CREATE),
    },
    "/v3/users/{user_id}/application_credentials/{credential_id}": {
        "GET": _known(application_credentials.show),
        "DELETE": _known(application_credentials.delete),
    },
    "/v3/roles": {
        "GET": _by("identity:list_roles", roles.index),
        "POST": _by("identity:create_role", roles.create, schemas.ROLE_CREATE),
    },
    "/v3/roles/{role_id}": {
        "GET": _by("identity:get_role", roles.show),
        "PATCH": _by("identity:update_role", roles.update, schemas.ROLE_UPDATE),
        "DELETE": _by("identity:delete_role", roles.delete),
    },
    "/v3/role_inferences": {"GET": _by("identity:list_role_inference_rules", roles.inferences)},
    "/v3/domains": {"GET": _known(services.domains)},
    "/v3/domains/{domain_id}": {"GET": _known(services.domain)},
    "/v3/services": {"GET": _by("identity:list_services", services.services)},
    "/v3/services/{service_id}": {"GET": _by("identity:get_service", services.service)},
    "/v3/endpoints": {"GET": _by("identity:list_endpoints", services.endpoints)},
    "/v3/endpoints/{endpoint_id}": {"GET": _by("identity:get_endpoint", services.endpoint)},
    "/v3/regions": {"GET": _known(services.regions)},
    "/v3/regions/{region_id}": {"GET": _known(services.region)},
}
