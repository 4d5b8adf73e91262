"""Who may do what by default: upstream's rule names and defaults, for oslo.policy.

The secure defaults let administrators and services in, and readers of a project see its usages; reshaping is for
services alone. With `[oslo_policy] enforce_new_defaults = false` the legacy rule (any administrator) counts as well.
"""

from __future__ import annotations

from oslo_policy import policy

from moorage.web.policies import SCOPES, RuledRoutes, guarding

_LEGACY = policy.DeprecatedRule(
    name="rule:admin_api",
    check_str="role:admin",
    deprecated_reason="Roles are told apart: services, administrators and readers of a project.",
    deprecated_since="14.0.0",
)

_BASE = [
    policy.RuleDefault("admin_api", "role:admin", "Administrators.", scope_types=SCOPES),
    policy.RuleDefault("service_api", "role:service", "Other services.", scope_types=SCOPES, deprecated_rule=_LEGACY),
    policy.RuleDefault(
        "admin_or_service_api",
        "role:admin or role:service",
        "Administrators and other services.",
        scope_types=SCOPES,
        deprecated_rule=_LEGACY,
    ),
    policy.RuleDefault(
        "project_reader_api",
        "role:reader and project_id:%(project_id)s",
        "Readers of the project in question.",
        deprecated_rule=_LEGACY,
    ),
    policy.RuleDefault(
        "admin_or_project_reader_or_service_api",
        "role:admin or rule:project_reader_api or role:service",
        "Administrators, readers of the project in question, and other services.",
        scope_types=SCOPES,
        deprecated_rule=_LEGACY,
    ),
]

# Which of the base rules an operation has where it is not "admin_or_service_api".
_EXCEPTIONS = {
    "placement:reshaper:reshape": "rule:service_api",
    "placement:usages": "rule:admin_or_project_reader_or_service_api",
}


def rules(routes: RuledRoutes) -> list[policy.RuleDefault]:
    """All rules: the base, and those of the operations of the route table."""
    return [*_BASE, *guarding(routes, lambda rule: _EXCEPTIONS.get(rule, "rule:admin_or_service_api"), "placement:")]
