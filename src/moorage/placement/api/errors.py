"""Errors as clients see them: a status, a sentence, a code, in JSON (or text for those who do not accept JSON).

Handlers let the ledger's own exceptions through when the table below words them well enough, and use `reworded`
where the API wraps them in a sentence of its own.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

import msgspec

from moorage.placement.api import microversion
from moorage.placement.model.errors import (
    GenerationConflict,
    LedgerError,
    NotFound,
    ProviderNotFound,
)
from moorage.web.versions import Version, as_text

# Codes that tell errors of one status apart (microversion 1.23).
UNDEFINED_CODE = "placement.undefined_code"
CONCURRENT_UPDATE = "placement.concurrent_update"
DUPLICATE_NAME = "placement.duplicate_name"
INVENTORY_INUSE = "placement.inventory.inuse"
PROVIDER_INUSE = "placement.resource_provider.inuse"
PROVIDER_CANNOT_DELETE_PARENT = "placement.resource_provider.cannot_delete_parent"
PROVIDER_NOT_FOUND = "placement.resource_provider.not_found"
QUERY_DUPLICATE_KEY = "placement.query.duplicate_key"
QUERY_BAD_VALUE = "placement.query.bad_value"
QUERY_MISSING_VALUE = "placement.query.missing_value"

_CODES_SINCE: Version = (1, 23)

# How the HTTP standard library of the API's first implementation explains a status; clients print it.
_EXPLANATIONS = {
    HTTPStatus.BAD_REQUEST: (
        "The server could not comply with the request since it is either malformed or otherwise incorrect."
    ),
    HTTPStatus.UNAUTHORIZED: (
        "This server could not verify that you are authorized to access the document you requested."
    ),
    HTTPStatus.FORBIDDEN: "Access was denied to this resource.",
    HTTPStatus.NOT_FOUND: "The resource could not be found.",
    HTTPStatus.NOT_ACCEPTABLE: "The resource could not be generated that was acceptable to your browser.",
    HTTPStatus.CONFLICT: "There was a conflict when trying to complete your request.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The request media type is not supported by this server.",
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        "The server has either erred or is incapable of performing the requested operation."
    ),
}


@dataclass(eq=False)
class ApiError(Exception):
    """A request that is answered with an error."""

    status: HTTPStatus
    detail: str = ""
    code: str = UNDEFINED_CODE
    headers: Mapping[str, str] = field(default_factory=dict)
    # Facts for programs beside the sentence; only Moorage's own paths have some.
    facts: Mapping[str, object] = field(default_factory=dict)


def bad_request(detail: str, code: str = UNDEFINED_CODE) -> ApiError:
    """The client must change the request."""
    return ApiError(HTTPStatus.BAD_REQUEST, detail, code)


def not_found(detail: str = "") -> ApiError:
    """There is no such thing."""
    return ApiError(HTTPStatus.NOT_FOUND, detail)


@dataclass(frozen=True, slots=True)
class Wording:
    """How an error of the ledger is told: a status, a sentence around its own text ("{error}"), and a code."""

    status: HTTPStatus
    sentence: str = "{error}"
    code: str = UNDEFINED_CODE


Wordings = dict[type[LedgerError], Wording]


def no_provider(sentence: str) -> Wordings:
    """How some paths tell that their provider is missing, each in words of its own; clients have always read them."""
    return {ProviderNotFound: Wording(HTTPStatus.NOT_FOUND, f"{sentence}: {{error}}")}


# What holds wherever a handler does not say otherwise.
_DEFAULT: Wordings = {
    NotFound: Wording(HTTPStatus.NOT_FOUND),
    GenerationConflict: Wording(HTTPStatus.CONFLICT, "resource provider generation conflict", CONCURRENT_UPDATE),
    LedgerError: Wording(HTTPStatus.CONFLICT),
}


@contextmanager
def reworded(wordings: Wordings) -> Iterator[None]:
    """Tell the ledger's errors in this handler's words."""
    try:
        yield
    except LedgerError as error:
        raise as_api_error(error, wordings) from error


def as_api_error(error: LedgerError, wordings: Wordings | None = None) -> ApiError:
    """An error of the ledger as an answer, by the closest entry for its class."""
    for table in (wordings or {}, _DEFAULT):
        for kind in type(error).__mro__:
            wording = table.get(kind)
            if wording is not None:
                # Not str.format: the error's own text may contain braces.
                return ApiError(wording.status, wording.sentence.replace("{error}", str(error)), wording.code)
    raise AssertionError("LedgerError itself is in the table")


# --- rendering


def render(error: ApiError, *, accept: str, version: Version | None, request_id: str | None) -> tuple[bytes, str]:
    """The body of an error and its content type."""
    detail = _detail(error)
    if wants_json(accept):
        return _render_json(error, detail, version, request_id), "application/json"
    title = f"{error.status.value} {error.status.phrase}"
    if "html" in accept:
        page = f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{html.escape(detail)}</body></html>"
        return page.encode(), "text/html; charset=UTF-8"
    return f"{title}\n\n{detail}".encode(), "text/plain; charset=UTF-8"


def _detail(error: ApiError) -> str:
    """The explanation of the status and what is to be said beside it, on one line as clients have always got it."""
    said = error.detail.replace("\n", " ").replace("\r", "")
    return "\n\n".join(text for text in (_EXPLANATIONS.get(error.status, ""), f" {said}  ") if text)


def wants_json(accept: str) -> bool:
    """Whether an error may be JSON: unless the client says that it takes other things only."""
    return not accept or "*/*" in accept or "application/json" in accept or "application/*" in accept


def _render_json(error: ApiError, detail: str, version: Version | None, request_id: str | None) -> bytes:
    body: dict[str, object] = {"status": error.status.value, "title": error.status.phrase, "detail": detail}
    if version is not None and version >= _CODES_SINCE:
        body["code"] = error.code
    body.update(error.facts)
    if request_id:
        body["request_id"] = request_id
    if version is None and error.status is HTTPStatus.NOT_ACCEPTABLE:
        body["max_version"] = as_text(microversion.NEWEST)
        body["min_version"] = as_text(microversion.OLDEST)
    return msgspec.json.encode({"errors": [body]})
