"""Finding a place and taking it, in one call.

A scheduler that asks for candidates and then claims one races with all the others and loses some of the races. Here
the race is run inside: candidates are tried one after the other until the database lets one through.
"""

from __future__ import annotations

import uuid as uuidlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

import numpy as np

from moorage.placement.api.allocations import WRITE_WORDINGS
from moorage.placement.api.answer import Answer, json_answer
from moorage.placement.api.candidates import parse_index, reworded_search
from moorage.placement.api.errors import CONCURRENT_UPDATE, ApiError, Wording, bad_request, reworded
from moorage.placement.api.request import Parameters, Request
from moorage.placement.api.validation import body_of, canonical_uuid
from moorage.placement.index.candidates import Choice
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.columns import Slots
from moorage.placement.index.matching import Part
from moorage.placement.index.ranking import Strategy, ranked
from moorage.placement.index.search import search
from moorage.placement.ledger import Ledger
from moorage.placement.model.allocation import Claim
from moorage.placement.model.errors import InvalidInventory, NotFound, UnknownAllocationProvider
from moorage.placement.model.query import CandidateQuery

# How many candidates, each of another tree if there are enough, are tried before the cloud is looked at again.
_TRIES = 16
_LOOKS = 3

_NOTHING_FITS = (
    "No candidate fits the request. GET /moorage/allocation_candidates/explain with the same query says why."
)


def create(request: Request, ledger: Ledger) -> Answer:
    """POST /moorage/claims"""
    body = body_of(request)
    query = _query(request, body["query"])
    strategy = Strategy(body.get("strategy", Strategy.SPREAD.value))
    consumer_uuid = canonical_uuid(body["consumer_uuid"]) if "consumer_uuid" in body else str(uuidlib.uuid4())
    attempts = 0
    for _ in range(_LOOKS):
        cloud = ledger.cloud()
        parts, choices = _best(cloud, query, strategy, ledger)
        if not choices:
            raise ApiError(HTTPStatus.CONFLICT, _NOTHING_FITS)
        for choice in choices:
            attempts += 1
            amounts = _amounts(cloud, parts, choice)
            claim = Claim(
                consumer_uuid=consumer_uuid,
                project_id=body["project_id"],
                user_id=body["user_id"],
                consumer_type=body["consumer_type"],
                generation=body.get("consumer_generation"),
                amounts=amounts,
            )
            if _won(ledger, claim):
                content = {
                    "consumer_uuid": consumer_uuid,
                    "allocations": {uuid: {"resources": resources} for uuid, resources in amounts.items()},
                    "mappings": _mappings(cloud, parts, choice),
                    "roots": _roots(cloud, choice),
                    "attempts": attempts,
                }
                return json_answer(content, request.version)
    raise ApiError(
        HTTPStatus.CONFLICT,
        f"Others were faster: {attempts} candidates that fitted the request were tried, and each was taken by then. "
        "Ask again.",
        CONCURRENT_UPDATE,
    )


def _query(request: Request, text: str) -> CandidateQuery:
    try:
        pairs = tuple(parse_qsl(text.removeprefix("?"), keep_blank_values=True, errors="strict"))
    except (UnicodeError, ValueError) as error:
        raise bad_request(f"Invalid query string parameters: {error}") from error
    return parse_index(Request(request.version, Parameters(pairs), request.path, b"", request.prefix))


def _best(
    cloud: Cloud, query: CandidateQuery, strategy: Strategy, ledger: Ledger
) -> tuple[Sequence[Part], Sequence[Choice]]:
    """The candidates to try, the best first."""
    classes = {name for group in query.groups for name in group.resources}

    def arrange(anchors: Slots) -> Slots:
        return ranked(cloud, anchors, classes, strategy, np.random.default_rng())

    # Limits, the query's and the operator's, are about how many to show.
    wanted, order = replace(query, limit=_TRIES), replace(ledger.options.order, most=None)
    with reworded_search():
        found = search(cloud, wanted, order, arrange)
    return found.parts, found.choices


def _won(ledger: Ledger, claim: Claim) -> bool:
    """Claim a candidate; whether it still was as free as the index said."""
    try:
        with reworded({**WRITE_WORDINGS, NotFound: Wording(HTTPStatus.BAD_REQUEST)}):
            ledger.claim(claim)
    except ApiError as error:
        if isinstance(error.__cause__, InvalidInventory | UnknownAllocationProvider):
            return False
        raise
    return True


def _amounts(cloud: Cloud, parts: Sequence[Part], choice: Choice) -> dict[str, dict[str, int]]:
    amounts: dict[str, dict[str, int]] = {}
    for part, slot in zip(parts, choice, strict=True):
        for name, amount in part.resources.items():
            provider = amounts.setdefault(cloud.record(slot).provider.uuid, {})
            provider[name] = provider.get(name, 0) + amount
    return amounts


def _roots(cloud: Cloud, choice: Choice) -> Mapping[str, str]:
    """The names of the trees' roots, by UUID: who claims a place wants to know what the host is called."""
    roots = {int(cloud.topology.roots[slot]) for slot in choice}
    return {record.provider.uuid: record.provider.name for record in cloud.records_at(sorted(roots))}


def _mappings(cloud: Cloud, parts: Sequence[Part], choice: Choice) -> Mapping[str, list[str]]:
    mappings: dict[str, list[str]] = {}
    for part, slot in zip(parts, choice, strict=True):
        serving: list[Any] = mappings.setdefault(part.group.suffix, [])
        uuid = cloud.record(slot).provider.uuid
        if uuid not in serving:
            serving.append(uuid)
    return mappings
