"""The whole cloud at a glance, in columns."""

from __future__ import annotations

from moorage.placement.api.answer import Answer, json_answer
from moorage.placement.api.request import Request
from moorage.placement.api.schemas import fleet as schemas
from moorage.placement.api.validation import check_query
from moorage.placement.index.fleet import fleet
from moorage.placement.ledger import Ledger


def show(request: Request, ledger: Ledger) -> Answer:
    """GET /moorage/fleet"""
    check_query(request.parameters, schemas.SHOW)
    found = fleet(ledger.cloud())
    content = {
        "trees": {
            "uuid": found.uuid,
            "name": found.name,
            "providers": found.providers,
            "traits": found.traits,
            "aggregates": found.aggregates,
        },
        "trait_sets": found.trait_sets,
        "aggregate_sets": found.aggregate_sets,
        "resources": found.stocks,
    }
    return json_answer(content, request.version)
