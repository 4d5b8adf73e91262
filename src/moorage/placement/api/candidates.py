"""Allocation candidates.

An answer may name ten thousand hosts, so it is put together from pieces of text: one template for all candidates
whose parts fall together in the same way, and for each provider a summary that is kept as long as nothing changes it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from http import HTTPStatus
from operator import itemgetter
from typing import Any

import msgspec
import numpy as np

from moorage.placement.api.answer import Answer, cache_headers
from moorage.placement.api.errors import Wording, Wordings, reworded
from moorage.placement.api.microversion import for_version
from moorage.placement.api.query import parse_candidate_query
from moorage.placement.api.request import Parameters, Request
from moorage.placement.api.schemas import candidates as schemas
from moorage.placement.api.validation import check_query
from moorage.placement.index.candidates import Candidates
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.matching import Part
from moorage.placement.index.records import Record
from moorage.placement.index.search import search
from moorage.placement.ledger import Ledger
from moorage.placement.model.errors import ResourceClassNotFound, TraitNotFound
from moorage.placement.model.query import CandidateQuery
from moorage.web.versions import Version

BY_PROVIDER: Version = (1, 12)
TRAITS_SHOWN: Version = (1, 17)
ALL_RESOURCES_SHOWN: Version = (1, 27)
TREES_SHOWN: Version = (1, 29)
MAPPINGS_SHOWN: Version = (1, 34)

_REMEMBERED_QUERIES = 256
# Longer ones are not remembered: nobody asks them again and again, and they would take memory for good.
_REMEMBERED_CHARACTERS = 4096

_WORDINGS: Wordings = {
    ResourceClassNotFound: Wording(HTTPStatus.BAD_REQUEST, "Invalid resource class in resources parameter: {error}"),
    TraitNotFound: Wording(HTTPStatus.BAD_REQUEST),
}


def parse_index(request: Request) -> CandidateQuery:
    """The query of a request for candidates, checked."""
    parameters = request.parameters
    short = sum(len(name) + len(value) for name, value in parameters.pairs) <= _REMEMBERED_CHARACTERS
    return (_remembered if short else _parsed)(parameters, request.version)


def _parsed(parameters: Parameters, version: Version) -> CandidateQuery:
    check_query(parameters, for_version(schemas.LIST, version))
    return parse_candidate_query(parameters, version)


# A scheduler asks the same for every server of a flavor.
_remembered = lru_cache(maxsize=_REMEMBERED_QUERIES)(_parsed)


def reworded_search() -> AbstractContextManager[None]:
    """Around a search: tell its refusals in the API's words."""
    return reworded(_WORDINGS)


def index(request: Request, ledger: Ledger) -> Answer:
    """GET /allocation_candidates"""
    query = parse_index(request)
    cloud = ledger.cloud()
    with reworded_search():
        found = search(cloud, query, ledger.options.order)
    requests = ",".join(_render_requests(cloud, found, request.version)).encode()
    summaries = b",".join(_render_summaries(cloud, query, found, request.version))
    # Most of a large answer is summaries: they are kept as bytes and copied once.
    body = b"".join((b'{"allocation_requests":[', requests, b'],"provider_summaries":{', summaries, b"}}"))
    return Answer(HTTPStatus.OK, body, headers=cache_headers(request.version, None))


# --- allocation requests


def _render_requests(cloud: Cloud, found: Candidates, version: Version) -> Iterable[str]:
    if found.alone and found.choices:
        # One template for all, with the same UUID in every place.
        pieces = _Template(found.parts, (0,) * len(found.parts), version).text.split("%s")
        return [record.provider.uuid.join(pieces) for record in cloud.records_at(found.first_slots())]
    return _render_various(cloud, found, version)


def _render_various(cloud: Cloud, found: Candidates, version: Version) -> Iterable[str]:
    templates: dict[tuple[int, ...], _Template] = {}
    slots = set().union(*found.choices)
    uuids = {slot: record.provider.uuid for slot, record in zip(slots, cloud.records_at(slots), strict=True)}
    for choice in found.choices:
        # Which parts fall on the same provider: (0, 0, 2) says the first two on one, the third on another.
        pattern = tuple(map(choice.index, choice))
        template = templates.get(pattern)
        if template is None:
            template = templates[pattern] = _Template(found.parts, pattern, version)
        yield template.fill([uuids[slot] for slot in choice])


