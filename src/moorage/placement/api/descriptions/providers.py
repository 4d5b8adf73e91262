"""Resource providers, their aggregates and traits."""

from __future__ import annotations

from http import HTTPStatus

from moorage.placement.api.descriptions.common import GENERATION, LINKS, NAME, UUID_OR_NULL, Operations
from moorage.placement.api.descriptions.conditions import OF_PROVIDERS
from moorage.placement.api.schemas.common import TEXT, UUID
from moorage.web.description import Described, reference
from moorage.web.schema import Definition
from moorage.web.shapes import listed, record

# What every answer about a provider tells.
IDENTITY: dict[str, Definition] = {
    "uuid": UUID,
    "name": TEXT,
    "generation": GENERATION,
    "parent_provider_uuid": UUID_OR_NULL,
    "root_provider_uuid": UUID,
}

SCHEMAS: dict[str, Definition] = {"Provider": record({**IDENTITY, "links": LINKS})}

_ONE = reference("Provider")
_AGGREGATES = record({"aggregates": listed(UUID), "resource_provider_generation": GENERATION})
_TRAITS = record({"traits": listed(NAME), "resource_provider_generation": GENERATION})

OPERATIONS: Operations = {
    ("GET", "/resource_providers"): Described(
        summary="List providers, all or those that meet every condition",
        query=OF_PROVIDERS,
        ignores_other_parameters=False,
        answers={HTTPStatus.OK: record({"resource_providers": listed(_ONE)})},
    ),
    ("POST", "/resource_providers"): Described(
        summary="Make a provider", answers={HTTPStatus.OK: _ONE}, refusals=(HTTPStatus.CONFLICT,)
    ),
    ("GET", "/resource_providers/{uuid}"): Described(summary="Show a provider", answers={HTTPStatus.OK: _ONE}),
    ("PUT", "/resource_providers/{uuid}"): Described(
        summary="Rename a provider, or move it in its tree or to another",
        answers={HTTPStatus.OK: _ONE},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("DELETE", "/resource_providers/{uuid}"): Described(
        summary="Delete a provider that has neither children nor allocations",
        answers={HTTPStatus.NO_CONTENT: None},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("GET", "/resource_providers/{uuid}/aggregates"): Described(
        summary="List the aggregates of a provider", answers={HTTPStatus.OK: _AGGREGATES}
    ),
    ("PUT", "/resource_providers/{uuid}/aggregates"): Described(
        summary="Replace the aggregates of a provider",
        answers={HTTPStatus.OK: _AGGREGATES},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("GET", "/resource_providers/{uuid}/traits"): Described(
        summary="List the traits of a provider", answers={HTTPStatus.OK: _TRAITS}
    ),
    ("PUT", "/resource_providers/{uuid}/traits"): Described(
        summary="Replace the traits of a provider",
        answers={HTTPStatus.OK: _TRAITS},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("DELETE", "/resource_providers/{uuid}/traits"): Described(
        summary="Remove all traits of a provider",
        answers={HTTPStatus.NO_CONTENT: None},
        refusals=(HTTPStatus.CONFLICT,),
    ),
}
