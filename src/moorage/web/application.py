"""An API as a WSGI application: a route table, and around it what is the same for every request.

Finds the operation for a request, negotiates the microversion where the API has some, asks the policy, checks the body
against the operation's schema, calls the handler, and turns answers and errors into HTTP. Who is calling has been found
out before (see `service/authentication`); the request's id and its log line are made around it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Generic, TypeVar

import falcon
from falcon.constants import COMBINED_METHODS

from moorage.db.database import DatabaseUnavailable
from moorage.web.answer import Answer
from moorage.web.caller import CALLER, Allows, Caller
from moorage.web.errors import HttpError, bad_request, forbidden
from moorage.web.request import Request, parse_parameters
from moorage.web.request_ids import REQUEST_ID
from moorage.web.schema import Schema, decoded
from moorage.web.versions import Version, Versions

LOG = logging.getLogger(__name__)

# Where the route that was found is left, for those who count.
ROUTE = "moorage.route"

Context = TypeVar("Context")

AnswerError = Callable[[falcon.Request, falcon.Response, Exception, Any], None]

# What nobody's request about one thing exceeds; whoever sends more would make us build objects without end.
MOST_BYTES = 114_688

_UNVERSIONED: Version = (0, 0)
# All that falcon knows: whoever uses one that a path does not have is told which it has.
METHODS = tuple(method for method in COMBINED_METHODS if method != "WEBSOCKET")
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[Context]):
    """One thing a client can do."""

    handler: Callable[[Request, Context], Answer]
    # The policy rule; None for what everybody may do, also without a credential.
    rule: str | None
    # The part of the path that names the project which the rule is asked about; None for the caller's own.
    project_in_path: str | None = None
    # What the body must be like; None if there shall be none.
    schema: Schema | None = None
    # Whether there may be none all the same.
    may_lack_body: bool = False
    # In which microversions there is the operation; None for no bound.
    since: Version | None = None
    until: Version | None = None

    def exists_at(self, version: Version) -> bool:
        """Whether a version has the operation."""
        return (self.since is None or version >= self.since) and (self.until is None or version <= self.until)


# The operations of each method of each path; several if they differ by microversion.
Routes = Mapping[str, Mapping[str, tuple[Operation[Context], ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Api(Generic[Context]):
    """What one API is made of."""

    routes: Routes[Context]
    versions: Versions | None
    # Errors of the room, by class, as statuses; their texts are for the client.
    statuses: Mapping[type[Exception], HTTPStatus]
    # An error as the API words it: the body, and what it is.
    render_error: Callable[[HttpError, str | None], bytes]
    error_type: str = "application/json"


def web_application(
    api: Api[Context], context: Context, allows: Allows, max_body_bytes: int
) -> falcon.App[falcon.Request, falcon.Response]:
    """The API over one context, which is what its handlers work with."""

    def answer_error(req: falcon.Request, resp: falcon.Response, error: Exception, _path: Any) -> None:
        refused = as_http_error(error, api.statuses)
        resp.status = refused.status
        resp.data = api.render_error(refused, req.env.get(REQUEST_ID))
        resp.content_type = api.error_type
        for name, value in refused.headers.items():
            resp.set_header(name, value)

    application = without_routes(answer_error)
    application.req_options.strip_url_path_trailing_slash = True
    for path, methods in api.routes.items():
        application.add_route(path, _Resource(api, methods, context, allows, max_body_bytes))
    return application


def without_routes(answer_error: AnswerError) -> falcon.App[falcon.Request, falcon.Response]:
    """An application that has no routes yet; every error is answered by one function."""
    application = falcon.App(cors_enable=False)
    application.resp_options.default_media_type = None  # type: ignore[assignment]  # without a body there is none
    for kind in (Exception, falcon.HTTPError):  # falcon has a handler of its own for the second
        application.add_error_handler(kind, answer_error)
    return application


class _Resource(Generic[Context]):
    """What can be done at one path; falcon looks for a responder per method."""

    def __init__(
        self,
        api: Api[Context],
        methods: Mapping[str, tuple[Operation[Context], ...]],
        context: Context,
        allows: Allows,
        max_body_bytes: int,
    ) -> None:
        self._api = api
        self._methods = methods
        self._context = context
        self._allows = allows
        self._max_body_bytes = max_body_bytes
        for method in METHODS:
            setattr(self, f"on_{method.lower()}", self._respond)

    def _respond(self, req: falcon.Request, resp: falcon.Response, **path: str) -> None:
        req.env[ROUTE] = req.uri_template or ""
        version = _UNVERSIONED
        if self._api.versions is not None:
            version = self._api.versions.requested(req.get_header)
            for name, value in self._api.versions.headers(version).items():
                resp.set_header(name, value)
        operation = self._operation(req.method, version)
        if any("\0" in value for value in path.values()):
            raise HttpError(HTTPStatus.NOT_FOUND, "The resource could not be found.")
        caller: Caller | None = req.env.get(CALLER)
        if operation.rule is not None:
            project_id = None if operation.project_in_path is None else path[operation.project_in_path]
            self._check(caller, operation.rule, project_id)
        request = Request(
            version=version,
            parameters=parse_parameters(req.env.get("QUERY_STRING", "")),
            path=path,
            content=self._content(req, operation),
            headers={name.lower(): value for name, value in req.headers.items()},
            caller=caller,
            base_url=req.prefix,
        )
        _send(operation.handler(request, self._context), resp)

    def _operation(self, method: str, version: Version) -> Operation[Context]:
        operations = self._methods.get(method) or (self._methods.get("GET") if method == "HEAD" else None)
        if operations is None:
            raise HttpError(
                HTTPStatus.METHOD_NOT_ALLOWED,
                f"The method {method} is not allowed for this resource.",
                {"allow": ", ".join(self._methods)},
            )
        for operation in operations:
            if operation.exists_at(version):
                return operation
        raise HttpError(HTTPStatus.NOT_FOUND, "The resource could not be found.")

    def _check(self, caller: Caller | None, rule: str, project_id: str | None) -> None:
        if caller is None:
            raise HttpError(HTTPStatus.UNAUTHORIZED, "The request you have made requires authentication.")
        if not self._allows(caller, rule, project_id):
            raise forbidden(f"Policy doesn't allow {rule} to be performed.")

    def _content(self, req: falcon.Request, operation: Operation[Context]) -> Any:
        if operation.schema is None or req.method not in _WITH_BODY:
            return None
        media_type = (req.content_type or "").partition(";")[0].strip()
        if media_type not in ("", "application/json") and not media_type.endswith("+json"):
            raise HttpError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Unsupported Content-Type {media_type}")
        body = body_of(req, self._max_body_bytes)
        if not body:
            if operation.may_lack_body:
                return None
            raise bad_request("The request has no body; one in JSON is required.")
        content = decoded(body)
        operation.schema.check(content)
        return content


def body_of(req: falcon.Request, max_bytes: int) -> bytes:
    """What the client has sent, if it is not too much."""
    if (req.content_length or 0) > max_bytes:
        raise HttpError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"The body has {req.content_length} bytes; at most {max_bytes} are allowed ([api] max_request_body_bytes).",
        )
    if req.content_length is None and req.env.get("wsgi.input_terminated"):
        body = bytes(req.stream.read(max_bytes + 1))
        if len(body) > max_bytes:
            raise HttpError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"At most {max_bytes} bytes are allowed in a body.")
        return body
    return bytes(req.bounded_stream.read())


def _send(answer: Answer, resp: falcon.Response) -> None:
    resp.status = answer.status
    if answer.stream is not None:
        resp.stream = answer.stream
    elif answer.body is not None:
        resp.data = answer.body
    if answer.stream is not None or answer.body is not None:
        resp.content_type = "application/json"
    for name, value in answer.headers.items():
        resp.set_header(name, value)


def as_http_error(error: Exception, statuses: Mapping[type[Exception], HTTPStatus]) -> HttpError:
    """What the client is told of an error: of the room's own what the table says, of others what is fit to be told."""
    if isinstance(error, HttpError):
        return error
    for kind in type(error).__mro__:
        if kind in statuses:
            return HttpError(statuses[kind], str(error))
    if isinstance(error, falcon.HTTPRouteNotFound):
        return HttpError(HTTPStatus.NOT_FOUND, "The resource could not be found.")
    if isinstance(error, falcon.HTTPError):
        return HttpError(HTTPStatus(error.status_code), error.description or error.title or "")
    if isinstance(error, DatabaseUnavailable):
        LOG.error("%s", error)
        return HttpError(HTTPStatus.SERVICE_UNAVAILABLE, f"{error}.", {"retry-after": "5"})
    LOG.error("Unexpected error", exc_info=error)
    # What went wrong inside is for the log; the client gets the id to find it by.
    return HttpError(HTTPStatus.INTERNAL_SERVER_ERROR, "The error was logged under the id of this request.")