class _Template:
    """A candidate with places for the UUIDs of its providers."""

    def __init__(self, parts: Sequence[Part], pattern: tuple[int, ...], version: Version) -> None:
        # For each place in the text: the part whose provider's UUID belongs there.
        self.parts: list[int] = []
        amounts: dict[int, dict[str, int]] = {}
        mappings: dict[str, list[int]] = {}
        for part, first in zip(parts, pattern, strict=True):
            for name, amount in part.resources.items():
                provider = amounts.setdefault(first, {})
                provider[name] = provider.get(name, 0) + amount
            serving = mappings.setdefault(part.group.suffix, [])
            if first not in serving:
                serving.append(first)
        self.text = self._allocations(amounts, version)
        if version >= MAPPINGS_SHOWN:
            listed = ",".join(f'"{suffix}":[{self._uuids(serving)}]' for suffix, serving in mappings.items())
            self.text += f',"mappings":{{{listed}}}'
        self.text = f"{{{self.text}}}"
        self._pick = itemgetter(*self.parts)  # of one place the value itself, which % takes as well

    def fill(self, uuids: Sequence[str]) -> str:
        """The candidate in which these providers serve the parts."""
        text: str = self.text % self._pick(uuids)
        return text

    def _allocations(self, amounts: dict[int, dict[str, int]], version: Version) -> str:
        rendered = {first: msgspec.json.encode(resources).decode() for first, resources in amounts.items()}
        if version >= BY_PROVIDER:
            items = [f'{self._uuids([first])}:{{"resources":{text}}}' for first, text in rendered.items()]
            return f'"allocations":{{{",".join(items)}}}'
        items = [
            f'{{"resource_provider":{{"uuid":{self._uuids([first])}}},"resources":{text}}}'
            for first, text in rendered.items()
        ]
        return f'"allocations":[{",".join(items)}]'

    def _uuids(self, parts: Sequence[int]) -> str:
        self.parts += parts
        return ",".join(['"%s"'] * len(parts))


# --- provider summaries


def _render_summaries(cloud: Cloud, query: CandidateQuery, found: Candidates, version: Version) -> list[bytes]:
    """The providers that resources come from, and since 1.29 all others in their trees."""
    if found.alone:
        records = cloud.records_at(found.first_slots())
    elif query.nested and cloud.topology.has_trees:
        roots = np.unique(cloud.topology.roots[list(found.used_slots())]).tolist()
        heads = zip(roots, cloud.records_at(roots), strict=True)
        return [head.fragments.get("tree") or _kept_tree(cloud, root, head) for root, head in heads]
    else:
        records = cloud.records_at(sorted(found.used_slots()))
    if version >= TREES_SHOWN:
        return list(map(_summary, records))
    asked = {name for group in query.groups for name in group.resources}
    return [_render_summary(record, version, asked) for record in records]


def _kept_tree(cloud: Cloud, root: int, head: Record) -> bytes:
    members = cloud.records_at(cloud.topology.tree(root).tolist())
    text = head.fragments["tree"] = b",".join(map(_summary, members))
    return text


def _summary(record: Record) -> bytes:
    return record.fragments.get("summary") or _kept_summary(record)


def _kept_summary(record: Record) -> bytes:
    text = record.fragments["summary"] = _render_summary(record, TREES_SHOWN, ())
    return text


def _render_summary(record: Record, version: Version, asked: Collection[str]) -> bytes:
    summary: dict[str, Any] = {
        "resources": {
            name: {"capacity": stock.inventory.capacity, "used": stock.used}
            for name, stock in record.stocks.items()
            if version >= ALL_RESOURCES_SHOWN or name in asked
        }
    }
    if version >= TRAITS_SHOWN:
        summary["traits"] = record.traits
    if version >= TREES_SHOWN:
        summary["parent_provider_uuid"] = record.provider.parent_uuid
        summary["root_provider_uuid"] = record.provider.root_uuid
    return b'"%s":%s' % (record.provider.uuid.encode(), msgspec.json.encode(summary))
