"""The whole LIQUID API on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moorage.capacity.api import capacity, commitments, info, metrics, policies, projects, schemas
from moorage.capacity.liquid import Liquid
from moorage.web.application import Operation, Routes

if TYPE_CHECKING:
    Op = Operation[Liquid]
else:
    Op = Operation  # a parametrised class would note itself down on what it makes, which is frozen

# fmt: off
ROUTES: Routes[Liquid] = {
    "/v1/info": {"GET": (Op(handler=info.show, rule=policies.GET_INFO),)},
    "/v1/report-capacity": {
        "POST": (
            Op(handler=capacity.report, rule=policies.GET_CAPACITY, schema=schemas.CAPACITY, may_lack_body=True),
        ),
    },
    "/v1/projects/{project_id}/report-usage": {
        "POST": (
            Op(handler=projects.usage, rule=policies.GET_USAGE, project_in_path="project_id", schema=schemas.USAGE),
        ),
    },
    "/v1/projects/{project_id}/quota": {
        "PUT": (
            Op(handler=projects.quota, rule=policies.SET_QUOTA, project_in_path="project_id", schema=schemas.QUOTA),
        ),
    },
    "/v1/change-commitments": {
        "POST": (Op(handler=commitments.change, rule=policies.CHANGE_COMMITMENTS, schema=schemas.COMMITMENTS),),
    },
    # For Prometheus. Whether a credential is needed is a setting, so the handler asks for it.
    "/metrics": {"GET": (Op(handler=metrics.show, rule=None),)},
}
# fmt: on
