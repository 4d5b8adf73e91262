"""How hosts are kept apart: what of `[scheduler]` others must know to set hosts aside, as reservations do.

Moorage's own.
"""

from __future__ import annotations

from moorage.compute.context import Compute
from moorage.compute.placing.settings import placing_settings
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def index(_request: Request, compute: Compute) -> Answer:
    """GET /moorage/scheduling"""
    settings = placing_settings(compute.settings)
    return json_answer(
        {
            "required_member_prefix": settings.required_member_prefix,
            "forbidden_member_prefixes": list(settings.default_forbidden_member_prefixes),
            "isolates_aggregates": settings.isolate_aggregates,
        }
    )
