"""Who added what to a provider: a note that agents of hosts leave with it and find again."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from moorage.placement.api.answer import Answer, empty_answer, json_answer
from moorage.placement.api.errors import CONCURRENT_UPDATE, Wording, reworded
from moorage.placement.api.providers import body_for_provider
from moorage.placement.api.request import Request
from moorage.placement.api.validation import canonical_uuid
from moorage.placement.ledger import Ledger
from moorage.placement.model.errors import GenerationConflict, OriginNotFound
from moorage.placement.model.origin import Origin
from moorage.placement.store import origins


def show(request: Request, ledger: Ledger) -> Answer:
    """GET /moorage/providers/{uuid}/origin"""
    kept = ledger.look(origins.find, request.path["uuid"])
    if kept is None:
        raise OriginNotFound(request.path["uuid"])
    content = render_origin(kept.origin) | {"resource_provider_generation": kept.generation}
    return json_answer(content, request.version, kept.updated_at)


def replace(request: Request, ledger: Ledger) -> Answer:
    """PUT /moorage/providers/{uuid}/origin"""
    body = body_for_provider(request, ledger)
    origin = parse_origin(body)
    with reworded({GenerationConflict: Wording(HTTPStatus.CONFLICT, code=CONCURRENT_UPDATE)}):
        generation = ledger.write(origins.replace, request.path["uuid"], body["resource_provider_generation"], origin)
    return json_answer(render_origin(origin) | {"resource_provider_generation": generation}, request.version)


def delete(request: Request, ledger: Ledger) -> Answer:
    """DELETE /moorage/providers/{uuid}/origin"""
    ledger.write(origins.replace, request.path["uuid"], None, None)
    return empty_answer()


def parse_origin(body: Mapping[str, Any]) -> Origin:
    """An origin from a body that the schema has seen."""
    return Origin(
        host=body["host"],
        made=body.get("made", False),
        inventories=body.get("inventories", {}),
        traits=body.get("traits", {}),
        aggregates={canonical_uuid(uuid): source for uuid, source in body.get("aggregates", {}).items()},
    )


def render_origin(origin: Origin) -> dict[str, Any]:
    """An origin as clients see it."""
    return {
        "host": origin.host,
        "made": origin.made,
        "inventories": dict(origin.inventories),
        "traits": dict(origin.traits),
        "aggregates": dict(origin.aggregates),
    }
