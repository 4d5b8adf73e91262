"""Allocation candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any

from moorage.placement.api.answer import Answer, json_answer
from moorage.placement.api.errors import Wording, Wordings, reworded
from moorage.placement.api.microversion import Version, for_version
from moorage.placement.api.query import parse_candidate_query
from moorage.placement.api.request import Request
from moorage.placement.api.schemas import candidates as schemas
from moorage.placement.api.validation import check_query
from moorage.placement.index.candidates import Candidate
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.search import search
from moorage.placement.ledger import Ledger
from moorage.placement.model.errors import ResourceClassNotFound, TraitNotFound
from moorage.placement.model.query import CandidateQuery

BY_PROVIDER: Version = (1, 12)
TRAITS_SHOWN: Version = (1, 17)
ALL_RESOURCES_SHOWN: Version = (1, 27)
TREES_SHOWN: Version = (1, 29)
MAPPINGS_SHOWN: Version = (1, 34)


def index(request: Request, ledger: Ledger) -> Answer:
    """GET /allocation_candidates"""
    check_query(request, for_version(schemas.LIST, request.version))
    query = parse_candidate_query(request.parameters, request.version)
    cloud = ledger.cloud()
    wordings: Wordings = {
        ResourceClassNotFound: Wording(
            HTTPStatus.BAD_REQUEST, "Invalid resource class in resources parameter: {error}"
        ),
        TraitNotFound: Wording(HTTPStatus.BAD_REQUEST),
    }
    with reworded(wordings):
        found = search(cloud, query, ledger.options.order)
    content = {
        "allocation_requests": [_render_request(cloud, candidate, request.version) for candidate in found],
        "provider_summaries": _render_summaries(cloud, query, found, request.version),
    }
    return json_answer(content, request.version)


def _render_request(cloud: Cloud, candidate: Candidate, version: Version) -> dict[str, Any]:
    by_provider: dict[str, dict[str, Any]] = {}
    for (provider_id, resource_class), amount in candidate.amounts.items():
        entry = by_provider.setdefault(cloud.nodes[provider_id].uuid, {"resources": {}})
        entry["resources"][resource_class] = amount
    if version < BY_PROVIDER:
        listed = [{"resource_provider": {"uuid": uuid}, **entry} for uuid, entry in by_provider.items()]
        return {"allocations": listed}
    rendered: dict[str, Any] = {"allocations": by_provider}
    if version >= MAPPINGS_SHOWN:
        rendered["mappings"] = {
            suffix: [cloud.nodes[provider_id].uuid for provider_id in sorted(provider_ids)]
            for suffix, provider_ids in candidate.mappings.items()
        }
    return rendered


def _render_summaries(
    cloud: Cloud, query: CandidateQuery, found: Sequence[Candidate], version: Version
) -> dict[str, dict[str, Any]]:
    """What there is to know of the providers: since 1.29 of all in the trees that resources come from."""
    provider_ids: set[int] = set().union(*(candidate.provider_ids for candidate in found))
    if query.nested:
        roots = {cloud.nodes[provider_id].root_id for provider_id in provider_ids}
        provider_ids = {node.id for root_id in roots for node in cloud.trees[root_id]}
    asked = {name for group in query.groups for name in group.resources}
    return {
        cloud.nodes[provider_id].uuid: _render_summary(cloud, provider_id, asked, version)
        for provider_id in sorted(provider_ids)
    }


def _render_summary(cloud: Cloud, provider_id: int, asked: Iterable[str], version: Version) -> dict[str, Any]:
    classes = cloud.classes_of.get(provider_id, [])
    if version < ALL_RESOURCES_SHOWN:
        classes = [name for name in classes if name in asked]
    shelves = {name: cloud.shelves[name][provider_id] for name in classes}
    summary: dict[str, Any] = {
        "resources": {name: {"capacity": shelf.capacity, "used": shelf.used} for name, shelf in shelves.items()}
    }
    if version >= TRAITS_SHOWN:
        summary["traits"] = sorted(cloud.traits_of(provider_id), key=cloud.known_traits.__getitem__)
    if version >= TREES_SHOWN:
        node = cloud.nodes[provider_id]
        summary["parent_provider_uuid"] = None if node.parent_id is None else cloud.nodes[node.parent_id].uuid
        summary["root_provider_uuid"] = cloud.nodes[node.root_id].uuid
    return summary
