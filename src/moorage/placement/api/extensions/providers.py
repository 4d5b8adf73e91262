"""Many providers at once: written in one transaction, read in one answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from moorage.placement.api.answer import Answer, json_answer
from moorage.placement.api.errors import (
    CONCURRENT_UPDATE,
    DUPLICATE_NAME,
    INVENTORY_INUSE,
    PROVIDER_CANNOT_DELETE_PARENT,
    PROVIDER_INUSE,
    ApiError,
    Wording,
    Wordings,
    as_api_error,
    bad_request,
    reworded,
)
from moorage.placement.api.extensions.origins import parse_origin, render_origin
from moorage.placement.api.inventories import parse_inventories
from moorage.placement.api.microversion import NEWEST
from moorage.placement.api.query import parse_provider_filter
from moorage.placement.api.request import Parameters, Request
from moorage.placement.api.schemas import bulk_providers as schemas
from moorage.placement.api.validation import body_of, canonical_uuid, check_query
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.columns import Mask
from moorage.placement.index.listing import matching_providers
from moorage.placement.index.records import Record
from moorage.placement.ledger import Ledger
from moorage.placement.model.errors import (
    GenerationConflict,
    InvalidCapacity,
    InvalidInventory,
    InventoryInUse,
    LedgerError,
    ProviderExists,
    ProviderHasChildren,
    ProviderInUse,
    ProviderRefused,
    ProvidersRefused,
    ResourceClassNotFound,
    TraitNotFound,
)
from moorage.placement.model.origin import Origin
from moorage.placement.store import bulk, origins
from moorage.placement.store.bulk import Absent, BulkWrite, Keep, Removal, WholeProvider
from moorage.placement.store.providers import Parent

PARTS = ("inventories", "usages", "traits", "aggregates", "origin")
# So many providers are rendered before the first are sent.
_CHUNK = 500

_WORDINGS: Wordings = {
    ProviderExists: Wording(HTTPStatus.CONFLICT, code=DUPLICATE_NAME),
    ProviderRefused: Wording(HTTPStatus.BAD_REQUEST),
    ProviderInUse: Wording(HTTPStatus.CONFLICT, code=PROVIDER_INUSE),
    ProviderHasChildren: Wording(HTTPStatus.CONFLICT, code=PROVIDER_CANNOT_DELETE_PARENT),
    ResourceClassNotFound: Wording(HTTPStatus.BAD_REQUEST),
    TraitNotFound: Wording(HTTPStatus.BAD_REQUEST),
    InvalidCapacity: Wording(HTTPStatus.BAD_REQUEST),
    GenerationConflict: Wording(HTTPStatus.CONFLICT, code=CONCURRENT_UPDATE),
    InventoryInUse: Wording(HTTPStatus.CONFLICT, code=INVENTORY_INUSE),
}


# --- writing


def write(request: Request, ledger: Ledger) -> Answer:
    """POST /moorage/providers"""
    body = body_of(request)
    try:
        wanted = _parse(body)
        written = ledger.write(bulk.write, wanted)
    except ProvidersRefused as refused:
        raise _told_one_by_one(refused) from refused
    content: dict[str, Any] = {
        "providers": [{"uuid": uuid, "generation": number} for uuid, number in written.generations.items()]
    }
    if "delete" in body:
        content["deleted"] = written.removed
    return json_answer(content, request.version)


def _parse(body: Mapping[str, Any]) -> BulkWrite:
    refusals: dict[str, LedgerError] = {}
    whole: list[WholeProvider] = []
    for item in body.get("providers", ()):
        try:
            whole.append(_parse_provider(item))
        except InvalidCapacity as error:
            refusals[error.provider_uuid] = error
    if refusals:
        raise ProvidersRefused(refusals)
    removals = [Removal(canonical_uuid(item["uuid"]), item.get("generation")) for item in body.get("delete", ())]
    if not whole and not removals:
        raise bad_request("The request is about nobody: neither 'providers' nor 'delete' names a provider")
    wanted = BulkWrite(tuple(whole), tuple(removals), create_names=body.get("create_names", False))
    _check_once("uuid", [item.uuid for item in wanted.subjects])
    _check_once("name", [item.name for item in wanted.providers])
    return wanted


def _parse_provider(item: dict[str, Any]) -> WholeProvider:
    uuid = canonical_uuid(item["uuid"])
    parent = item.get("parent_provider_uuid", Parent.UNCHANGED)
    inventories = item.get("inventories")
    aggregates = item.get("aggregates")
    origin = item.get("origin", Keep.ORIGIN)
    return WholeProvider(
        uuid=uuid,
        name=item["name"],
        parent_uuid=canonical_uuid(parent) if isinstance(parent, str) else parent,
        generation=Absent.PROVIDER if item.get("generation", 0) is None else item.get("generation"),
        inventories=None if inventories is None else parse_inventories(inventories, uuid, NEWEST),
        traits=None if "traits" not in item else frozenset(item["traits"]),
        aggregates=None if aggregates is None else frozenset(map(canonical_uuid, aggregates)),
        origin=parse_origin(origin) if isinstance(origin, dict) else origin,
    )


def _check_once(what: str, values: Sequence[str]) -> None:
    if len(set(values)) != len(values):
        twice = next(value for value in values if values.count(value) > 1)
        raise bad_request(f"The {what} {twice} is given to more than one provider of the request")


def _told_one_by_one(refused: ProvidersRefused) -> ApiError:
    """A refusal that also names, for a program that leaves them out, every provider that is in the way."""
    told = {uuid: as_api_error(error, _WORDINGS) for uuid, error in refused.refusals.items()}
    facts = [
        {"uuid": uuid, "code": told[uuid].code, "detail": told[uuid].detail} | _names_in(error)
        for uuid, error in refused.refusals.items()
    ]
    first = next(iter(told.values()))
    return ApiError(first.status, str(refused), first.code, facts={"providers": facts})


def _names_in(error: LedgerError) -> dict[str, list[str]]:
    """The resource classes or traits that an error is about."""
    if isinstance(error, InventoryInUse):
        return {"resource_classes": error.resource_classes}
    if isinstance(error, InvalidInventory):
        return {"resource_classes": [error.resource_class]}
    if isinstance(error, ResourceClassNotFound):
        return {"resource_classes": [error.name]}
    return {"traits": error.names} if isinstance(error, TraitNotFound) else {}


# --- reading


def read(request: Request, ledger: Ledger) -> Answer:
    """GET /moorage/providers"""
    check_query(request.parameters, schemas.READ)
    include = _include(request.parameters.all("include"))
    cloud = ledger.cloud()
    with reworded(_WORDINGS):
        among = _kept_by_hosts(request.parameters, cloud, ledger)
        found = matching_providers(cloud, parse_provider_filter(request.parameters, NEWEST), among)
    return Answer(HTTPStatus.OK, stream=_stream(found, include, ledger))


def _kept_by_hosts(parameters: Parameters, cloud: Cloud, ledger: Ledger) -> Mask | None:
    """The providers that a host's agent keeps, or those of all trees in which it keeps any; None for all there are."""
    mask = None
    for parameter, whole_trees in (("origin_host", False), ("in_tree_of_host", True)):
        host = parameters.last(parameter)
        if host is not None:
            slots = cloud.slots_numbered(ledger.look(origins.providers_of_host, host))
            topology = cloud.topology
            kept = topology.mask(topology.roots[slots])[topology.roots] if whole_trees else topology.mask(slots)
            mask = kept if mask is None else mask & kept
    return mask


