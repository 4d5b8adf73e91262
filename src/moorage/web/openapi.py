"""An API as an OpenAPI document: its route table joined with its description.

Every operation can be refused for reasons that have nothing to do with what it does: no credential, a query or a body
that is not allowed, a version that there is not, a database that does not answer. Those are added here, so that a
description lists only what is its own. Whoever is nobody, or cannot be judged, is answered before the API is reached,
and in the same words by all APIs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from moorage import __version__
from moorage.web.description import Described, Description, Route, reference
from moorage.web.schema import Definition
from moorage.web.shapes import STATUS, TEXT, listed, record

OPENAPI = "3.1.0"
TOKEN = "X-Auth-Token"  # noqa: S105 - the name of a header

# OpenAPI has no words for these.
POLICY = "x-moorage-policy"
OTHER_PARAMETERS = "x-moorage-other-parameters"
MAY_LACK_CONTENT = "x-moorage-may-lack-content"

_VARIABLE = re.compile(r"{(\w+)}")
_ERROR = "Error"
_EARLY_ERROR = "EarlyError"
_SECURITY = "token"

_JSON = "application/json"
_EARLY_STATUSES = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.SERVICE_UNAVAILABLE})
_EARLY = record({"errors": listed(record({"status": STATUS, "title": TEXT, "detail": TEXT}, {"request_id": TEXT}))})


class NotDescribed(Exception):
    """A route has no description, or a description has no route."""


def document(description: Description, mount: str) -> Definition:
    """The OpenAPI document of an API that is served under a path, such as /placement."""
    _check_complete(description)
    paths: dict[str, dict[str, Any]] = {}
    for route in description.routes:
        operation = _operation(description, route, description.operations[route.method, route.path])
        paths.setdefault(route.path, {})[route.method.lower()] = operation
    return {
        "openapi": OPENAPI,
        "info": {"title": description.title, "version": __version__, "description": description.about},
        "servers": [{"url": mount}],
        "paths": paths,
        "components": {
            "schemas": {**description.schemas, _ERROR: description.error, **_early(description)},
            "securitySchemes": {_SECURITY: {"type": "apiKey", "in": "header", "name": TOKEN}},
        },
    }


def _check_complete(description: Description) -> None:
    routes = {(route.method, route.path) for route in description.routes}
    if differing := sorted(routes ^ description.operations.keys()):
        named = ", ".join(f"{method} {path}" for method, path in differing)
        raise NotDescribed(f"{description.title}: routes and descriptions differ in {named}")


def _operation(description: Description, route: Route, described: Described) -> Definition:
    operation: Definition = {
        "operationId": _identifier(route),
        "summary": described.summary,
        "parameters": list(_parameters(description, route, described)),
        "responses": _responses(description, route, described),
    }
    body = described.body or route.body
    if body is not None:
        content = {described.takes: {"schema": body}}
        operation["requestBody"] = {"required": not route.may_lack_body, "content": content}
    if route.rule is not None:
        operation["security"] = [{_SECURITY: []}]
        operation[POLICY] = route.rule
    if not described.ignores_other_parameters:
        operation[OTHER_PARAMETERS] = "refused"
    if described.may_lack_content:
        operation[MAY_LACK_CONTENT] = True
    return operation


def _identifier(route: Route) -> str:
    words = [word for word in re.split(r"\W+", route.path) if word]
    return "-".join([route.method.lower(), *(words or ["root"])])


def _parameters(description: Description, route: Route, described: Described) -> Iterator[Definition]:
    for name in _VARIABLE.findall(route.path):
        yield {"name": name, "in": "path", "required": True, "schema": description.path_parameters[name]}
    for name, schema in described.query.items():
        yield {"name": name, "in": "query", "required": name in described.required, "schema": schema}
    for name, schema in described.headers.items():
        yield {"name": name, "in": "header", "required": False, "schema": schema}
    if description.version_header is not None:
        name, value = description.version_header
        # Without the header a request is answered as the oldest version did.
        yield {"name": name, "in": "header", "required": True, "schema": {"type": "string", "const": value}}


def _responses(description: Description, route: Route, described: Described) -> Definition:
    responses = {
        str(int(status)): _response(status, schema, described.gives) for status, schema in described.answers.items()
    }
    for status in sorted({*described.refusals, *_common_refusals(description, route, described)}):
        responses.setdefault(str(int(status)), _response(status, _refusal(description, status), description.error_type))
    if described.query:
        # By the server, which has no words for it.
        responses[str(int(HTTPStatus.REQUEST_URI_TOO_LONG))] = _response(HTTPStatus.REQUEST_URI_TOO_LONG, None, _JSON)
    return responses


def _early(description: Description) -> Definition:
    """How those are refused who do not reach the API; where refusals are plain text, theirs are, too."""
    return {_EARLY_ERROR: _EARLY} if description.error_type == _JSON else {}


def _refusal(description: Description, status: HTTPStatus) -> Definition:
    if status in _EARLY_STATUSES and _early(description):
        return {"anyOf": [reference(_ERROR), reference(_EARLY_ERROR)]}
    return reference(_ERROR)


def _common_refusals(description: Description, route: Route, described: Described) -> Iterator[HTTPStatus]:
    yield from (HTTPStatus.BAD_REQUEST, HTTPStatus.SERVICE_UNAVAILABLE)
    if route.rule is not None:
        yield from (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
    if "{" in route.path:
        yield HTTPStatus.NOT_FOUND
    if description.version_header is not None:
        yield HTTPStatus.NOT_ACCEPTABLE
    if described.body is not None or route.body is not None:
        yield from (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)


def _response(status: HTTPStatus, schema: Definition | None, media_type: str) -> Definition:
    response: Definition = {"description": status.phrase}
    if schema is not None:
        response["content"] = {media_type: {"schema": schema}}
    return response
