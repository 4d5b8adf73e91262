"""A chart of time in text: bars for what lasts from when to when, and a curve for how much there is. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

_HEIGHTS = " ▁▂▃▄▅▆▇█"
_WIDEST_LABEL = 24


@dataclass(frozen=True, slots=True)
class Axis:
    """From `start` to `end` in so many columns."""

    start: datetime
    end: datetime
    columns: int

    def period(self, column: int) -> tuple[datetime, datetime]:
        """The time that a column stands for."""
        step = (self.end - self.start) / self.columns
        return self.start + column * step, self.start + (column + 1) * step


@dataclass(frozen=True, slots=True)
class Span:
    """Something that lasts, from `start` to `end`, and how much of it."""

    start: datetime
    end: datetime
    amount: int = 1


def bar(axis: Axis, spans: Sequence[Span]) -> str:
    """A full block for each column in which any of the spans has a part."""
    return "".join("█" if _touched(axis.period(column), spans) else "·" for column in range(axis.columns))


def curve(axis: Axis, stretches: Sequence[Span], most: int) -> str:
    """For each column the least that there is in it, as a height; `most` is a full block, and · is nothing."""
    return "".join(_height(_least(axis.period(column), stretches), most) for column in range(axis.columns))


def chart(axis: Axis, rows: Sequence[tuple[str, str]]) -> list[str]:
    """Lines: each label with its bar, and the times below."""
    width = max((min(len(label), _WIDEST_LABEL) for label, _ in rows), default=0)
    lines = [f"{_shortened(label):<{width}} {line}" for label, line in rows]
    return [*lines, f"{'':<{width}} {_ticks(axis)}"]


def _touched(period: tuple[datetime, datetime], spans: Sequence[Span]) -> bool:
    return any(span.start < period[1] and span.end > period[0] for span in spans)


def _least(period: tuple[datetime, datetime], stretches: Sequence[Span]) -> int:
    return min((one.amount for one in stretches if _touched(period, [one])), default=0)


def _height(amount: int, most: int) -> str:
    if amount <= 0:
        return "·"
    # What is little is still something.
    return _HEIGHTS[max(1, amount * (len(_HEIGHTS) - 1) // max(most, 1))]


def _shortened(label: str) -> str:
    return label if len(label) <= _WIDEST_LABEL else f"{label[: _WIDEST_LABEL - 1]}…"


def _ticks(axis: Axis) -> str:
    """Times as far apart as they are wide."""
    short = axis.end - axis.start <= timedelta(days=2)
    form = "%d %H:%M" if short else "%m-%d"
    line = ""
    for column in range(axis.columns):
        told = f"|{axis.period(column)[0].strftime(form)}"
        if len(line) <= column and column + len(told) <= axis.columns:
            line = f"{line:<{column}}{told} "
    return line.rstrip()
