"""What is described is what the route table and the schemas of queries have."""

from __future__ import annotations

import re

import pytest

from moorage.placement.api.description import DESCRIPTION
from moorage.placement.api.descriptions.conditions import OF_CANDIDATES
from moorage.placement.api.microversion import ALL, NEWEST, for_version
from moorage.placement.api.routes import ROUTES, Operation
from moorage.placement.api.schemas import bulk_providers, candidates, names, providers, usages
from moorage.web.schema import Schema

EVERY_BODY = [
    (method, path, operation)
    for path, methods in ROUTES.items()
    for method, operations in methods.items()
    for operation in operations
    if operation.bodies
]


def test_a_body_is_described_by_the_schema_that_it_is_checked_with() -> None:
    described = {(route.method, route.path): route.body for route in DESCRIPTION.routes if route.body is not None}
    newest = {
        (method, path): operation.body_at(NEWEST)
        for method, path, operation in EVERY_BODY
        if operation.exists_at(NEWEST)
    }
    assert described.keys() == newest.keys()
    assert all(schema is not None and described[key] is schema.definition for key, schema in newest.items())


@pytest.mark.parametrize(("method", "path", "operation"), EVERY_BODY)
def test_a_body_has_a_schema_at_every_version_that_has_the_operation(
    method: str, path: str, operation: Operation
) -> None:
    assert all(operation.body_at(version) for version in ALL if operation.exists_at(version))


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        ("/resource_providers", for_version(providers.LIST, NEWEST)),
        ("/moorage/providers", bulk_providers.READ),
        ("/traits", names.LIST_TRAITS),
        ("/usages", for_version(usages.LIST, NEWEST)),
    ],
)
def test_the_parameters_that_are_described_are_those_that_are_allowed(path: str, schema: Schema) -> None:
    assert DESCRIPTION.operations["GET", path].query.keys() == schema.definition["properties"].keys()


def test_the_conditions_of_candidates_that_are_described_are_those_that_are_allowed() -> None:
    allowed = for_version(candidates.LIST, NEWEST).definition
    groups, suffixed = allowed["patternProperties"], OF_CANDIDATES["groups"]["patternProperties"]
    kinds = {pattern.removeprefix("^").partition("(")[0] for pattern in groups}
    assert OF_CANDIDATES.keys() == {"groups", *allowed["properties"], *kinds}
    for name in [f"{kind}{suffix}" for kind in kinds for suffix in ("1", "_GPU", "x" * 64, "x" * 65, ".")]:
        assert any(re.search(key, name) for key in suffixed) == any(re.search(key, name) for key in groups)
