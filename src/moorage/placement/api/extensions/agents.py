"""Signs of life of the agents that keep hosts true: what they tell, and which of them are late or fail."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from moorage.placement.api.answer import Answer, empty_answer, json_answer
from moorage.placement.api.errors import bad_request
from moorage.placement.api.request import Request
from moorage.placement.api.schemas import agents as schemas
from moorage.placement.api.validation import body_of, check_query
from moorage.placement.index.hosts_without_agent import hosts_without_agent
from moorage.placement.ledger import Ledger
from moorage.placement.model.agent import MOST_NAME, Outcome, SeenAgent, Sign, State
from moorage.placement.model.errors import AgentNotFound
from moorage.placement.store import agents, origins


def index(request: Request, ledger: Ledger) -> Answer:
    """GET /moorage/agents"""
    check_query(request.parameters, schemas.LIST)
    states = request.parameters.last("state")
    limit = request.parameters.last("limit")
    wanted = [State(name) for name in states.split(",")] if states else list(State)
    counts, seen = ledger.read(agents.overview, int(time.time()), wanted, int(limit) if limit else None)
    kept = ledger.read(origins.kept_providers)
    content = {
        "counts": {state.value: count for state, count in counts.items()},
        "kept_providers": len(kept),
        "hosts_without_agent": hosts_without_agent(ledger.cloud(), kept),
        "agents": [_rendered(agent) for agent in seen],
    }
    return json_answer(content, request.version)


def tell(request: Request, ledger: Ledger) -> Answer:
    """PUT /moorage/agents/{agent}"""
    name = request.path["agent"]
    if not 1 <= len(name) <= MOST_NAME:
        raise bad_request(f"The name of an agent has at least 1 and at most {MOST_NAME} characters.")
    body = body_of(request)
    ledger.keep_sign(
        Sign(
            name=name,
            version=body["version"],
            interval=body["interval"],
            outcome=Outcome(body["outcome"]),
            reason=body.get("reason"),
            providers=body.get("providers"),
        )
    )
    return empty_answer()


def forget(request: Request, ledger: Ledger) -> Answer:
    """DELETE /moorage/agents/{agent}"""
    if not ledger.forget_agent(request.path["agent"]):
        raise AgentNotFound(request.path["agent"])
    return empty_answer()


def _rendered(agent: SeenAgent) -> dict[str, Any]:
    sign = agent.sign
    return {
        "name": sign.name,
        "state": agent.state.value,
        "version": sign.version,
        "interval": sign.interval,
        "outcome": sign.outcome.value,
        "reason": sign.reason,
        "providers": sign.providers,
        "seen_at": datetime.fromtimestamp(agent.seen_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "age_seconds": agent.age_seconds,
    }
