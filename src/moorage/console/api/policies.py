"""Who may do what by default in the console's own API."""

from __future__ import annotations

from oslo_policy import policy

from moorage.web.policies import EVERYBODY, RuledRoutes, guarding

# Rules that are not for administrators alone.
_FOR_OTHERS = {"moorage:console:session": EVERYBODY}


def rules(routes: RuledRoutes) -> list[policy.DocumentedRuleDefault]:
    """All rules, for the operations of the route table."""
    return guarding(routes, lambda rule: _FOR_OTHERS.get(rule, "role:admin"))
