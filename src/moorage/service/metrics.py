"""`/metrics`, for Prometheus: what the workers have counted, and how the cloud is now.

Counters come from all workers (see `worker_meters`), the rest is read when it is asked for (see `cloud_metrics`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from oslo_config import cfg
from oslo_policy import policy
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from moorage.service.authentication import authenticated
from moorage.service.cloud_metrics import CloudNow, Watched
from moorage.service.mounting import json_answer
from moorage.service.policy import Guard
from moorage.service.worker_meters import counted_registry
from moorage.web.caller import CALLER

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

RULE = "moorage:metrics:show"
RULES = (policy.RuleDefault(RULE, "role:admin or role:service or role:reader", "GET /metrics"),)


def metrics_application(settings: cfg.ConfigOpts, watched: Watched) -> WSGIApplication:
    """The metrics, for those whom the policy lets see them; for everybody with `[api] open_metrics`."""
    guard = Guard(settings, RULES)

    def show(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not settings.api.open_metrics and not guard.allows(environ[CALLER], RULE, None):
            return json_answer(start_response, "403 Forbidden", {"message": f"Policy doesn't allow {RULE}."})
        registry = counted_registry()
        registry.register(CloudNow(watched))
        body = generate_latest(registry)
        headers = [("content-type", CONTENT_TYPE_LATEST), ("content-length", str(len(body)))]
        start_response("200 OK", headers)
        return [body]

    if settings.api.open_metrics:
        return show
    guarded = authenticated(show, settings, watched.database)

    def never_open(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        # Roots of applications are open to everybody, which this one must not be.
        environ["SCRIPT_NAME"], environ["PATH_INFO"] = "", "/metrics"
        return guarded(environ, start_response)

    return never_open
