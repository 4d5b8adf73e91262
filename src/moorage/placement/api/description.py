"""The Placement API as it is described to others; `descriptions` tells of each kind of thing by itself."""

from __future__ import annotations

from http import HTTPStatus

from moorage.placement.api.descriptions import agents, allocations, candidates, inventories, names, own, providers
from moorage.placement.api.descriptions.common import LINKS, NAME
from moorage.placement.api.microversion import NEWEST, OLDEST, SERVICE_TYPE
from moorage.placement.api.routes import ROUTES, Operation
from moorage.placement.api.schemas.agents import NAME as AGENT
from moorage.placement.api.schemas.common import TEXT, UUID
from moorage.web.description import Described, Description, Route
from moorage.web.schema import Definition
from moorage.web.shapes import STATUS, TEXTS, listed, record
from moorage.web.versions import as_text

_PARTS = (providers, inventories, allocations, candidates, names, own, agents)

_OLDEST, _NEWEST = as_text(OLDEST), as_text(NEWEST)

_VERSIONS = record(
    {
        "versions": listed(
            record(
                {
                    "id": {"const": f"v{_OLDEST}"},
                    "min_version": {"const": _OLDEST},
                    "max_version": {"const": _NEWEST},
                    "status": {"const": "CURRENT"},
                    "links": LINKS,
                }
            )
        )
    }
)
_ROOT = Described(summary="Which versions there are", answers={HTTPStatus.OK: _VERSIONS})

# What is no UUID holds nothing, and can hold nothing.
_CONSUMER: Definition = {"type": "string", "minLength": 1, "description": "A UUID."}

# Whoever is nobody is answered before the API is reached, without a code; whoever asks for a version that there is not
# is told which there are. A write of many providers names those that are in the way.
_REFUSED_PROVIDER = record({"uuid": UUID, "code": TEXT, "detail": TEXT}, {"resource_classes": TEXTS, "traits": TEXTS})
_ERROR = record(
    {
        "errors": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1,
            "items": record(
                {
                    "status": STATUS,
                    "title": TEXT,
                    "detail": TEXT,
                },
                {
                    "code": {"type": "string", "pattern": r"^placement\."},
                    "providers": listed(_REFUSED_PROVIDER),
                    "request_id": TEXT,
                    "min_version": {"const": _OLDEST},
                    "max_version": {"const": _NEWEST},
                },
            ),
        }
    }
)


def _routes() -> tuple[Route, ...]:
    return tuple(
        _route(method, path, operation)
        for path, methods in ROUTES.items()
        for method, operations in methods.items()
        for operation in operations
        if operation.exists_at(NEWEST)
    )


def _route(method: str, path: str, operation: Operation) -> Route:
    body = operation.body_at(NEWEST)
    return Route(
        method=method,
        path=path,
        rule=None if operation.rule is None else f"placement:{operation.rule}",
        body=None if body is None else body.definition,
    )


_SCHEMAS: dict[str, Definition] = {name: schema for part in _PARTS for name, schema in part.SCHEMAS.items()}

DESCRIPTION = Description(
    title="Placement API",
    about=(
        "What providers have, what consumers hold of it, and where a request fits: OpenStack's Placement API, and under"
        " /moorage what Moorage adds to it: explanations, many providers at once, who added what to them, and claims in"
        f" one call. What is described is the newest microversion, {_NEWEST}; older ones differ as upstream's do."
    ),
    routes=_routes(),
    operations={
        ("GET", "/"): _ROOT,
        **{key: described for part in _PARTS for key, described in part.OPERATIONS.items()},
    },
    path_parameters={"uuid": UUID, "consumer_uuid": _CONSUMER, "name": NAME, "resource_class": NAME, "agent": AGENT},
    error=_ERROR,
    version_header=("OpenStack-API-Version", f"{SERVICE_TYPE} {_NEWEST}"),
    schemas=_SCHEMAS,
)
