"""Many providers at once, their origins, the whole fleet, and claims in one call: what only Moorage has."""

from __future__ import annotations

from dataclasses import fields as fields_of
from http import HTTPStatus

from moorage.placement.api.descriptions.common import (
    GENERATION,
    MAPPINGS,
    NAME,
    RESOURCES,
    Operations,
    by_name,
    by_uuid,
)
from moorage.placement.api.descriptions.conditions import OF_PROVIDERS
from moorage.placement.api.descriptions.providers import IDENTITY
from moorage.placement.api.extensions.providers import PARTS
from moorage.placement.api.schemas.common import TEXT, UUID
from moorage.placement.api.schemas.origins import HOST, ORIGIN
from moorage.placement.index.fleet import Stocks
from moorage.web.description import Described, reference
from moorage.web.schema import Definition
from moorage.web.shapes import COUNT, listed, record

_ORIGIN = ORIGIN["properties"]
_PARTS: dict[str, Definition] = {
    "inventories": by_name(reference("Inventory")),
    "usages": by_name(COUNT),
    "traits": listed(NAME),
    "aggregates": listed(UUID),
    "origin": {"anyOf": [reference("Origin"), {"type": "null"}]},
}
_ANY_PARTS = rf"\s*({'|'.join(PARTS)})?\s*"

SCHEMAS: dict[str, Definition] = {
    "Origin": record(_ORIGIN),
    "OriginOfProvider": record({**_ORIGIN, "resource_provider_generation": GENERATION}),
    "WholeProvider": record(IDENTITY, _PARTS),
    # One entry in each column for each tree that has any of the resource class.
    "StocksOfTrees": record({column.name: listed(COUNT) for column in fields_of(Stocks)}),
}

_WRITTEN = record({"providers": listed(record({"uuid": UUID, "generation": GENERATION}))}, {"deleted": listed(UUID)})
_FLEET = record(
    {
        "trees": record(
            {
                "uuid": listed(UUID),
                "name": listed(TEXT),
                "providers": listed({"type": "integer", "minimum": 1}),
                "traits": listed(COUNT),
                "aggregates": listed(COUNT),
            }
        ),
        "trait_sets": listed(listed(NAME)),
        "aggregate_sets": listed(listed(UUID)),
        "resources": by_name(reference("StocksOfTrees")),
    }
)
_CLAIM = record(
    {
        "consumer_uuid": UUID,
        "allocations": by_uuid(record({"resources": RESOURCES})),
        "mappings": MAPPINGS,
        "roots": by_uuid(TEXT),
        "attempts": {"type": "integer", "minimum": 1},
    }
)

OPERATIONS: Operations = {
    ("GET", "/moorage/providers"): Described(
        summary="List providers with all they have",
        query={
            **OF_PROVIDERS,
            "include": {
                "type": "array",
                "items": {"type": "string", "pattern": f"^{_ANY_PARTS}(,{_ANY_PARTS})*$"},
                "description": f"What to show beside who they are, any of {', '.join(PARTS)}. May be repeated.",
            },
            "origin_host": {**HOST, "description": "Only those that the agent of this host keeps."},
            "in_tree_of_host": {**HOST, "description": "Only trees in which the agent of this host keeps any."},
        },
        ignores_other_parameters=False,
        answers={HTTPStatus.OK: record({"providers": listed(reference("WholeProvider"))})},
    ),
    ("POST", "/moorage/providers"): Described(
        summary="Write and delete any number of providers with all they have, all or nothing",
        answers={HTTPStatus.OK: _WRITTEN},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("GET", "/moorage/providers/{uuid}/origin"): Described(
        summary="Show who added what to a provider", answers={HTTPStatus.OK: reference("OriginOfProvider")}
    ),
    ("PUT", "/moorage/providers/{uuid}/origin"): Described(
        summary="Note who added what to a provider",
        answers={HTTPStatus.OK: reference("OriginOfProvider")},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("DELETE", "/moorage/providers/{uuid}/origin"): Described(
        summary="Forget who added what to a provider", answers={HTTPStatus.NO_CONTENT: None}
    ),
    ("GET", "/moorage/fleet"): Described(
        summary="Show all trees at a glance, in columns",
        ignores_other_parameters=False,
        answers={HTTPStatus.OK: _FLEET},
    ),
    ("POST", "/moorage/claims"): Described(
        summary="Find a place and take it, in one call",
        answers={HTTPStatus.OK: _CLAIM},
        refusals=(HTTPStatus.CONFLICT,),
    ),
}
