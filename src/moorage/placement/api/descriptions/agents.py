"""Signs of life of the agents that keep hosts true."""

from __future__ import annotations

from http import HTTPStatus

from moorage.placement.api.descriptions.common import Operations
from moorage.placement.api.schemas.agents import LIST, NAME, SIGN
from moorage.placement.model.agent import State
from moorage.web.description import Described, reference
from moorage.web.schema import Definition
from moorage.web.shapes import COUNT, listed, record

SCHEMAS: dict[str, Definition] = {
    "Agent": record(
        {
            "name": NAME,
            "state": {"type": "string", "enum": [state.value for state in State]},
            **SIGN,
            "seen_at": {"type": "string", "format": "date-time"},
            "age_seconds": COUNT,
        }
    ),
}

OPERATIONS: Operations = {
    ("GET", "/moorage/agents"): Described(
        summary="List agents as they last told, the most urgent first",
        query={
            "state": {**LIST.definition["properties"]["state"], "description": "Those in these states alone."},
            "limit": {**LIST.definition["properties"]["limit"], "description": "So many at most."},
        },
        ignores_other_parameters=False,
        answers={
            HTTPStatus.OK: record(
                {
                    "counts": record({state.value: COUNT for state in State}),
                    "kept_providers": COUNT,
                    "hosts_without_agent": COUNT,
                    "agents": listed(reference("Agent")),
                }
            )
        },
    ),
    ("PUT", "/moorage/agents/{agent}"): Described(
        summary="Leave a sign of life of an agent", answers={HTTPStatus.NO_CONTENT: None}
    ),
    ("DELETE", "/moorage/agents/{agent}"): Described(summary="Forget an agent", answers={HTTPStatus.NO_CONTENT: None}),
}
