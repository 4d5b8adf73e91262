"""Who may do what by default: LIQUID's rule names, for oslo.policy; administrators alone."""

from __future__ import annotations

from oslo_policy import policy

from moorage.web.policies import ADMINISTRATORS, CONTEXT_IS_ADMIN, RuledRoutes, documented, guarding

GET_INFO = "liquid:get_info"
GET_CAPACITY = "liquid:get_capacity"
GET_USAGE = "liquid:get_usage"
SET_QUOTA = "liquid:set_quota"
CHANGE_COMMITMENTS = "liquid:change_commitments"
GET_METRICS = "liquid:get_metrics"


def rules(routes: RuledRoutes) -> list[policy.RuleDefault]:
    """All rules, for the operations of the route table and for the metrics, whose handler asks by itself."""
    return [
        CONTEXT_IS_ADMIN,
        *guarding(routes, lambda _: ADMINISTRATORS),
        documented(GET_METRICS, ADMINISTRATORS, [("GET", "/metrics")]),
    ]
