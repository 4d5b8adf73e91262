"""Every API has an OpenAPI document, which is one, and has all routes."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from moorage.service.api_descriptions import DESCRIBED_APIS
from moorage.web.openapi import NotDescribed, document

apis = pytest.mark.parametrize("name", DESCRIBED_APIS)


@apis
def test_the_document_is_valid(name: str) -> None:
    as_sent = json.loads(json.dumps(DESCRIBED_APIS[name].document()))
    errors = OpenAPIV31SpecValidator(as_sent).iter_errors()
    assert [error.message for error in errors] == []


@apis
def test_every_route_is_in_the_document(name: str) -> None:
    api = DESCRIBED_APIS[name]
    told = {(method.upper(), path) for path, methods in api.document()["paths"].items() for method in methods}
    assert told == {(route.method, route.path) for route in api.description().routes}
    assert told


@apis
def test_operations_are_told_apart_by_their_identifiers(name: str) -> None:
    paths = DESCRIBED_APIS[name].document()["paths"].values()
    identifiers = [operation["operationId"] for path in paths for operation in path.values()]
    assert len(set(identifiers)) == len(identifiers)
    assert all(re.fullmatch("[a-z][A-Za-z0-9_-]+", identifier) for identifier in identifiers)


def test_a_route_without_a_description_is_refused() -> None:
    description = DESCRIBED_APIS["placement"].description()
    operations = {key: value for key, value in description.operations.items() if key != ("GET", "/usages")}
    with pytest.raises(NotDescribed, match="GET /usages"):
        document(replace(description, operations=operations), "/placement")