def _include(values: Sequence[str]) -> frozenset[str]:
    names = frozenset(name.strip() for value in values for name in value.split(",") if name.strip())
    if unknown := names.difference(PARTS):
        raise bad_request(
            f"Invalid query string parameters: 'include' may name {', '.join(PARTS)}. Got: {', '.join(sorted(unknown))}"
        )
    return names


def _stream(found: Sequence[Record], include: frozenset[str], ledger: Ledger) -> Iterator[bytes]:
    yield b'{"providers":['
    for start in range(0, len(found), _CHUNK):
        chunk = found[start : start + _CHUNK]
        # Read after the records: an origin may be newer than the generation beside it, which a write then refuses;
        # the other way round a client could overwrite what it has not seen.
        noted = _origins_of(chunk, ledger) if "origin" in include else {}
        items = (msgspec.json.encode(_render(record, include, noted)) for record in chunk)
        yield (b"," if start else b"") + b",".join(items)
    yield b"]}"


def _origins_of(records: Sequence[Record], ledger: Ledger) -> Mapping[int, Origin]:
    return ledger.look(origins.of_providers, [record.provider.id for record in records])


def _render(record: Record, include: frozenset[str], noted: Mapping[int, Origin]) -> dict[str, Any]:
    provider = record.provider
    rendered: dict[str, Any] = {
        "uuid": provider.uuid,
        "name": provider.name,
        "generation": provider.generation,
        "parent_provider_uuid": provider.parent_uuid,
        "root_provider_uuid": provider.root_uuid,
    }
    if "inventories" in include:
        rendered["inventories"] = {name: stock.inventory.fields() for name, stock in record.stocks.items()}
    if "usages" in include:
        rendered["usages"] = {name: stock.used for name, stock in record.stocks.items()}
    if "traits" in include:
        rendered["traits"] = record.traits
    if "aggregates" in include:
        rendered["aggregates"] = record.aggregates
    if "origin" in include:
        origin = noted.get(provider.id)
        rendered["origin"] = None if origin is None else render_origin(origin)
    return rendered
