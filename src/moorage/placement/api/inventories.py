"""Inventories of providers."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from moorage.placement.api.answer import Answer, empty_answer, json_answer, newest
from moorage.placement.api.errors import (
    CONCURRENT_UPDATE,
    INVENTORY_INUSE,
    Wording,
    Wordings,
    no_provider,
    not_found,
    reworded,
)
from moorage.placement.api.providers import body_for_provider, provider_url
from moorage.placement.api.request import Request
from moorage.placement.index.records import Record
from moorage.placement.ledger import Ledger
from moorage.placement.model.errors import (
    GenerationConflict,
    InvalidCapacity,
    InventoryExists,
    InventoryInUse,
    InventoryNotFound,
    ResourceClassNotFound,
)
from moorage.placement.model.inventory import Inventory
from moorage.placement.store import inventories
from moorage.web.versions import Version

# Everything may be reserved, so that a provider keeps its allocations but takes no more.
RESERVE_ALL: Version = (1, 26)

_INTEGERS = ("total", "reserved", "min_unit", "max_unit", "step_size")


def parse_inventory(body: Mapping[str, Any]) -> Inventory:
    """An inventory from a body that the schema has seen; JSON has whole numbers that are written 1.0."""
    numbers: dict[str, Any] = {name: int(body[name]) for name in _INTEGERS if name in body}
    if "allocation_ratio" in body:
        numbers["allocation_ratio"] = float(body["allocation_ratio"])
    return Inventory(**numbers)


def parse_inventories(
    body: Mapping[str, Mapping[str, Any]], provider_uuid: str, version: Version
) -> dict[str, Inventory]:
    """All inventories of a provider from a body that the schema has seen."""
    parsed = {resource_class: parse_inventory(content) for resource_class, content in body.items()}
    for resource_class, inventory in parsed.items():
        check_capacity(resource_class, inventory, provider_uuid, version)
    return parsed


def check_knowledge(ledger: Ledger, provider_uuid: str, generation: int) -> None:
    """Refuse a client that does not know the provider as it is: it learns that before its wishes are judged."""
    provider = ledger.cloud().find(provider_uuid).provider
    if provider.generation != generation:
        raise GenerationConflict(provider_uuid, actual=provider.generation, given=generation)


def check_capacity(resource_class: str, inventory: Inventory, provider_uuid: str, version: Version) -> None:
    """Refuse an inventory of which nothing, or less than nothing, can be allocated."""
    may_reserve_all = version >= RESERVE_ALL
    if inventory.capacity < (0 if may_reserve_all else 1):
        raise InvalidCapacity(resource_class, provider_uuid, may_reserve_all=may_reserve_all)


def index(request: Request, ledger: Ledger) -> Answer:
    """GET /resource_providers/{uuid}/inventories"""
    record = _provider_with_inventories(ledger, request.path["uuid"])
    content = {
        "resource_provider_generation": record.provider.generation,
        "inventories": {name: stock.inventory.fields() for name, stock in record.stocks.items()},
    }
    return json_answer(content, request.version, newest(stock.updated_at for stock in record.stocks.values()))


def show(request: Request, ledger: Ledger) -> Answer:
    """GET /resource_providers/{uuid}/inventories/{resource_class}"""
    uuid, resource_class = request.path["uuid"], request.path["resource_class"]
    record = _provider_with_inventories(ledger, uuid)
    stock = record.stocks.get(resource_class)
    if stock is None:
        raise not_found(f"No inventory of class {resource_class} for {uuid}")
    return json_answer(_render_one(stock.inventory, record.provider.generation), request.version, stock.updated_at)


def create(request: Request, ledger: Ledger) -> Answer:
    """POST /resource_providers/{uuid}/inventories"""
    uuid = request.path["uuid"]
    body = body_for_provider(request, ledger)
    resource_class, inventory = body["resource_class"], parse_inventory(body)
    refused = f"Unable to create inventory for resource provider {uuid}: {{error}}"
    wordings: Wordings = {
        InventoryExists: Wording(HTTPStatus.CONFLICT, "Update conflict: {error}", CONCURRENT_UPDATE),
        InvalidCapacity: Wording(HTTPStatus.BAD_REQUEST, refused),
        ResourceClassNotFound: Wording(HTTPStatus.BAD_REQUEST, refused),
    }
    with reworded(wordings):
        check_capacity(resource_class, inventory, uuid, request.version)
        generation = ledger.write(inventories.add, uuid, resource_class, inventory)
    return json_answer(
        _render_one(inventory, generation),
        request.version,
        status=HTTPStatus.CREATED,
        location=f"{provider_url(request, uuid)}/inventories/{resource_class}",
    )


def update(request: Request, ledger: Ledger) -> Answer:
    """PUT /resource_providers/{uuid}/inventories/{resource_class}"""
    uuid, resource_class = request.path["uuid"], request.path["resource_class"]
    body = body_for_provider(request, ledger)
    inventory = parse_inventory(body)
    missing = f"No inventory record with resource class for resource provider {uuid}: {{error}}"
    wordings: Wordings = {
        InventoryNotFound: Wording(HTTPStatus.BAD_REQUEST, missing),
        InvalidCapacity: Wording(
            HTTPStatus.BAD_REQUEST, f"Unable to update inventory for resource provider {uuid}: {{error}}"
        ),
    }
    generation = body["resource_provider_generation"]
    with reworded(wordings):
        try:
            check_capacity(resource_class, inventory, uuid, request.version)
        except InvalidCapacity:
            check_knowledge(ledger, uuid, generation)
            raise
        generation = ledger.write(inventories.change, uuid, generation, resource_class, inventory)
    return json_answer(_render_one(inventory, generation), request.version)


def replace(request: Request, ledger: Ledger) -> Answer:
    """PUT /resource_providers/{uuid}/inventories"""
    uuid = request.path["uuid"]
    body = body_for_provider(request, ledger)
    wordings: Wordings = {
        ResourceClassNotFound: Wording(
            HTTPStatus.BAD_REQUEST, f"Unknown resource class in inventory for resource provider {uuid}: {{error}}"
        ),
        InventoryInUse: Wording(HTTPStatus.CONFLICT, "update conflict: {error}", INVENTORY_INUSE),
        InvalidCapacity: Wording(
            HTTPStatus.BAD_REQUEST, f"Unable to update inventory for resource provider {uuid}: {{error}}"
        ),
    }
    with reworded(wordings):
        try:
            wanted = parse_inventories(body["inventories"], uuid, request.version)
        except InvalidCapacity:
            check_knowledge(ledger, uuid, body["resource_provider_generation"])
            raise
        generation = ledger.write(inventories.replace, uuid, body["resource_provider_generation"], wanted)
    content = {
        "resource_provider_generation": generation,
        "inventories": {name: inventory.fields() for name, inventory in wanted.items()},
    }
    return json_answer(content, request.version)


def delete_all(request: Request, ledger: Ledger) -> Answer:
    """DELETE /resource_providers/{uuid}/inventories"""
    with reworded({InventoryInUse: Wording(HTTPStatus.CONFLICT, code=INVENTORY_INUSE)}):
        ledger.write(inventories.replace, request.path["uuid"], None, {})
    return empty_answer()


def delete(request: Request, ledger: Ledger) -> Answer:
    """DELETE /resource_providers/{uuid}/inventories/{resource_class}"""
    resource_class = request.path["resource_class"]
    missing = f"No inventory of class {resource_class} found for delete"
    wordings: Wordings = {
        InventoryInUse: Wording(
            HTTPStatus.CONFLICT,
            f"Unable to delete inventory of class {resource_class}: {{error}}",
            CONCURRENT_UPDATE,
        ),
        InventoryNotFound: Wording(HTTPStatus.NOT_FOUND, f"{missing}: {missing}"),
        ResourceClassNotFound: Wording(HTTPStatus.NOT_FOUND, f"{missing}: {{error}}"),
    }
    with reworded(wordings):
        ledger.write(inventories.remove, request.path["uuid"], resource_class)
    return empty_answer()


def _provider_with_inventories(ledger: Ledger, uuid: str) -> Record:
    with reworded(no_provider(f"No resource provider with uuid {uuid} found ")):
        return ledger.cloud().find(uuid)


def _render_one(inventory: Inventory, generation: int) -> dict[str, float]:
    return {**inventory.fields(), "resource_provider_generation": generation}
