"""The whole Placement API on one screen: method, path, handler, policy rule, since which microversion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus

from moorage.placement.api import (
    aggregates,
    allocations,
    candidates,
    inventories,
    providers,
    reshaper,
    resource_classes,
    root,
    traits,
    usages,
)
from moorage.placement.api.answer import Answer
from moorage.placement.api.extensions import claims as one_call_claims
from moorage.placement.api.extensions import explain, fleet, origins
from moorage.placement.api.extensions import providers as bulk_providers
from moorage.placement.api.microversion import NEWEST, OLDEST, Version
from moorage.placement.api.request import Request
from moorage.placement.ledger import Ledger

Handler = Callable[[Request, Ledger], Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing a client can do."""

    handler: Handler
    # The policy rule behind "placement:"; None for what everybody may do.
    rule: str | None
    since: Version = OLDEST
    until: Version = NEWEST
    # What a client gets whose version does not have the operation.
    otherwise: HTTPStatus = HTTPStatus.NOT_FOUND
    # Whether it is one of Moorage's own, which speak the newest version's formats only.
    is_extension: bool = False
    # Whether the request must have, and the answer will have, a body in JSON.
    takes_json: bool = False
    gives_json: bool = False


def get(handler: Handler, rule: str | None, since: Version = OLDEST) -> Operation:
    """Something to read."""
    return Operation(handler=handler, rule=rule, since=since, gives_json=True)


def send(handler: Handler, rule: str, since: Version = OLDEST, until: Version = NEWEST) -> Operation:
    """Something to write, described in the body."""
    return Operation(handler=handler, rule=rule, since=since, until=until, takes_json=True)


def plain(
    handler: Handler, rule: str | None, since: Version = OLDEST, otherwise: HTTPStatus = HTTPStatus.NOT_FOUND
) -> Operation:
    """Something to do without bodies."""
    return Operation(handler=handler, rule=rule, since=since, otherwise=otherwise)


def extension(operation: Operation) -> Operation:
    """Something that only Moorage offers."""
    return replace(operation, is_extension=True)


# fmt: off
ROUTES: dict[str, dict[str, list[Operation]]] = {
    "/": {"GET": [plain(root.home, None)]},
    "/resource_classes": {
        "GET": [get(resource_classes.index, "resource_classes:list", (1, 2))],
        "POST": [send(resource_classes.create, "resource_classes:create", (1, 2))],
    },
    "/resource_classes/{name}": {
        "GET": [get(resource_classes.show, "resource_classes:show", (1, 2))],
        "PUT": [send(resource_classes.rename, "resource_classes:update", (1, 2), (1, 6)),
                plain(resource_classes.ensure, "resource_classes:update", (1, 7))],
        "DELETE": [plain(resource_classes.delete, "resource_classes:delete", (1, 2))],
    },
    "/resource_providers": {
        "GET": [get(providers.index, "resource_providers:list")],
        "POST": [send(providers.create, "resource_providers:create")],
    },
    "/resource_providers/{uuid}": {
        "GET": [get(providers.show, "resource_providers:show")],
        "PUT": [send(providers.update, "resource_providers:update")],
        "DELETE": [plain(providers.delete, "resource_providers:delete")],
    },
    "/resource_providers/{uuid}/inventories": {
        "GET": [get(inventories.index, "resource_providers:inventories:list")],
        "POST": [send(inventories.create, "resource_providers:inventories:create")],
        "PUT": [send(inventories.replace, "resource_providers:inventories:update")],
        "DELETE": [plain(inventories.delete_all, "resource_providers:inventories:delete", (1, 5),
                         HTTPStatus.METHOD_NOT_ALLOWED)],
    },
    "/resource_providers/{uuid}/inventories/{resource_class}": {
        "GET": [get(inventories.show, "resource_providers:inventories:show")],
        "PUT": [send(inventories.update, "resource_providers:inventories:update")],
        "DELETE": [plain(inventories.delete, "resource_providers:inventories:delete")],
    },
    "/resource_providers/{uuid}/usages": {"GET": [get(usages.of_provider, "resource_providers:usages")]},
    "/resource_providers/{uuid}/aggregates": {
        "GET": [get(aggregates.index, "resource_providers:aggregates:list", (1, 1))],
        "PUT": [send(aggregates.replace, "resource_providers:aggregates:update", (1, 1))],
    },
    "/resource_providers/{uuid}/allocations": {
        "GET": [get(allocations.of_provider, "resource_providers:allocations:list")],
    },
    "/resource_providers/{uuid}/traits": {
        "GET": [get(traits.of_provider, "resource_providers:traits:list", (1, 6))],
        "PUT": [send(traits.replace, "resource_providers:traits:update", (1, 6))],
        "DELETE": [plain(traits.delete_all, "resource_providers:traits:delete", (1, 6))],
    },
    "/allocations": {"POST": [send(allocations.post, "allocations:manage", (1, 13))]},
    "/allocations/{consumer_uuid}": {
        "GET": [get(allocations.of_consumer, "allocations:list")],
        "PUT": [send(allocations.put, "allocations:update")],
        "DELETE": [plain(allocations.delete, "allocations:delete")],
    },
    "/allocation_candidates": {"GET": [get(candidates.index, "allocation_candidates:list", (1, 10))]},
    "/traits": {"GET": [get(traits.index, "traits:list", (1, 6))]},
    "/traits/{name}": {
        "GET": [plain(traits.show, "traits:show", (1, 6))],
        "PUT": [plain(traits.ensure, "traits:update", (1, 6))],
        "DELETE": [plain(traits.delete, "traits:delete", (1, 6))],
    },
    "/usages": {"GET": [get(usages.of_project, "usages", (1, 9))]},
    "/reshaper": {"POST": [send(reshaper.reshape, "reshaper:reshape", (1, 30))]},
    # Moorage's own.
    "/moorage/allocation_candidates/explain": {
        "GET": [extension(get(explain.index, "moorage:allocation_candidates:explain"))],
    },
    "/moorage/providers": {
        "GET": [extension(get(bulk_providers.read, "moorage:providers:list"))],
        "POST": [extension(send(bulk_providers.write, "moorage:providers:write"))],
    },
    "/moorage/providers/{uuid}/origin": {
        "GET": [extension(get(origins.show, "moorage:providers:origin:show"))],
        "PUT": [extension(send(origins.replace, "moorage:providers:origin:update"))],
        "DELETE": [extension(plain(origins.delete, "moorage:providers:origin:delete"))],
    },
    "/moorage/fleet": {"GET": [extension(get(fleet.show, "moorage:fleet"))]},
    "/moorage/claims": {"POST": [extension(send(one_call_claims.create, "moorage:claims:create"))]},
}
# fmt: on


def guarded_operations() -> dict[str, list[tuple[str, str]]]:
    """Every policy rule with the methods and paths that it guards."""
    guarded: dict[str, list[tuple[str, str]]] = {}
    for path, methods in ROUTES.items():
        for method, operations in methods.items():
            for rule in dict.fromkeys(operation.rule for operation in operations if operation.rule):
                guarded.setdefault(f"placement:{rule}", []).append((method, path))
    return guarded
