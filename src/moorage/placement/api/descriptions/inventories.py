"""Inventories of providers, and what of them is in use."""

from __future__ import annotations

from http import HTTPStatus

from moorage.placement.api.descriptions.common import GENERATION, Operations, by_name
from moorage.placement.api.schemas.common import whole_number
from moorage.web.description import Described, reference
from moorage.web.schema import Definition
from moorage.web.shapes import COUNT, record

_INVENTORY: dict[str, Definition] = {
    "total": whole_number(1),
    "reserved": whole_number(0),
    "min_unit": whole_number(1),
    "max_unit": whole_number(1),
    "step_size": whole_number(1),
    "allocation_ratio": {"type": "number"},
}

SCHEMAS: dict[str, Definition] = {
    "Inventory": record(_INVENTORY),
    "InventoryOfProvider": record({**_INVENTORY, "resource_provider_generation": GENERATION}),
    "Inventories": record({"resource_provider_generation": GENERATION, "inventories": by_name(reference("Inventory"))}),
}

_ONE = reference("InventoryOfProvider")
_ALL = reference("Inventories")
_NO_MORE = {HTTPStatus.NO_CONTENT: None}

OPERATIONS: Operations = {
    ("GET", "/resource_providers/{uuid}/inventories"): Described(
        summary="List the inventories of a provider", answers={HTTPStatus.OK: _ALL}
    ),
    ("POST", "/resource_providers/{uuid}/inventories"): Described(
        summary="Give a provider an inventory of one more resource class",
        answers={HTTPStatus.CREATED: _ONE},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("PUT", "/resource_providers/{uuid}/inventories"): Described(
        summary="Replace all inventories of a provider",
        answers={HTTPStatus.OK: _ALL},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("DELETE", "/resource_providers/{uuid}/inventories"): Described(
        summary="Remove all inventories of a provider", answers=_NO_MORE, refusals=(HTTPStatus.CONFLICT,)
    ),
    ("GET", "/resource_providers/{uuid}/inventories/{resource_class}"): Described(
        summary="Show an inventory", answers={HTTPStatus.OK: _ONE}
    ),
    ("PUT", "/resource_providers/{uuid}/inventories/{resource_class}"): Described(
        summary="Change an inventory", answers={HTTPStatus.OK: _ONE}, refusals=(HTTPStatus.CONFLICT,)
    ),
    ("DELETE", "/resource_providers/{uuid}/inventories/{resource_class}"): Described(
        summary="Remove an inventory", answers=_NO_MORE, refusals=(HTTPStatus.CONFLICT,)
    ),
    ("GET", "/resource_providers/{uuid}/usages"): Described(
        summary="Show how much of each inventory is in use",
        answers={HTTPStatus.OK: record({"resource_provider_generation": GENERATION, "usages": by_name(COUNT)})},
    ),
}
