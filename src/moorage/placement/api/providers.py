"""Resource providers."""

from __future__ import annotations

import uuid as uuidlib
from http import HTTPStatus
from operator import attrgetter
from typing import Any

import msgspec

from moorage.placement.api.answer import Answer, cache_headers, empty_answer, json_answer, newest
from moorage.placement.api.errors import (
    DUPLICATE_NAME,
    PROVIDER_CANNOT_DELETE_PARENT,
    PROVIDER_INUSE,
    ApiError,
    Wording,
    Wordings,
    reworded,
)
from moorage.placement.api.microversion import for_version
from moorage.placement.api.query import parse_provider_filter
from moorage.placement.api.request import Request
from moorage.placement.api.schemas import providers as schemas
from moorage.placement.api.validation import body_of, canonical_uuid, check_query
from moorage.placement.index.listing import matching_providers
from moorage.placement.index.records import Record
from moorage.placement.ledger import Ledger
from moorage.placement.model.errors import (
    ProviderExists,
    ProviderHasChildren,
    ProviderInUse,
    ProviderNotFound,
    ProviderRefused,
    ResourceClassNotFound,
    TraitNotFound,
)
from moorage.placement.model.provider import Provider
from moorage.placement.store import providers
from moorage.web.versions import Version

TREES: Version = (1, 14)
CREATE_ANSWERS_BODY: Version = (1, 20)
MOVING: Version = (1, 37)

# Which links a provider has, and since when.
_LAST_CHANGE = attrgetter("provider.updated_at")
_LINKS: tuple[tuple[str, Version], ...] = (
    ("inventories", (1, 0)),
    ("usages", (1, 0)),
    ("aggregates", (1, 1)),
    ("traits", (1, 6)),
    ("allocations", (1, 11)),
)
# In so many ways a provider looks in a list: each version of the API that changed it brought another.
_FORMS = len({since for _, since in _LINKS} | {TREES})


def provider_url(request: Request, uuid: str) -> str:
    """Where a provider is found."""
    return f"{request.prefix}/resource_providers/{uuid}"


def body_for_provider(request: Request, ledger: Ledger) -> Any:
    """The body of a request about the provider in its path, which is missing before its description is wrong."""
    try:
        return body_of(request)
    except ApiError:
        ledger.cloud().find(request.path["uuid"])
        raise


def index(request: Request, ledger: Ledger) -> Answer:
    """GET /resource_providers"""
    check_query(request.parameters, for_version(schemas.LIST, request.version))
    wanted = parse_provider_filter(request.parameters, request.version)
    wordings: Wordings = {
        ResourceClassNotFound: Wording(
            HTTPStatus.BAD_REQUEST, "Invalid resource class in resources parameter: {error}"
        ),
        TraitNotFound: Wording(HTTPStatus.BAD_REQUEST, 'Invalid trait(s) in "required" parameter: {error}'),
    }
    with reworded(wordings):
        found = matching_providers(ledger.cloud(), wanted)
    # What a provider looks like in a list depends on no more than this, and is kept as long as nothing changes it.
    key = f"{request.prefix} {sum(request.version >= since for _, since in _LINKS)} {request.version >= TREES}"
    items = b",".join([record.listings.get(key) or _kept_item(request, record, key) for record in found])
    headers = cache_headers(request.version, newest(map(_LAST_CHANGE, found)))
    return Answer(HTTPStatus.OK, b"".join((b'{"resource_providers":[', items, b"]}")), headers=headers)


def create(request: Request, ledger: Ledger) -> Answer:
    """POST /resource_providers"""
    body = body_of(request)
    uuid = canonical_uuid(body["uuid"]) if "uuid" in body else str(uuidlib.uuid4())
    parent_uuid = _parent_of(body)
    refused = f'Unable to create resource provider "{body["name"]}", {uuid}: '
    wordings: Wordings = {
        ProviderExists: Wording(HTTPStatus.CONFLICT, code=DUPLICATE_NAME),
        ProviderRefused: Wording(HTTPStatus.BAD_REQUEST, refused + "{error}"),
    }
    with reworded(wordings):
        if not body["name"]:
            raise ProviderRefused("create", "name is required")
        provider = ledger.write(providers.create, uuid, body["name"], parent_uuid)
    location = provider_url(request, uuid)
    if request.version < CREATE_ANSWERS_BODY:
        return empty_answer(HTTPStatus.CREATED, location=location)
    return json_answer(_render(request, provider), request.version, provider.updated_at, location=location)


def show(request: Request, ledger: Ledger) -> Answer:
    """GET /resource_providers/{uuid}"""
    provider = ledger.cloud().find(request.path["uuid"]).provider
    return json_answer(_render(request, provider), request.version, provider.updated_at)


def update(request: Request, ledger: Ledger) -> Answer:
    """PUT /resource_providers/{uuid}"""
    uuid = request.path["uuid"]
    body = body_for_provider(request, ledger)
    parent_uuid = _parent_of(body) if "parent_provider_uuid" in body else providers.Parent.UNCHANGED
    wordings: Wordings = {
        ProviderExists: Wording(HTTPStatus.CONFLICT, code=DUPLICATE_NAME),
        ProviderRefused: Wording(HTTPStatus.BAD_REQUEST, f"Unable to save resource provider {uuid}: {{error}}"),
    }
    with reworded(wordings):
        if not body["name"]:
            raise ProviderRefused("update", "name is required")
        provider = ledger.write(providers.change, uuid, body["name"], parent_uuid, may_move=request.version >= MOVING)
    return json_answer(_render(request, provider), request.version, provider.updated_at)


def delete(request: Request, ledger: Ledger) -> Answer:
    """DELETE /resource_providers/{uuid}"""
    uuid = request.path["uuid"]
    wordings: Wordings = {
        ProviderNotFound: Wording(HTTPStatus.NOT_FOUND, f"No resource provider with uuid {uuid} found for delete"),
        ProviderInUse: Wording(
            HTTPStatus.CONFLICT, f"Unable to delete resource provider {uuid}: {{error}}", PROVIDER_INUSE
        ),
        ProviderHasChildren: Wording(
            HTTPStatus.CONFLICT,
            f"Unable to delete parent resource provider {uuid}: It has child resource providers.",
            PROVIDER_CANNOT_DELETE_PARENT,
        ),
    }
    with reworded(wordings):
        ledger.write(providers.remove, uuid)
    return empty_answer()


def _parent_of(body: dict[str, Any]) -> str | None:
    parent_uuid = body.get("parent_provider_uuid")
    return None if parent_uuid is None else canonical_uuid(parent_uuid)


def _kept_item(request: Request, record: Record, key: str) -> bytes:
    if len(record.listings) >= _FORMS:
        record.listings.clear()  # behind a proxy a client may have a say in the prefix, and name any number of them
    item = record.listings[key] = msgspec.json.encode(_render(request, record.provider))
    return item


def _render(request: Request, provider: Provider) -> dict[str, Any]:
    url = provider_url(request, provider.uuid)
    links = [{"rel": "self", "href": url}]
    links += [{"rel": name, "href": f"{url}/{name}"} for name, since in _LINKS if request.version >= since]
    rendered: dict[str, Any] = {
        "uuid": provider.uuid,
        "name": provider.name,
        "generation": provider.generation,
        "links": links,
    }
    if request.version >= TREES:
        rendered["parent_provider_uuid"] = provider.parent_uuid
        rendered["root_provider_uuid"] = provider.root_uuid
    return rendered
