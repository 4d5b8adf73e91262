"""The Placement API as a WSGI application.

Finds the operation for a request, negotiates the microversion, checks who is calling and what they send and accept,
calls the handler, and turns answers and errors into HTTP. Who is calling has been found out before (see
`service/authentication`); the request's id and its log line are made around it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import falcon

from moorage.meters import CLAIMS
from moorage.placement.api import microversion
from moorage.placement.api.answer import Answer
from moorage.placement.api.errors import CONCURRENT_UPDATE, ApiError, as_api_error, bad_request, render
from moorage.placement.api.microversion import UnavailableVersion, UnparsableVersion
from moorage.placement.api.request import Request
from moorage.placement.api.routes import ROUTES, Operation
from moorage.placement.ledger import Ledger
from moorage.placement.model.errors import LedgerError
from moorage.web.application import METHODS, ROUTE, as_http_error, body_of, without_routes
from moorage.web.request import parse_parameters
from moorage.web.request_ids import REQUEST_ID
from moorage.web.schema import Schema
from moorage.web.versions import HEADER, Version, as_text

# environ, rule, target project: refuses with an ApiError who may not.
Guard = Callable[[Mapping[str, Any], str, str | None], None]

# Where the version is left for the log line.
VERSION = "moorage.placement.version"

# Where the operation is left for those who count its refusals.
OPERATION = "moorage.placement.operation"


def placement_api(ledger: Ledger, guard: Guard, max_body_bytes: int) -> falcon.App[falcon.Request, falcon.Response]:
    """The application, for one ledger."""
    application = without_routes(_answer_error)
    for path, methods in ROUTES.items():
        application.add_route(path, _Resource(path, methods, ledger, guard, max_body_bytes))
    return application


@dataclass(frozen=True, slots=True)
class _Offer:
    """An operation as one version has it, settled before anybody asks."""

    operation: Operation
    spoken: Version
    schema: Schema | None


def _offers(methods: Mapping[str, list[Operation]]) -> dict[tuple[str, Version], _Offer]:
    """What there is at a path, by method and version."""
    return {
        (method, version): _Offer(operation, operation.spoken_at(version), operation.body_at(version))
        for method, operations in methods.items()
        for operation in operations
        for version in microversion.ALL
        if operation.exists_at(version)
    }


class _Resource:
    """What can be done at one path; falcon looks for a responder per method."""

    def __init__(
        self,
        path: str,
        methods: Mapping[str, list[Operation]],
        ledger: Ledger,
        guard: Guard,
        max_body_bytes: int,
    ) -> None:
        self._path = path
        self._methods = methods
        self._offers = _offers(methods)
        self._ledger = ledger
        self._guard = guard
        self._max_body_bytes = max_body_bytes
        for method in METHODS:
            setattr(self, f"on_{method.lower()}", self._respond)

    def _respond(self, req: falcon.Request, resp: falcon.Response, **path: str) -> None:
        req.env[ROUTE] = self._path
        version = _negotiate(req, resp)
        if req.method not in self._methods:
            raise self._not_allowed(req.method)
        _check_content_length(req)
        offer = self._offers.get((req.method, version))
        if offer is None:
            raise self._not_at_this_version(req.method)
        req.env[OPERATION] = offer.operation
        _send(self._handle(offer, req, path), req, resp)
        if offer.operation.claims:
            CLAIMS.labels("made").inc()

    def _handle(self, offer: _Offer, req: falcon.Request, path: Mapping[str, str]) -> Answer:
        operation, schema = offer.operation, offer.schema
        if schema is not None:
            _check_content_type(req)
        if operation.gives_json:
            _check_accept(req)
        if any("\0" in value for value in path.values()):
            raise ApiError(HTTPStatus.NOT_FOUND)
        parameters = parse_parameters(req.env.get("QUERY_STRING", ""))
        if operation.rule is not None:
            # Usages are a project's own; who asks for them is judged by that project.
            project_id = parameters.last("project_id") if operation.rule == "usages" else None
            self._guard(req.env, f"placement:{operation.rule}", project_id)
        body = body_of(req, self._max_body_bytes) if schema is not None else b""
        return operation.handler(Request(offer.spoken, parameters, path, body, req.root_path, schema), self._ledger)

    def _not_at_this_version(self, method: str) -> ApiError:
        otherwise = self._methods[method][0].otherwise
        return self._not_allowed(method) if otherwise is HTTPStatus.METHOD_NOT_ALLOWED else ApiError(otherwise)

    def _not_allowed(self, method: str) -> ApiError:
        return ApiError(
            HTTPStatus.METHOD_NOT_ALLOWED,
            f"The method {method} is not allowed for this resource. "
            "The method specified is not allowed for this resource.",
            headers={"allow": ", ".join(self._methods)},
        )


# --- from HTTP to values


def _negotiate(req: falcon.Request, resp: falcon.Response) -> Version:
    """The version to answer in, noted in the answer's headers."""
    try:
        version = microversion.requested_version(req.get_header(HEADER))
    except UnparsableVersion as error:
        raise bad_request(f"Invalid microversion: {error}") from error
    except UnavailableVersion as error:
        raise ApiError(HTTPStatus.NOT_ACCEPTABLE, f"Invalid microversion: {error}") from error
    req.env[VERSION] = version
    resp.set_header(HEADER, f"{microversion.SERVICE_TYPE} {as_text(version)}")
    resp.append_header("vary", HEADER)
    return version


