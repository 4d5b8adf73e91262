"""Schemas of claims in one call."""

from __future__ import annotations

from moorage.placement.api.schemas.common import CONSUMER_TYPE, OWNER, UUID, object_of
from moorage.placement.index.ranking import Strategy
from moorage.web.schema import Schema

# As long as servers let the query string of a GET be.
LONGEST_QUERY = 65536

CREATE = Schema(
    object_of(
        {
            "query": {"type": "string", "maxLength": LONGEST_QUERY},
            "strategy": {"type": "string", "enum": [strategy.value for strategy in Strategy]},
            "consumer_uuid": UUID,
            "consumer_generation": {"type": ["integer", "null"]},
            "consumer_type": {"type": "string", "pattern": CONSUMER_TYPE, "minLength": 1, "maxLength": 255},
            "project_id": OWNER,
            "user_id": OWNER,
        },
        required=("query", "project_id", "user_id", "consumer_type"),
    )
)
