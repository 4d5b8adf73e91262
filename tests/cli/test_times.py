"""Dates and durations as people type them."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from moorage.cli import times
from moorage.service.errors import OperatorError


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("90m", timedelta(minutes=90)),
        ("2h", timedelta(hours=2)),
        ("1d12h", timedelta(hours=36)),
        ("2w", timedelta(days=14)),
    ],
)
def test_durations(text: str, found: timedelta) -> None:
    assert times.duration(text) == found


@pytest.mark.parametrize("text", ["", "2", "h", "2y", "2h 3m", "-2h", "0h", "2hh", "1.5h"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(OperatorError):
        times.duration(text)


def test_dates() -> None:
    evening = datetime(2030, 1, 31, 18)  # noqa: DTZ001 - UTC without a zone
    assert times.date("2030-01-31 18:00") == times.date("2030-01-31T18:00") == evening
    assert times.date("2030-01-31") == evening - timedelta(hours=18)
    assert times.date("+2h") - times.date("now") in (timedelta(hours=2), timedelta(hours=2, minutes=1))
    assert times.date("tomorrow") in (_midnight(times.date("+1d")), _midnight(times.date("+1m") + timedelta(days=1)))
    assert times.received("2030-01-31T18:00:00.000000") == evening
    assert times.sent(evening) == "2030-01-31 18:00"


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0)


@pytest.mark.parametrize("text", ["", "yesterday", "2030-02-30", "18:00", "+", "2030-01-31 18:00+02:00"])
def test_what_is_no_date(text: str) -> None:
    with pytest.raises(OperatorError):
        times.date(text)


def test_the_end_of_time_is_told() -> None:
    with pytest.raises(OperatorError, match="later than any date"):
        times.later(times.date("9999-12-31"), timedelta(days=2))
