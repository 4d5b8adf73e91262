"""The figures of the last capacity report, for Prometheus: the same from every worker."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus

from prometheus_client import CollectorRegistry, Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from moorage.capacity.api.policies import GET_METRICS
from moorage.capacity.cloud_capacity import last_figures
from moorage.capacity.figures import FAMILIES, Figures
from moorage.capacity.liquid import Liquid
from moorage.web.answer import Answer
from moorage.web.errors import HttpError, forbidden
from moorage.web.request import Request

_PREFIX = "moorage_capacity"


def show(request: Request, liquid: Liquid) -> Answer:
    """GET /metrics"""
    if not liquid.has_open_metrics:
        if request.caller is None:
            raise HttpError(HTTPStatus.UNAUTHORIZED, "The request you have made requires authentication.")
        if not liquid.allows(request.caller, GET_METRICS, None):
            raise forbidden(f"Policy doesn't allow {GET_METRICS} to be performed.")
    registry = CollectorRegistry()
    registry.register(_Report(last_figures(liquid)))
    return Answer(HTTPStatus.OK, generate_latest(registry), headers={"content-type": CONTENT_TYPE_LATEST})


class _Report(Collector):
    """Hands the figures of a report to the library, which knows how they are written."""

    def __init__(self, figures: Figures | None) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        """Every family, also those that have no figures yet."""
        made = GaugeMetricFamily(f"{_PREFIX}_report_timestamp_seconds", "When the last capacity report was made.")
        if self._figures is not None:
            made.add_metric([], self._figures.made_at)
        yield made
        for name, (meaning, labels) in FAMILIES.items():
            family = GaugeMetricFamily(_PREFIX if name == "capacity" else f"{_PREFIX}_{name}", meaning, labels=labels)
            for figure in self._figures.figures if self._figures else ():
                if figure.name == name:
                    family.add_metric(figure.labels, figure.value)
            yield family