def _check_content_length(req: falcon.Request) -> None:
    given = req.env.get("CONTENT_LENGTH")
    if not given:
        return
    if not given.isdecimal():
        raise bad_request("content-length header must be an integer")
    if int(given) > 0 and not req.content_type:
        raise bad_request("content-type header required when content-length > 0")


def _check_content_type(req: falcon.Request) -> None:
    media_type = (req.content_type or "None").partition(";")[0].strip()
    if media_type != "application/json":
        raise ApiError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            f"The media type {media_type} is not supported, use application/json",
        )


def _check_accept(req: falcon.Request) -> None:
    if not req.client_accepts("application/json"):
        raise ApiError(HTTPStatus.NOT_ACCEPTABLE, "Only application/json is provided")


# --- from values to HTTP


def _send(answer: Answer, req: falcon.Request, resp: falcon.Response) -> None:
    resp.status = answer.status
    for name, value in answer.headers.items():
        resp.set_header(name, value)
    if "location" in answer.headers:
        # Clients get an absolute address; handlers know the path only.
        resp.set_header("location", f"{req.prefix.removesuffix(req.root_path)}{answer.headers['location']}")
    if answer.stream is not None:
        resp.stream = answer.stream
    elif answer.body is not None:
        resp.data = answer.body
    else:
        return
    resp.content_type = "application/json"


# --- from errors to HTTP


def _answer_error(req: falcon.Request, resp: falcon.Response, error: Exception, _path: Any) -> None:
    refused = _as_api_error(req, error)
    operation: Operation | None = req.env.get(OPERATION)
    if refused.status == HTTPStatus.CONFLICT and operation is not None and operation.claims:
        CLAIMS.labels("conflict" if refused.code == CONCURRENT_UPDATE else "refused").inc()
    version: Version | None = req.env.get(VERSION)
    body, content_type = render(
        refused, accept=req.get_header("accept") or "", version=version, request_id=req.env.get(REQUEST_ID)
    )
    resp.status = refused.status
    resp.data = body
    resp.content_type = content_type
    for name, value in refused.headers.items():
        resp.set_header(name, value)


def _as_api_error(req: falcon.Request, error: Exception) -> ApiError:
    if isinstance(error, ApiError | LedgerError):
        return error if isinstance(error, ApiError) else as_api_error(error)
    if isinstance(error, falcon.HTTPRouteNotFound):
        # No route was found, so no version has been negotiated yet.
        req.env[VERSION] = _version_or_none(req)
        return ApiError(HTTPStatus.NOT_FOUND)
    refused = as_http_error(error, {})
    return ApiError(refused.status, refused.message, headers=refused.headers)


def _version_or_none(req: falcon.Request) -> Version | None:
    try:
        return microversion.requested_version(req.get_header(HEADER))
    except (UnparsableVersion, UnavailableVersion):
        return None
