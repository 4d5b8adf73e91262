"""Aggregates of providers."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from moorage.placement.api.answer import Answer, json_answer
from moorage.placement.api.errors import CONCURRENT_UPDATE, Wording, Wordings, reworded
from moorage.placement.api.providers import body_for_provider
from moorage.placement.api.request import Request
from moorage.placement.api.validation import canonical_uuid
from moorage.placement.ledger import Ledger
from moorage.placement.model.errors import GenerationConflict
from moorage.placement.store import aggregates
from moorage.web.versions import Version

GENERATIONS: Version = (1, 19)


def index(request: Request, ledger: Ledger) -> Answer:
    """GET /resource_providers/{uuid}/aggregates"""
    record = ledger.cloud().find(request.path["uuid"])
    return json_answer(_render(record.aggregates, record.provider.generation, request.version), request.version)


def replace(request: Request, ledger: Ledger) -> Answer:
    """PUT /resource_providers/{uuid}/aggregates"""
    body = body_for_provider(request, ledger)
    listed, generation = body, None
    if request.version >= GENERATIONS:
        listed, generation = body["aggregates"], body["resource_provider_generation"]
    uuids = list(dict.fromkeys(canonical_uuid(uuid) for uuid in listed))
    wordings: Wordings = {
        GenerationConflict: Wording(
            HTTPStatus.CONFLICT,
            "Resource provider's generation already changed. Please update the generation and try again.",
            CONCURRENT_UPDATE,
        )
    }
    with reworded(wordings):
        generation = ledger.write(aggregates.replace, request.path["uuid"], generation, uuids)
    return json_answer(_render(uuids, generation, request.version), request.version)


def _render(uuids: Sequence[str], generation: int, version: Version) -> dict[str, Any]:
    content: dict[str, Any] = {"aggregates": uuids}
    if version >= GENERATIONS:
        content["resource_provider_generation"] = generation
    return content
