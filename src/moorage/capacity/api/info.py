"""What the service says about itself."""

from __future__ import annotations

from moorage.capacity.liquid import Liquid
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def show(_request: Request, liquid: Liquid) -> Answer:
    """GET /v1/info"""
    return json_answer(liquid.declarations.current().info)
