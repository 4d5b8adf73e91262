"""The whole Placement API on one screen: method, path, handler, policy rule, body, since which microversion."""

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
    schemas,
    traits,
    usages,
)
from moorage.placement.api.answer import Answer
from moorage.placement.api.extensions import agents, explain, fleet, origins
from moorage.placement.api.extensions import claims as one_call_claims
from moorage.placement.api.extensions import providers as bulk_providers
from moorage.placement.api.microversion import NEWEST, OLDEST, for_version
from moorage.placement.api.request import Request
from moorage.placement.api.schemas.common import Versioned
from moorage.placement.ledger import Ledger
from moorage.web.schema import Schema
from moorage.web.versions import Version

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
    # What the body must be like, by version; nothing where there is none. Handlers see only what this allows.
    bodies: Versioned = ()
    # Whether the answer will have a body in JSON.
    gives_json: bool = False
    # Whether it sets what consumers hold, which is counted as a claim; giving everything back with DELETE is none.
    claims: bool = False

    def exists_at(self, version: Version) -> bool:
        """Whether a version has the operation."""
        return self.since <= version <= self.until

    def spoken_at(self, version: Version) -> Version:
        """The version whose formats count when this one is asked for."""
        return NEWEST if self.is_extension else version

    def body_at(self, version: Version) -> Schema | None:
        """What the body must be like when this version is asked for; None if there is none."""
        return for_version(self.bodies, self.spoken_at(version)) if self.bodies else None


def get(handler: Handler, rule: str | None, since: Version = OLDEST) -> Operation:
    """Something to read."""
    return Operation(handler=handler, rule=rule, since=since, gives_json=True)


def send(
    handler: Handler, rule: str, body: Schema | Versioned, since: Version = OLDEST, until: Version = NEWEST
) -> Operation:
    """Something to write, described in the body."""
    bodies = ((OLDEST, body),) if isinstance(body, Schema) else body
    return Operation(handler=handler, rule=rule, bodies=bodies, since=since, until=until)


def plain(
    handler: Handler, rule: str | None, since: Version = OLDEST, otherwise: HTTPStatus = HTTPStatus.NOT_FOUND
) -> Operation:
    """Something to do without bodies."""
    return Operation(handler=handler, rule=rule, since=since, otherwise=otherwise)


def claiming(operation: Operation) -> Operation:
    """Something that sets what consumers hold."""
    return replace(operation, claims=True)


def extension(operation: Operation) -> Operation:
    """Something that only Moorage offers."""
    return replace(operation, is_extension=True)


# fmt: off
ROUTES: dict[str, dict[str, list[Operation]]] = {
    "/": {"GET": [plain(root.home, None)]},
    "/resource_classes": {
        "GET": [get(resource_classes.index, "resource_classes:list", (1, 2))],
        "POST": [send(resource_classes.create, "resource_classes:create", schemas.names.RESOURCE_CLASS, (1, 2))],
    },
    "/resource_classes/{name}": {
        "GET": [get(resource_classes.show, "resource_classes:show", (1, 2))],
        "PUT": [send(resource_classes.rename, "resource_classes:update", schemas.names.RESOURCE_CLASS, (1, 2), (1, 6)),
                plain(resource_classes.ensure, "resource_classes:update", (1, 7))],
        "DELETE": [plain(resource_classes.delete, "resource_classes:delete", (1, 2))],
    },
    "/resource_providers": {
        "GET": [get(providers.index, "resource_providers:list")],
        "POST": [send(providers.create, "resource_providers:create", schemas.providers.CREATE)],
    },
    "/resource_providers/{uuid}": {
        "GET": [get(providers.show, "resource_providers:show")],
        "PUT": [send(providers.update, "resource_providers:update", schemas.providers.UPDATE)],
        "DELETE": [plain(providers.delete, "resource_providers:delete")],
    },
    "/resource_providers/{uuid}/inventories": {
        "GET": [get(inventories.index, "resource_providers:inventories:list")],
        "POST": [send(inventories.create, "resource_providers:inventories:create", schemas.inventories.CREATE)],
        "PUT": [send(inventories.replace, "resource_providers:inventories:update", schemas.inventories.REPLACE)],
        "DELETE": [plain(inventories.delete_all, "resource_providers:inventories:delete", (1, 5),
                         HTTPStatus.METHOD_NOT_ALLOWED)],
    },
    "/resource_providers/{uuid}/inventories/{resource_class}": {
        "GET": [get(inventories.show, "resource_providers:inventories:show")],
        "PUT": [send(inventories.update, "resource_providers:inventories:update", schemas.inventories.UPDATE)],
        "DELETE": [plain(inventories.delete, "resource_providers:inventories:delete")],
    },
    "/resource_providers/{uuid}/usages": {"GET": [get(usages.of_provider, "resource_providers:usages")]},
    "/resource_providers/{uuid}/aggregates": {
        "GET": [get(aggregates.index, "resource_providers:aggregates:list", (1, 1))],
        "PUT": [send(aggregates.replace, "resource_providers:aggregates:update", schemas.aggregates.REPLACE, (1, 1))],
    },
    "/resource_providers/{uuid}/allocations": {
        "GET": [get(allocations.of_provider, "resource_providers:allocations:list")],
    },
    "/resource_providers/{uuid}/traits": {
        "GET": [get(traits.of_provider, "resource_providers:traits:list", (1, 6))],
        "PUT": [send(traits.replace, "resource_providers:traits:update", schemas.names.PROVIDER_TRAITS, (1, 6))],
        "DELETE": [plain(traits.delete_all, "resource_providers:traits:delete", (1, 6))],
    },
    "/allocations": {
        "POST": [claiming(send(allocations.post, "allocations:manage", schemas.allocations.POST, (1, 13)))],
    },
    "/allocations/{consumer_uuid}": {
        "GET": [get(allocations.of_consumer, "allocations:list")],
        "PUT": [claiming(send(allocations.put, "allocations:update", schemas.allocations.PUT))],
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
    "/reshaper": {
        "POST": [claiming(send(reshaper.reshape, "reshaper:reshape", schemas.reshaper.POST, (1, 30)))],
    },
    # Moorage's own.
    "/moorage/allocation_candidates/explain": {
        "GET": [extension(get(explain.index, "moorage:allocation_candidates:explain"))],
    },
    "/moorage/providers": {
        "GET": [extension(get(bulk_providers.read, "moorage:providers:list"))],
        "POST": [extension(send(bulk_providers.write, "moorage:providers:write", schemas.bulk_providers.WRITE))],
    },
    "/moorage/providers/{uuid}/origin": {
        "GET": [extension(get(origins.show, "moorage:providers:origin:show"))],
        "PUT": [extension(send(origins.replace, "moorage:providers:origin:update", schemas.origins.REPLACE))],
        "DELETE": [extension(plain(origins.delete, "moorage:providers:origin:delete"))],
    },
    "/moorage/agents": {"GET": [extension(get(agents.index, "moorage:agents:list"))]},
    "/moorage/agents/{agent}": {
        "PUT": [extension(send(agents.tell, "moorage:agents:update", schemas.agents.TELL))],
        "DELETE": [extension(plain(agents.forget, "moorage:agents:delete"))],
    },
    "/moorage/fleet": {"GET": [extension(get(fleet.show, "moorage:fleet"))]},
    "/moorage/claims": {
        "POST": [extension(claiming(send(one_call_claims.create, "moorage:claims:create", schemas.claims.CREATE)))],
    },
}
# fmt: on
