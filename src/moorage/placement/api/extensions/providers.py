"""Many providers at once: written in one transaction, read in one answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from moorage.placement.api.answer import Answer, json_answer
from moorage.placement.api.errors import (
    CONCURRENT_UPDATE,
    DUPLICATE_NAME,
    INVENTORY_INUSE,
    Wording,
    Wordings,
    bad_request,
    reworded,
)
from moorage.placement.api.inventories import parse_inventories, render_inventory
from moorage.placement.api.microversion import NEWEST
from moorage.placement.api.query import parse_provider_filter
from moorage.placement.api.request import Parameters, Request
from moorage.placement.api.schemas import providers as provider_schemas
from moorage.placement.api.schemas.common import INTEGER, UUID, Definition, object_of
from moorage.placement.api.schemas.inventories import INVENTORIES
from moorage.placement.api.validation import Schema, body_of, canonical_uuid, check_query
from moorage.placement.index.listing import matching_providers
from moorage.placement.index.records import Record
from moorage.placement.ledger import Ledger
from moorage.placement.model.errors import (
    GenerationConflict,
    InvalidCapacity,
    InventoryInUse,
    ProviderExists,
    ProviderRefused,
    ResourceClassNotFound,
    TraitNotFound,
)
from moorage.placement.store import bulk
from moorage.placement.store.bulk import WholeProvider
from moorage.placement.store.providers import Parent

_PARTS = ("inventories", "usages", "traits", "aggregates")
# So many providers are rendered before the first are sent.
_CHUNK = 500

_WHOLE: Definition = object_of(
    {
        "uuid": UUID,
        "name": {"type": "string", "minLength": 1, "maxLength": 200},
        "parent_provider_uuid": {"anyOf": [UUID, {"type": "null"}]},
        "generation": INTEGER,
        "inventories": INVENTORIES["properties"]["inventories"],
        "traits": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 255}},
        "aggregates": {"type": "array", "items": UUID},
    },
    required=("uuid", "name"),
)
CREATE = Schema(object_of({"providers": {"type": "array", "minItems": 1, "items": _WHOLE}}, required=("providers",)))

_WORDINGS: Wordings = {
    ProviderExists: Wording(HTTPStatus.CONFLICT, code=DUPLICATE_NAME),
    ProviderRefused: Wording(HTTPStatus.BAD_REQUEST),
    ResourceClassNotFound: Wording(HTTPStatus.BAD_REQUEST),
    TraitNotFound: Wording(HTTPStatus.BAD_REQUEST),
    InvalidCapacity: Wording(HTTPStatus.BAD_REQUEST),
    GenerationConflict: Wording(HTTPStatus.CONFLICT, code=CONCURRENT_UPDATE),
    InventoryInUse: Wording(HTTPStatus.CONFLICT, code=INVENTORY_INUSE),
}


def write(request: Request, ledger: Ledger) -> Answer:
    """POST /moorage/providers"""
    body = body_of(request, CREATE)
    with reworded(_WORDINGS):
        wanted = [_parse(item) for item in body["providers"]]
        _check_each_once(wanted)
        generations = ledger.write(bulk.write, wanted)
    content = {"providers": [{"uuid": uuid, "generation": number} for uuid, number in generations.items()]}
    return json_answer(content, request.version)


def read(request: Request, ledger: Ledger) -> Answer:
    """GET /moorage/providers"""
    include = _include(request.parameters.all("include"))
    rest = Parameters(tuple(pair for pair in request.parameters.pairs if pair[0] != "include"))
    plain = Request(NEWEST, rest, request.path, b"", request.prefix)
    check_query(plain, provider_schemas.LIST[0][1])
    with reworded(_WORDINGS):
        found = matching_providers(ledger.cloud(), parse_provider_filter(rest, NEWEST))
    return Answer(HTTPStatus.OK, stream=_stream(found, include))


def _include(values: Sequence[str]) -> frozenset[str]:
    names = frozenset(name.strip() for value in values for name in value.split(",") if name.strip())
    if unknown := names.difference(_PARTS):
        raise bad_request(
            f"Invalid query string parameters: 'include' may name {', '.join(_PARTS)}. "
            f"Got: {', '.join(sorted(unknown))}"
        )
    return names


def _stream(found: Sequence[Record], include: frozenset[str]) -> Iterator[bytes]:
    yield b'{"providers":['
    for start in range(0, len(found), _CHUNK):
        chunk = (msgspec.json.encode(_render(record, include)) for record in found[start : start + _CHUNK])
        yield (b"," if start else b"") + b",".join(chunk)
    yield b"]}"


def _render(record: Record, include: frozenset[str]) -> dict[str, Any]:
    provider = record.provider
    rendered: dict[str, Any] = {
        "uuid": provider.uuid,
        "name": provider.name,
        "generation": provider.generation,
        "parent_provider_uuid": provider.parent_uuid,
        "root_provider_uuid": provider.root_uuid,
    }
    if "inventories" in include:
        rendered["inventories"] = {name: render_inventory(stock.inventory) for name, stock in record.stocks.items()}
    if "usages" in include:
        rendered["usages"] = {name: stock.used for name, stock in record.stocks.items()}
    if "traits" in include:
        rendered["traits"] = record.traits
    if "aggregates" in include:
        rendered["aggregates"] = record.aggregates
    return rendered


def _parse(item: dict[str, Any]) -> WholeProvider:
    uuid = canonical_uuid(item["uuid"])
    parent = item.get("parent_provider_uuid", Parent.AS_IT_IS)
    inventories = item.get("inventories")
    aggregates = item.get("aggregates")
    return WholeProvider(
        uuid=uuid,
        name=item["name"],
        parent_uuid=canonical_uuid(parent) if isinstance(parent, str) else parent,
        generation=item.get("generation"),
        inventories=None if inventories is None else parse_inventories(inventories, uuid, NEWEST),
        traits=None if "traits" not in item else frozenset(item["traits"]),
        aggregates=None if aggregates is None else frozenset(map(canonical_uuid, aggregates)),
    )


def _check_each_once(wanted: Sequence[WholeProvider]) -> None:
    for values, what in (([item.uuid for item in wanted], "uuid"), ([item.name for item in wanted], "name")):
        if len(set(values)) != len(values):
            twice = next(value for value in values if values.count(value) > 1)
            raise bad_request(f"The {what} {twice} is given to more than one provider of the request")
