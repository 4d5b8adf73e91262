"""Who may do what by default: Nova's rule names and defaults, for oslo.policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oslo_policy import policy

from moorage.compute.api import server_policies

_SCOPES = ["project"]
_EVERYBODY = "@"
_ADMIN = "rule:context_is_admin"
_MEMBER = "rule:project_member_or_admin"
_READER = "rule:project_reader_or_admin"

_BASE = [
    policy.RuleDefault("context_is_admin", "role:admin", "Administrators.", scope_types=_SCOPES),
    policy.RuleDefault(
        "project_member_or_admin",
        "role:admin or (role:member and project_id:%(project_id)s)",
        "Administrators, and members of the project in question.",
        scope_types=_SCOPES,
    ),
    policy.RuleDefault(
        "project_reader_or_admin",
        "role:admin or (role:reader and project_id:%(project_id)s)",
        "Administrators, and readers of the project in question.",
        scope_types=_SCOPES,
    ),
]

# What the policy asks for beyond what guards a route by itself.
_BESIDE_ROUTES = {
    "os_compute_api:os-server-groups:index:all_projects": "List the server groups of all projects.",
    "os_compute_api:limits:other_project": "See the limits of another project.",
    **server_policies.BESIDE_ROUTES,
}

# Rules that are not for administrators alone.
_FOR_OTHERS = {
    "os_compute_api:flavors:list": _EVERYBODY,
    "os_compute_api:flavors:show": _EVERYBODY,
    "os_compute_api:os-flavor-extra-specs:index": _READER,
    "os_compute_api:os-flavor-extra-specs:show": _READER,
    "os_compute_api:os-availability-zone:list": _EVERYBODY,
    "os_compute_api:os-server-groups:create": _MEMBER,
    "os_compute_api:os-server-groups:delete": _MEMBER,
    "os_compute_api:os-server-groups:index": _READER,
    "os_compute_api:os-server-groups:show": _READER,
    "os_compute_api:os-quota-sets:show": _READER,
    "os_compute_api:os-quota-sets:detail": _READER,
    "os_compute_api:os-quota-sets:defaults": _EVERYBODY,
    "os_compute_api:limits": _EVERYBODY,
    **dict.fromkeys(server_policies.FOR_READERS, _READER),
    **dict.fromkeys(server_policies.FOR_MEMBERS, _MEMBER),
}


def rules(operations: Mapping[str, Iterable[tuple[str, str]]]) -> list[policy.RuleDefault]:
    """All rules, for operations given as rule name and the methods and paths that it guards."""
    guarding = [
        policy.DocumentedRuleDefault(
            name=name,
            check_str=_FOR_OTHERS.get(name, _ADMIN),
            description=f"Guards {', '.join(f'{method} {path}' for method, path in guarded)}.",
            operations=[{"method": method, "path": path} for method, path in guarded],
            scope_types=_SCOPES,
        )
        for name, guarded in operations.items()
    ]
    beside = [
        policy.RuleDefault(name, _FOR_OTHERS.get(name, _ADMIN), description, scope_types=_SCOPES)
        for name, description in _BESIDE_ROUTES.items()
    ]
    return [*_BASE, *guarding, *beside]
