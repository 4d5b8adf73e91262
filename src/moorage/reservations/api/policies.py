"""Who may do what by default: Blazar's rule names and defaults, for oslo.policy."""

from __future__ import annotations

from oslo_policy import policy

from moorage.web.policies import ADMINISTRATORS, BASE, MEMBERS, READERS, RuledRoutes, beside_routes, guarding

# What the policy asks for beyond what guards a route by itself.
_BESIDE_ROUTES = {
    "blazar:leases:get:all_projects": "See the leases of all projects in lists.",
    "blazar:leases:exceed_limits": "Book more than the limits of the project allow.",
}

# Rules that are not for administrators alone.
_FOR_OTHERS = {
    "blazar:leases:get": READERS,
    "blazar:leases:post": MEMBERS,
    "blazar:leases:put": MEMBERS,
    "blazar:leases:delete": MEMBERS,
    "blazar:plugins:get": READERS,
    "moorage:reservation:slots": READERS,
    "moorage:reservation:availability": READERS,
    "moorage:reservation:limits:get": READERS,
    "moorage:reservation:usage": READERS,
}


def rules(routes: RuledRoutes) -> list[policy.RuleDefault]:
    """All rules: the base, and those of the operations of the route table and of what is beside them."""
    return [*BASE, *guarding(routes, _check), *beside_routes(_BESIDE_ROUTES, _check)]


def _check(rule: str) -> str:
    return _FOR_OTHERS.get(rule, ADMINISTRATORS)
