"""Who may do what by default: LIQUID's rule names, for oslo.policy; administrators alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oslo_policy import policy

GET_INFO = "liquid:get_info"
GET_CAPACITY = "liquid:get_capacity"
GET_USAGE = "liquid:get_usage"
SET_QUOTA = "liquid:set_quota"
CHANGE_COMMITMENTS = "liquid:change_commitments"
GET_METRICS = "liquid:get_metrics"

_SCOPES = ["project"]


def rules(operations: Mapping[str, Iterable[tuple[str, str]]]) -> list[policy.RuleDefault]:
    """All rules, for operations given as rule name and the methods and paths that it guards."""
    administrators = policy.RuleDefault("context_is_admin", "role:admin", "Administrators.", scope_types=_SCOPES)
    return [
        administrators,
        *(
            policy.DocumentedRuleDefault(
                name=name,
                check_str="rule:context_is_admin",
                description=f"Guards {', '.join(f'{method} {path}' for method, path in guarded)}.",
                operations=[{"method": method, "path": path} for method, path in guarded],
                scope_types=_SCOPES,
            )
            for name, guarded in operations.items()
        ),
    ]
