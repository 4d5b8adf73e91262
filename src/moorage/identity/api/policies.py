"""Who may do what by default, for oslo.policy: Keystone's rule names where it has one.

Administrators do everything. Whoever is known sees what is their own, which the handlers decide; the rules for these
operations are about everybody else's.
"""

from __future__ import annotations

from oslo_policy import policy

KNOWN = "identity:known_caller"
_ADMIN = "role:admin"
_ADMIN_OR_SERVICE = "role:admin or role:service"

_USER_ROLES = "/v3/projects/{project_id}/users/{user_id}/roles"
_SYSTEM_ROLES = "/v3/system/users/{user_id}/roles"
_CREDENTIALS = "/v3/users/{user_id}/application_credentials"

# Rule, default, operations. "others'" stands where everybody may do the same with what is their own.
_RULES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        KNOWN,
        "@",
        (
            "GET /v3/auth/catalog",
            "GET /v3/auth/projects",
            "GET /v3/domains",
            "GET /v3/domains/{domain_id}",
            "GET /v3/regions",
            "GET /v3/regions/{region_id}",
            f"POST {_CREDENTIALS}",
        ),
    ),
    ("identity:validate_token", _ADMIN_OR_SERVICE, ("GET /v3/auth/tokens (others')",)),
    ("identity:revoke_token", _ADMIN, ("DELETE /v3/auth/tokens (others')",)),
    ("identity:list_projects", _ADMIN, ("GET /v3/projects",)),
    ("identity:get_project", _ADMIN, ("GET /v3/projects/{project_id} (others')",)),
    ("identity:create_project", _ADMIN, ("POST /v3/projects",)),
    ("identity:update_project", _ADMIN, ("PATCH /v3/projects/{project_id}",)),
    ("identity:delete_project", _ADMIN, ("DELETE /v3/projects/{project_id}",)),
    ("identity:list_users", _ADMIN, ("GET /v3/users",)),
    ("identity:get_user", _ADMIN, ("GET /v3/users/{user_id} (others')",)),
    ("identity:create_user", _ADMIN, ("POST /v3/users",)),
    ("identity:update_user", _ADMIN, ("PATCH /v3/users/{user_id}",)),
    ("identity:delete_user", _ADMIN, ("DELETE /v3/users/{user_id}",)),
    ("identity:list_user_projects", _ADMIN, ("GET /v3/users/{user_id}/projects (others')",)),
    ("identity:list_roles", _ADMIN, ("GET /v3/roles",)),
    ("identity:get_role", _ADMIN, ("GET /v3/roles/{role_id}",)),
    ("identity:create_role", _ADMIN, ("POST /v3/roles",)),
    ("identity:update_role", _ADMIN, ("PATCH /v3/roles/{role_id}",)),
    ("identity:delete_role", _ADMIN, ("DELETE /v3/roles/{role_id}",)),
    ("identity:list_role_inference_rules", _ADMIN, ("GET /v3/role_inferences",)),
    ("identity:list_grants", _ADMIN, (f"GET {_USER_ROLES}",)),
    ("identity:check_grant", _ADMIN, (f"GET {_USER_ROLES}/{{role_id}}",)),
    ("identity:create_grant", _ADMIN, (f"PUT {_USER_ROLES}/{{role_id}}",)),
    ("identity:revoke_grant", _ADMIN, (f"DELETE {_USER_ROLES}/{{role_id}}",)),
    ("identity:list_system_grants_for_user", _ADMIN, (f"GET {_SYSTEM_ROLES}",)),
    ("identity:check_system_grant_for_user", _ADMIN, (f"GET {_SYSTEM_ROLES}/{{role_id}}",)),
    ("identity:create_system_grant_for_user", _ADMIN, (f"PUT {_SYSTEM_ROLES}/{{role_id}}",)),
    ("identity:revoke_system_grant_for_user", _ADMIN, (f"DELETE {_SYSTEM_ROLES}/{{role_id}}",)),
    ("identity:list_role_assignments", _ADMIN, ("GET /v3/role_assignments",)),
    ("identity:list_application_credentials", _ADMIN, (f"GET {_CREDENTIALS} (others')",)),
    ("identity:get_application_credential", _ADMIN, (f"GET {_CREDENTIALS}/{{credential_id}} (others')",)),
    ("identity:delete_application_credential", _ADMIN, (f"DELETE {_CREDENTIALS}/{{credential_id}} (others')",)),
    ("identity:list_services", _ADMIN, ("GET /v3/services",)),
    ("identity:get_service", _ADMIN, ("GET /v3/services/{service_id}",)),
    ("identity:list_endpoints", _ADMIN, ("GET /v3/endpoints",)),
    ("identity:get_endpoint", _ADMIN, ("GET /v3/endpoints/{endpoint_id}",)),
)


def rules() -> list[policy.DocumentedRuleDefault]:
    """All of them."""
    return [
        policy.DocumentedRuleDefault(
            name=name,
            check_str=check,
            description=f"Guards {', '.join(operations)}.",
            operations=[
                {"method": operation.partition(" ")[0], "path": operation.partition(" ")[2]} for operation in operations
            ],
        )
        for name, check, operations in _RULES
    ]
