"""What single projects use and may use."""

from __future__ import annotations

from moorage.capacity.api.policies import GET_USAGE, SET_QUOTA
from moorage.capacity.liquid import Liquid
from moorage.capacity.project_quota import set_quota
from moorage.capacity.project_usage import report_usage
from moorage.capacity.protocol.requests import quota_request, usage_request
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.errors import forbidden
from moorage.web.request import Request


def usage(request: Request, liquid: Liquid) -> Answer:
    """POST /v1/projects/{project_id}/report-usage"""
    project_id = _project(request, liquid, GET_USAGE)
    wanted = usage_request(request.content)
    with liquid.turns:
        return json_answer(report_usage(liquid, project_id, wanted))


def quota(request: Request, liquid: Liquid) -> Answer:
    """PUT /v1/projects/{project_id}/quota"""
    project_id = _project(request, liquid, SET_QUOTA)
    wanted = quota_request(request.content)
    with liquid.turns:
        set_quota(liquid, project_id, wanted)
    return empty_answer()


def _project(request: Request, liquid: Liquid, rule: str) -> str:
    """The project in question, if the policy lets the caller do this there."""
    project_id = request.path["project_id"]
    if not liquid.allows(request.known_caller, rule, project_id):
        raise forbidden(f"Policy doesn't allow {rule} to be performed.")
    return project_id
