"""Who may do what by default: Nova's rule names and defaults, for oslo.policy."""

from __future__ import annotations

from oslo_policy import policy

from moorage.compute.api import server_policies
from moorage.web.policies import ADMINISTRATORS, BASE, EVERYBODY, MEMBERS, READERS, RuledRoutes, beside_routes, guarding

# What the policy asks for beyond what guards a route by itself.
_BESIDE_ROUTES = {
    "os_compute_api:os-server-groups:index:all_projects": "List the server groups of all projects.",
    "os_compute_api:limits:other_project": "See the limits of another project.",
    **server_policies.BESIDE_ROUTES,
}

# Rules that are not for administrators alone.
_FOR_OTHERS = {
    "os_compute_api:flavors:list": EVERYBODY,
    "os_compute_api:flavors:show": EVERYBODY,
    "os_compute_api:os-flavor-extra-specs:index": READERS,
    "os_compute_api:os-flavor-extra-specs:show": READERS,
    "os_compute_api:os-availability-zone:list": EVERYBODY,
    "os_compute_api:os-server-groups:create": MEMBERS,
    "os_compute_api:os-server-groups:delete": MEMBERS,
    "os_compute_api:os-server-groups:index": READERS,
    "os_compute_api:os-server-groups:show": READERS,
    "os_compute_api:os-quota-sets:show": READERS,
    "os_compute_api:os-quota-sets:detail": READERS,
    "os_compute_api:os-quota-sets:defaults": EVERYBODY,
    "os_compute_api:limits": EVERYBODY,
    **dict.fromkeys(server_policies.FOR_READERS, READERS),
    **dict.fromkeys(server_policies.FOR_MEMBERS, MEMBERS),
}


def rules(routes: RuledRoutes) -> list[policy.RuleDefault]:
    """All rules: the base, and those of the operations of the route table and of what is beside them."""
    return [*BASE, *guarding(routes, _check), *beside_routes(_BESIDE_ROUTES, _check)]


def _check(rule: str) -> str:
    return _FOR_OTHERS.get(rule, ADMINISTRATORS)
