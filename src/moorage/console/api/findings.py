"""What does not agree in the cloud: servers with allocations, leases with what they made."""

from __future__ import annotations

from moorage.console.context import Console
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def index(_request: Request, console: Console) -> Answer:
    """GET /findings"""
    return json_answer({"findings": {name: audit() for name, audit in console.audits.items()}})
