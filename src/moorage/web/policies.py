"""Who may do what by default, for oslo.policy: what the rules of all rooms have in common.

A room's route table names the rule of each operation; its `policies.py` says whom each rule lets through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from oslo_policy import policy

SCOPES = ["project"]

EVERYBODY = "@"
ADMINISTRATORS = "rule:context_is_admin"
MEMBERS = "rule:project_member_or_admin"
READERS = "rule:project_reader_or_admin"

# The rules that those checks name, as other services of OpenStack have them.
CONTEXT_IS_ADMIN = policy.RuleDefault("context_is_admin", "role:admin", "Administrators.", scope_types=SCOPES)
BASE = (
    CONTEXT_IS_ADMIN,
    policy.RuleDefault(
        "project_member_or_admin",
        "role:admin or (role:member and project_id:%(project_id)s)",
        "Administrators, and members of the project in question.",
        scope_types=SCOPES,
    ),
    policy.RuleDefault(
        "project_reader_or_admin",
        "role:admin or (role:reader and project_id:%(project_id)s)",
        "Administrators, and readers of the project in question.",
        scope_types=SCOPES,
    ),
)


class Ruled(Protocol):
    """An operation, as far as policies go."""

    @property
    def rule(self) -> str | None:
        """The policy rule; None for what everybody may do."""


# The operations of each method of each path.
RuledRoutes = Mapping[str, Mapping[str, Iterable[Ruled]]]


def guarding(
    routes: RuledRoutes, check_of: Callable[[str], str], prefix: str = ""
) -> list[policy.DocumentedRuleDefault]:
    """The rules that a route table names, each with all that it guards; the table may leave out a common prefix."""
    guarded: dict[str, list[tuple[str, str]]] = {}
    for path, methods in routes.items():
        for method, operations in methods.items():
            for rule in dict.fromkeys(operation.rule for operation in operations):
                if rule is not None:
                    guarded.setdefault(f"{prefix}{rule}", []).append((method, path))
    return [documented(name, check_of(name), operations) for name, operations in guarded.items()]


def documented(name: str, check: str, guarded: Sequence[tuple[str, str]]) -> policy.DocumentedRuleDefault:
    """A rule that guards methods of paths."""
    return policy.DocumentedRuleDefault(
        name=name,
        check_str=check,
        description=f"Guards {', '.join(f'{method} {path}' for method, path in guarded)}.",
        operations=[{"method": method, "path": path} for method, path in guarded],
        scope_types=SCOPES,
    )


def beside_routes(descriptions: Mapping[str, str], check_of: Callable[[str], str]) -> list[policy.RuleDefault]:
    """What is asked for beyond what guards an operation by itself."""
    return [
        policy.RuleDefault(name, check_of(name), description, scope_types=SCOPES)
        for name, description in descriptions.items()
    ]
