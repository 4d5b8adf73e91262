"""What somebody may do here, so that the console offers only that."""

from __future__ import annotations

from moorage.console.context import Console
from moorage.web.answer import Answer, json_answer
from moorage.web.caller import Caller
from moorage.web.request import Request

# What the pages do, the service that does it, and the rules that its policy has for it.
ABILITIES: dict[str, tuple[str, tuple[str, ...]]] = {
    "see_fleet": ("placement", ("placement:moorage:fleet", "placement:moorage:providers:list")),
    "see_agents": ("placement", ("placement:moorage:agents:list",)),
    "see_consumers": ("placement", ("placement:resource_providers:allocations:list",)),
    "see_candidates": (
        "placement",
        ("placement:allocation_candidates:list", "placement:moorage:allocation_candidates:explain"),
    ),
    "see_names": ("placement", ("placement:traits:list", "placement:resource_classes:list")),
    "see_queries": ("compute", ("os_compute_api:flavors:list", "moorage:placement-query")),
    "see_aggregates": ("compute", ("os_compute_api:os-aggregates:index",)),
    "see_servers": ("compute", ("moorage:hosts:servers",)),
    "see_leases": ("reservation", ("blazar:leases:get",)),
    "book": ("reservation", ("blazar:leases:post",)),
    "change_leases": ("reservation", ("blazar:leases:put",)),
    "delete_leases": ("reservation", ("blazar:leases:delete",)),
    "look_ahead": ("reservation", ("moorage:reservation:availability", "moorage:reservation:slots")),
    "see_booked_hosts": ("reservation", ("blazar:leases:get", "blazar:oshosts:get", "blazar:oshosts:get_allocations")),
}


def welcome(_request: Request, console: Console) -> Answer:
    """GET /"""
    return json_answer(
        {
            "services": console.services,
            "authentication": console.authentication,
            "takes_passwords": console.takes_passwords,
        }
    )


def show(request: Request, console: Console) -> Answer:
    """GET /session"""
    caller = request.known_caller
    return json_answer(
        {
            "user_id": caller.user_id,
            "project_id": caller.project_id,
            "roles": caller.roles,
            "may": {ability: _may(console, caller, *wanted) for ability, wanted in ABILITIES.items()}
            | _here(console, caller),
        }
    )


def _here(console: Console, caller: Caller) -> dict[str, bool]:
    """What the console's own API offers."""
    return {
        "ask_for_compute": _may_ask_for_compute(console, caller),
        "see_capacity": console.outlook is not None and console.allows(caller, "moorage:console:capacity", None),
        "see_findings": console.allows(caller, "moorage:console:findings", None),
    }


def _may(console: Console, caller: Caller, service: str, rules: tuple[str, ...]) -> bool:
    allows = console.policies.get(service)
    if allows is None and service == "compute":
        return _may_ask_for_compute(console, caller)
    return allows is not None and all(allows(caller, rule, None) for rule in rules)


def _may_ask_for_compute(console: Console, caller: Caller) -> bool:
    """Somebody else's compute service is asked by the console, under one rule for all."""
    return console.cloud is not None and console.allows(caller, "moorage:console:compute", None)
