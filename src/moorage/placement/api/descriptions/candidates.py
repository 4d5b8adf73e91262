"""The ways to place a request, and why there are none."""

from __future__ import annotations

from http import HTTPStatus

from moorage.placement.api.descriptions.common import (
    MAPPINGS,
    NAME,
    RESOURCES,
    UUID_OR_NULL,
    Operations,
    by_name,
    by_uuid,
)
from moorage.placement.api.descriptions.conditions import OF_CANDIDATES
from moorage.placement.api.schemas.common import TEXT, UUID
from moorage.web.description import Described, reference
from moorage.web.schema import Definition
from moorage.web.shapes import COUNT, listed, record

# The suffix of a group; null for what concerns the whole request.
_GROUP: Definition = {"type": ["string", "null"]}

SCHEMAS: dict[str, Definition] = {
    "Candidate": record({"allocations": by_uuid(record({"resources": RESOURCES})), "mappings": MAPPINGS}),
    "ProviderSummary": record(
        {
            "resources": by_name(record({"capacity": COUNT, "used": COUNT})),
            "traits": listed(NAME),
            "parent_provider_uuid": UUID_OR_NULL,
            "root_provider_uuid": UUID,
        }
    ),
    "FunnelStep": record({"group": _GROUP, "condition": TEXT, "roots": COUNT, "providers": COUNT}),
}

_CANDIDATES = record(
    {
        "allocation_requests": listed(reference("Candidate")),
        "provider_summaries": by_uuid(reference("ProviderSummary")),
    }
)
_EXPLANATION = record(
    {
        "has_candidates": {"type": "boolean"},
        "funnel": listed(reference("FunnelStep")),
        "blocked_by": {"anyOf": [reference("FunnelStep"), {"type": "null"}]},
        "examples": listed(TEXT),
        "relaxations": listed(record({"group": _GROUP, "change": TEXT})),
    }
)


def _search(summary: str, answer: Definition) -> Described:
    return Described(
        summary=summary, query=OF_CANDIDATES, ignores_other_parameters=False, answers={HTTPStatus.OK: answer}
    )


OPERATIONS: Operations = {
    ("GET", "/allocation_candidates"): _search("List the ways to place a request", _CANDIDATES),
    ("GET", "/moorage/allocation_candidates/explain"): _search(
        "Tell step by step why a request finds candidates, or none", _EXPLANATION
    ),
}
