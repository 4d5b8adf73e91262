"""What a route table does not say of an API: what may stand in a query, and what comes back.

Each room describes its own API in `api/description.py`; `web/openapi.py` joins that with the route table to an OpenAPI
document. What is described is the newest microversion.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from moorage.web.application import Routes
from moorage.web.schema import Definition
from moorage.web.versions import Version


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """One operation."""

    # One line, as in a table of contents.
    summary: str
    # What comes back when all is well: the body's schema by status, None where there is no body.
    answers: Mapping[HTTPStatus, Definition | None]
    # Whether an answer that has a body may also come without.
    may_lack_content: bool = False
    # The parameters of the query by name, and which of them must be there.
    query: Mapping[str, Definition] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    # Whether parameters that are not listed are passed over; otherwise they are refused.
    ignores_other_parameters: bool = True
    # Headers that the operation reads, by name; it can be asked without them.
    headers: Mapping[str, Definition] = field(default_factory=dict)
    # Refusals beyond those that every operation like it may answer with (see `openapi`).
    refusals: tuple[HTTPStatus, ...] = ()
    # What the body must be like, where the route table does not say it.
    body: Definition | None = None
    # What kind of document comes back, and goes in.
    gives: str = "application/json"
    takes: str = "application/json"


# Each by its method and path.
Operations = Mapping[tuple[str, str], Described]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One line of a route table, whichever API it belongs to."""

    method: str
    path: str
    # The policy rule; None for what everybody may do, also without a credential.
    rule: str | None
    body: Definition | None = None
    may_lack_body: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """A whole API."""

    title: str
    # What it is for, in Markdown.
    about: str
    routes: tuple[Route, ...]
    operations: Operations
    # What the variable parts of paths are like, by name.
    path_parameters: Mapping[str, Definition]
    # The body of a refusal, and what kind of document it is.
    error: Definition
    error_type: str = "application/json"
    # The header that asks for the microversion described here, and its value; None for an API without microversions.
    version_header: tuple[str, str] | None = None
    # What several operations have in common; they refer to it as "#/components/schemas/<name>".
    schemas: Mapping[str, Definition] = field(default_factory=dict)


def reference(name: str) -> Definition:
    """One of the description's common schemas."""
    return {"$ref": f"#/components/schemas/{name}"}


def newest_routes(routes: Routes[Any], version: Version | None) -> tuple[Route, ...]:
    """What a route table offers at a version; None for an API without microversions."""
    return tuple(
        Route(
            method=method,
            path=path,
            rule=operation.rule,
            body=None if operation.schema is None else operation.schema.definition,
            may_lack_body=operation.may_lack_body,
        )
        for path, methods in routes.items()
        for method, operations in methods.items()
        for operation in operations
        if version is None or operation.exists_at(version)
    )
