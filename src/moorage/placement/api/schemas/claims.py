"""Schemas of claims in one call."""

from __future__ import annotations

from moorage.placement.api.schemas.common import CONSUMER_TYPE, OWNER, UUID, Schema, object_of
from moorage.placement.index.ranking import Strategy

CREATE = Schema(
    object_of(
        {
            "query": {"type": "string"},
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
