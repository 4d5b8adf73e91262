"""Allocations of consumers, and allocations on providers."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from moorage.placement.api.answer import Answer, empty_answer, json_answer, newest
from moorage.placement.api.errors import (
    CONCURRENT_UPDATE,
    Wording,
    Wordings,
    bad_request,
    no_provider,
    reworded,
)
from moorage.placement.api.request import Request
from moorage.placement.api.validation import body_of, canonical_uuid, is_uuid_like
from moorage.placement.ledger import Ledger, Options
from moorage.placement.model.allocation import UNKNOWN_CONSUMER_TYPE, AnyGeneration, Claim, Consumer
from moorage.placement.model.errors import (
    ConsumerGenerationConflict,
    InvalidInventory,
    NotFound,
    UnknownAllocationProvider,
)
from moorage.placement.store import allocations, claims
from moorage.web.versions import Version

OWNERS_SHOWN: Version = (1, 12)
BY_PROVIDER: Version = (1, 12)
CONSUMER_GENERATIONS: Version = (1, 28)
CONSUMER_TYPES: Version = (1, 38)

# What every write of allocations can be refused for.
WRITE_WORDINGS: Wordings = {
    UnknownAllocationProvider: Wording(HTTPStatus.BAD_REQUEST),
    ConsumerGenerationConflict: Wording(HTTPStatus.CONFLICT, code=CONCURRENT_UPDATE),
    InvalidInventory: Wording(HTTPStatus.CONFLICT, "Unable to allocate inventory: {error}"),
}


def of_consumer(request: Request, ledger: Ledger) -> Answer:
    """GET /allocations/{consumer_uuid}"""
    consumer = ledger.look(allocations.of_consumer, _canonical(request.path["consumer_uuid"]))
    if consumer is None:
        return json_answer({"allocations": {}}, request.version)
    modified = newest(allocation.updated_at for allocation in consumer.allocations)
    return json_answer(_render(consumer, request.version), request.version, modified)


def of_provider(request: Request, ledger: Ledger) -> Answer:
    """GET /resource_providers/{uuid}/allocations"""
    uuid = request.path["uuid"]
    with reworded(no_provider(f"Resource provider '{uuid}' not found")):
        generation, holdings = ledger.look(allocations.of_provider, uuid)
    by_consumer: dict[str, dict[str, Any]] = {}
    for holding in holdings:
        entry = by_consumer.setdefault(holding.consumer_uuid, {"resources": {}})
        entry["resources"][holding.resource_class] = holding.amount
        if request.version >= CONSUMER_GENERATIONS:
            entry["consumer_generation"] = holding.consumer_generation
    content = {"allocations": by_consumer, "resource_provider_generation": generation}
    return json_answer(content, request.version, newest(holding.updated_at for holding in holdings))


def put(request: Request, ledger: Ledger) -> Answer:
    """PUT /allocations/{consumer_uuid}"""
    uuid = request.path["consumer_uuid"]
    if not is_uuid_like(uuid):
        raise bad_request(f"Malformed consumer_uuid: {uuid}")
    uuid = canonical_uuid(uuid)
    body = body_of(request)
    unknown_class = Wording(HTTPStatus.BAD_REQUEST, f"Unable to allocate inventory for consumer {uuid}: {{error}}")
    with reworded({**WRITE_WORDINGS, NotFound: unknown_class}):
        ledger.claim(parse_claim(uuid, body, request.version, ledger.options))
    return empty_answer()


def post(request: Request, ledger: Ledger) -> Answer:
    """POST /allocations"""
    body = body_of(request)
    unknown_class = Wording(HTTPStatus.BAD_REQUEST, "Unable to allocate inventory {error}")
    with reworded({**WRITE_WORDINGS, NotFound: unknown_class}):
        ledger.write(claims.claim, parse_claims(body, request.version, ledger.options))
    return empty_answer()


def delete(request: Request, ledger: Ledger) -> Answer:
    """DELETE /allocations/{consumer_uuid}"""
    ledger.write(claims.release, _canonical(request.path["consumer_uuid"]))
    return empty_answer()


def parse_claims(body: Mapping[str, Any], version: Version, options: Options) -> list[Claim]:
    """What several consumers ask for, from a body that the schema has seen."""
    parsed: dict[str, Claim] = {}
    for uuid, content in body.items():
        if not is_uuid_like(uuid):
            raise bad_request(f"Malformed consumer_uuid: {uuid}")
        claim = parse_claim(canonical_uuid(uuid), content, version, options)
        if claim.consumer_uuid in parsed:
            raise bad_request(f"Consumer {claim.consumer_uuid} is named more than once, in different spellings")
        parsed[claim.consumer_uuid] = claim
    return list(parsed.values())


def parse_claim(consumer_uuid: str, body: Mapping[str, Any], version: Version, options: Options) -> Claim:
    """What one consumer asks for, from a body that the schema has seen."""
    if version >= BY_PROVIDER:
        amounts = {uuid: content["resources"] for uuid, content in body["allocations"].items()}
    else:
        amounts = {item["resource_provider"]["uuid"]: item["resources"] for item in body["allocations"]}
    generation: int | AnyGeneration | None = AnyGeneration.ANY
    if version >= CONSUMER_GENERATIONS:
        generation = body["consumer_generation"]
    return Claim(
        consumer_uuid=consumer_uuid,
        project_id=body.get("project_id", options.unknown_project_id),
        user_id=body.get("user_id", options.unknown_user_id),
        consumer_type=body.get("consumer_type"),
        generation=generation,
        # JSON has whole numbers that are written 1.0.
        amounts={uuid: {name: int(amount) for name, amount in wanted.items()} for uuid, wanted in amounts.items()},
    )


def _canonical(uuid: str) -> str:
    """Consumers are kept under one spelling; what is no UUID at all is simply not there."""
    return canonical_uuid(uuid) if is_uuid_like(uuid) else uuid


def _render(consumer: Consumer, version: Version) -> dict[str, Any]:
    by_provider: dict[str, dict[str, Any]] = {}
    for allocation in consumer.allocations:
        entry = by_provider.setdefault(
            allocation.provider_uuid, {"resources": {}, "generation": allocation.provider_generation}
        )
        entry["resources"][allocation.resource_class] = allocation.amount
    content: dict[str, Any] = {"allocations": by_provider}
    if version >= OWNERS_SHOWN:
        content["project_id"] = consumer.project_id
        content["user_id"] = consumer.user_id
    if version >= CONSUMER_GENERATIONS:
        content["consumer_generation"] = consumer.generation
    if version >= CONSUMER_TYPES:
        content["consumer_type"] = consumer.consumer_type or UNKNOWN_CONSUMER_TYPE
    return content
