"""What single projects use and may use."""

from __future__ import annotations

from moorage.capacity.liquid import Liquid
from moorage.capacity.project_quota import set_quota
from moorage.capacity.project_usage import report_usage
from moorage.capacity.protocol.requests import quota_request, usage_request
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.request import Request


def usage(request: Request, liquid: Liquid) -> Answer:
    """POST /v1/projects/{project_id}/report-usage"""
    wanted = usage_request(request.content)
    with liquid.turns:
        return json_answer(report_usage(liquid, request.path["project_id"], wanted))


def quota(request: Request, liquid: Liquid) -> Answer:
    """PUT /v1/projects/{project_id}/quota"""
    wanted = quota_request(request.content)
    with liquid.turns:
        set_quota(liquid, request.path["project_id"], wanted)
    return empty_answer()
