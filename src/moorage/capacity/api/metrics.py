"""The figures of the last capacity report, for Prometheus: the same from every worker."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus

from prometheus_client import CollectorRegistry, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from moorage.capacity.api.policies import GET_METRICS
from moorage.capacity.cloud_capacity import last_figures
from moorage.capacity.figure_metrics import figure_metrics
from moorage.capacity.figures import Figures
from moorage.capacity.liquid import Liquid
from moorage.web.answer import Answer
from moorage.web.errors import HttpError, forbidden
from moorage.web.request import Request


def show(request: Request, liquid: Liquid) -> Answer:
    """GET /metrics"""
    if not liquid.has_open_metrics:
        if request.caller is None:
            raise HttpError(HTTPStatus.UNAUTHORIZED, "The request you have made requires authentication.")
        if not liquid.allows(request.caller, GET_METRICS, None):
            raise forbidden(f"Policy doesn't allow {GET_METRICS} to be performed.")
    registry = CollectorRegistry()
    registry.register(_Report(last_figures(liquid.database)))
    return Answer(HTTPStatus.OK, generate_latest(registry), headers={"content-type": CONTENT_TYPE_LATEST})


class _Report(Collector):
    """Hands the figures of a report to the library."""

    def __init__(self, figures: Figures | None) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        """Every family."""
        yield from figure_metrics(self._figures)
