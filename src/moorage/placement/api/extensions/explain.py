"""Why a request finds candidates, or none."""

from __future__ import annotations

from moorage.placement.api.answer import Answer, json_answer
from moorage.placement.api.candidates import parse_index, reworded_search
from moorage.placement.api.request import Request
from moorage.placement.index.explain import Step, explain
from moorage.placement.ledger import Ledger


def index(request: Request, ledger: Ledger) -> Answer:
    """GET /moorage/allocation_candidates/explain"""
    query = parse_index(request)
    with reworded_search():
        story = explain(ledger.cloud(), query)
    content = {
        "has_candidates": story.blocked_by is None,
        "funnel": [_render(step) for step in story.steps],
        "blocked_by": None if story.blocked_by is None else _render(story.blocked_by),
        "examples": story.examples,
        "relaxations": [{"group": item.group, "change": item.change} for item in story.relaxations],
    }
    return json_answer(content, request.version)


def _render(step: Step) -> dict[str, object]:
    return {"group": step.group, "condition": step.condition, "roots": step.roots, "providers": step.providers}
