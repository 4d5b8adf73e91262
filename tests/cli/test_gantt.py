"""Charts of time in text."""

from __future__ import annotations

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from moorage.cli.gantt import Axis, Span, bar, chart, curve

NOON = datetime(2030, 1, 1, 12)  # noqa: DTZ001 - UTC without a zone
HOUR = timedelta(hours=1)
DAY = Axis(NOON, NOON + 24 * HOUR, 24)


def span(start: float, end: float, amount: int = 1) -> Span:
    return Span(NOON + start * HOUR, NOON + end * HOUR, amount)


def test_a_bar_is_there_while_something_lasts() -> None:
    assert bar(DAY, [span(2, 5), span(22.5, 30)]) == "··███·················██"


def test_a_curve_has_the_least_of_each_column() -> None:
    stretches = [span(0, 6, 8), span(6, 12.5, 4), span(12.5, 13, 0), span(13, 24, 1)]
    assert curve(DAY, stretches, 8) == "██████▄▄▄▄▄▄·▁▁▁▁▁▁▁▁▁▁▁"


def test_a_chart_has_labels_of_one_width_and_times_below() -> None:
    lines = chart(DAY, [("free", "x" * 24), ("a lease with a name that is far too long", "y" * 24)])
    assert lines[1].startswith("a lease with a name tha… y")
    assert lines[2] == f"{'':25}|01 12:00 |01 22:00"
    month = Axis(NOON, NOON + timedelta(days=30), 30)
    assert chart(month, [("free", "")])[1] == "     |01-01 |01-08 |01-15 |01-22"


@given(st.integers(0, 100), st.integers(1, 100), st.integers(1, 60))
def test_whatever_lasts_is_seen(start: int, length: int, columns: int) -> None:
    axis = Axis(NOON, NOON + 200 * HOUR, columns)
    line = bar(axis, [span(start, start + length)])
    assert len(line) == columns
    assert "█" in line
