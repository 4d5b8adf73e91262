"""The figures of a capacity report in the form of Prometheus's library, which knows how they are written."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily

from moorage.capacity.figures import FAMILIES, Figures

_PREFIX = "moorage_capacity"


def figure_metrics(figures: Figures | None) -> Iterator[Metric]:
    """Every family, also those that have no figures yet."""
    made = GaugeMetricFamily(f"{_PREFIX}_report_timestamp_seconds", "When the last capacity report was made.")
    if figures is not None:
        made.add_metric([], figures.made_at)
    yield made
    for name, (meaning, labels) in FAMILIES.items():
        family = GaugeMetricFamily(_PREFIX if name == "capacity" else f"{_PREFIX}_{name}", meaning, labels=labels)
        for figure in figures.figures if figures else ():
            if figure.name == name:
                family.add_metric(figure.labels, figure.value)
        yield family
