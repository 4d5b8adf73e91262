"""Who may do what by default: Blazar's rule names and defaults, for oslo.policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oslo_policy import policy

_SCOPES = ["project"]
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
    "blazar:leases:get:all_projects": "See the leases of all projects in lists.",
    "blazar:leases:exceed_limits": "Book more than the limits of the project allow.",
}

# Rules that are not for administrators alone.
_FOR_OTHERS = {
    "blazar:leases:get": _READER,
    "blazar:leases:post": _MEMBER,
    "blazar:leases:put": _MEMBER,
    "blazar:leases:delete": _MEMBER,
    "blazar:plugins:get": _READER,
    "moorage:reservation:slots": _READER,
    "moorage:reservation:availability": _READER,
    "moorage:reservation:limits:get": _READER,
    "moorage:reservation:usage": _READER,
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
        policy.RuleDefault(name, _ADMIN, description, scope_types=_SCOPES)
        for name, description in _BESIDE_ROUTES.items()
    ]
    return [*_BASE, *guarding, *beside]
