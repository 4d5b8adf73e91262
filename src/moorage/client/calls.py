"""One request and what became of it: the decoded answer, or one of the errors of `errors`.

What all clients share whatever API they speak. Each request has an id that the service logs beside its own, and that
every message names, so that both ends of a story can be put together.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import quote

import msgspec

from moorage.client.errors import (
    BadRequest,
    ClientError,
    Conflict,
    NotFound,
    Refused,
    ServerError,
    Unauthorized,
    Unavailable,
)
from moorage.client.transport import Response, Transport
from moorage.web.request_ids import request_ids

LOG = logging.getLogger(__name__)

Pairs = Sequence[tuple[str, str]]
"""A query: names and values, in order; a name may be repeated."""

_T = TypeVar("_T")

_KINDS: dict[int, type[Refused]] = {
    HTTPStatus.BAD_REQUEST: BadRequest,
    HTTPStatus.UNAUTHORIZED: Unauthorized,
    HTTPStatus.FORBIDDEN: Unauthorized,
    HTTPStatus.NOT_FOUND: NotFound,
    HTTPStatus.CONFLICT: Conflict,
}
_OUT_OF_ORDER = {
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
}

# What decoding makes of a body that is no JSON, no UTF-8, or nested without end.
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def path_of(*parts: str) -> str:
    """A path from its parts, in which a part may hold any character."""
    return "".join(f"/{quote(part, safe='')}" for part in parts)


class Calls:
    """Sends requests at one version of an API; `api_version` is like "placement 1.39", empty where there are none."""

    def __init__(self, transport: Transport, api_version: str = "") -> None:
        self._transport = transport
        self._api_version = api_version

    def at(self, api_version: str) -> Calls:
        """The same service at another version of its API."""
        return Calls(self._transport, api_version)

    def read(self, into: type[_T], path: str, query: Pairs = ()) -> _T:
        """What there is at a path."""
        return self.ask(into, "GET", path, query=query)

    def ask(self, into: type[_T], method: str, path: str, *, query: Pairs = (), content: object = None) -> _T:
        """Do something whose answer is wanted."""
        response = self.send(method, path, query=query, content=content)
        try:
            return msgspec.json.decode(response.body, type=into)
        except _UNREADABLE as error:
            raise ClientError(
                f"{method} {path} was answered with {response.status} and a body that was not expected: {error}."
                " Is the endpoint the right one?"
            ) from error

    def send(self, method: str, path: str, *, query: Pairs = (), content: object = None) -> Response:
        """Do something and return the answer to it, which is no error."""
        # Whatever a request of ours leads to carries its id, so that the story can be followed through all services.
        ids = request_ids.get()
        request_id = ids.to_pass_on if ids else f"req-{uuid.uuid4()}"
        headers = {"accept": "application/json", "x-openstack-request-id": request_id}
        if self._api_version:
            headers["openstack-api-version"] = self._api_version
        try:
            response = self._transport.send(method, path, query=query, content=content, headers=headers)
        except Unavailable as error:
            raise Unavailable(f"{error} ({method} {path}, {request_id})", error.cause) from error
        LOG.debug("%s %s %s was answered with %s (%s)", method, path, query or "", response.status, request_id)
        if response.status >= HTTPStatus.MULTIPLE_CHOICES:
            raise _refusal(f"{method} {path}", response, request_id)
        return response


def _refusal(what: str, response: Response, request_id: str) -> ClientError:
    facts = _facts(response)
    # A general explanation of the status comes first, the reason in question after an empty line.
    detail = " ".join(str(facts.get("detail", "")).rpartition("\n\n")[2].split())
    code = str(facts.get("code", ""))
    told = f": {detail.rstrip('.')}" if detail else ""
    message = f"{what} was refused ({f'{response.status} {code}'.strip()}){told}. ({request_id})"
    if response.status in _OUT_OF_ORDER:
        return Unavailable(message, f"{response.status} {code} {detail}")
    kind = ServerError if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR else _KINDS.get(response.status, Refused)
    return kind(message, response.status, code, detail, facts)


def _facts(response: Response) -> dict[str, Any]:
    """What an answer says about the error, as Placement words it; nothing if the answer is none of an API's.

    Placement has a list of errors, of which the first counts. Nova, Glance and Cinder have a single object, under the
    name of the kind of error, with a message inside. Reservation services have everything side by side.
    """
    try:
        content = response.json()
    except _UNREADABLE:
        return {}
    if not isinstance(content, dict) or not content:
        return {}
    if "error_message" in content:
        return {"detail": content["error_message"]}
    error = next(iter(content.values()))
    if isinstance(error, list) and error:
        error = error[0]
    if not isinstance(error, dict):
        return {}
    return {"detail": error["message"]} if "message" in error else error
