"""The reshaper: inventories and the allocations on them moved together, all or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from moorage.placement.api.allocations import WRITE_WORDINGS, parse_claims
from moorage.placement.api.answer import Answer, empty_answer
from moorage.placement.api.errors import (
    CONCURRENT_UPDATE,
    INVENTORY_INUSE,
    PROVIDER_NOT_FOUND,
    Wording,
    Wordings,
    bad_request,
    reworded,
)
from moorage.placement.api.inventories import check_knowledge, parse_inventories
from moorage.placement.api.request import Request
from moorage.placement.api.validation import body_of
from moorage.placement.ledger import Ledger
from moorage.placement.model.errors import (
    GenerationConflict,
    InvalidCapacity,
    InventoryInUse,
    ProviderNotFound,
    ResourceClassNotFound,
)
from moorage.placement.store import claims
from moorage.placement.store.claims import NewInventories


def reshape(request: Request, ledger: Ledger) -> Answer:
    """POST /reshaper"""
    body = body_of(request)
    wordings: Wordings = {
        **WRITE_WORDINGS,
        ResourceClassNotFound: Wording(HTTPStatus.BAD_REQUEST, "malformed reshaper data: {error}"),
        InvalidCapacity: Wording(HTTPStatus.BAD_REQUEST, "malformed reshaper data: {error}"),
        InventoryInUse: Wording(HTTPStatus.CONFLICT, "update conflict: {error}", INVENTORY_INUSE),
        GenerationConflict: Wording(HTTPStatus.CONFLICT, "{error}", CONCURRENT_UPDATE),
    }
    with reworded(wordings):
        try:
            reshaped = _parse_new_inventories(request, ledger, body["inventories"])
            wanted = parse_claims(body["allocations"], request.version, ledger.options)
            ledger.write(claims.reshape, reshaped, wanted)
        except ProviderNotFound as error:
            raise bad_request(
                f"Resource provider {error.uuid} in inventories not found: {error}", PROVIDER_NOT_FOUND
            ) from error
    return empty_answer()


def _parse_new_inventories(
    request: Request, ledger: Ledger, body: Mapping[str, Mapping[str, Any]]
) -> dict[str, NewInventories]:
    """All inventories that each provider shall have, by UUID."""
    try:
        return {
            uuid: NewInventories(
                content["resource_provider_generation"],
                parse_inventories(content["inventories"], uuid, request.version),
            )
            for uuid, content in body.items()
        }
    except InvalidCapacity:
        for uuid, content in body.items():
            check_knowledge(ledger, uuid, content["resource_provider_generation"])
        raise
