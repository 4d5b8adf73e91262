"""Who may do what by default in the console's own API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oslo_policy import policy

_SCOPES = ["project"]

# Rules that are not for administrators alone.
_FOR_OTHERS = {"moorage:console:session": "@"}


def rules(operations: Mapping[str, Iterable[tuple[str, str]]]) -> list[policy.RuleDefault]:
    """All rules, for operations given as rule name and the methods and paths that it guards."""
    return [
        policy.DocumentedRuleDefault(
            name=name,
            check_str=_FOR_OTHERS.get(name, "role:admin"),
            description=f"Guards {', '.join(f'{method} {path}' for method, path in guarded)}.",
            operations=[{"method": method, "path": path} for method, path in guarded],
            scope_types=_SCOPES,
        )
        for name, guarded in operations.items()
    ]
