"""How much of everything there is in the cloud."""

from __future__ import annotations

from moorage.capacity.cloud_capacity import report_cloud
from moorage.capacity.liquid import Liquid
from moorage.capacity.protocol.requests import capacity_request
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def report(request: Request, liquid: Liquid) -> Answer:
    """POST /v1/report-capacity"""
    wanted = capacity_request(request.content)
    with liquid.turns:
        return json_answer(report_cloud(liquid, wanted))
