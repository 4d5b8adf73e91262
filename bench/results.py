"""What was measured, and whether it is what was expected."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bench.load import MOORAGE, UPSTREAM, Row
from bench.processes import Memory
from bench.sampling import Samples


class Unit(StrEnum):
    """What a figure counts; of a rate more is better, of everything else less."""

    MILLISECONDS = "ms"
    SECONDS = "s"
    RATE = "/s"
    MEBIBYTES = "MiB"


@dataclass(frozen=True, slots=True)
class Figure:
    """One side's result in one row; no value if nothing succeeded. `cpu` is the server's, in ms for each step."""

    value: float | None
    unit: Unit
    p95: float | None = None
    cpu: float | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """A row and the figures of its sides."""

    cloud: str
    row: Row
    figures: Mapping[str, Figure]
    remark: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times better Moorage is, if both sides have a figure."""
        ours, theirs = (self.figures[side].value if side in self.figures else None for side in (MOORAGE, UPSTREAM))
        if not ours or not theirs:
            return None
        return ours / theirs if self.figures[MOORAGE].unit is Unit.RATE else theirs / ours


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was expected, in words, and whether it came true (None if that cannot be said)."""

    expected: str
    met: bool | None


def verdict(result: Result, results: Sequence[Result], database: str) -> Verdict | None:
    """Compare a result with what its row expects, which may be in terms of another result."""
    expectation = result.row.expectation
    if database in expectation.at_least:
        wanted = expectation.at_least[database]
        return Verdict(f"≥ {wanted:,g}×", None if result.ratio is None else result.ratio >= wanted)
    if expectation.at_most is None or MOORAGE not in result.figures:
        return None
    ours = result.figures[MOORAGE]
    if expectation.of is None:
        met = None if ours.value is None else ours.value <= expectation.at_most
        return Verdict(f"≤ {expectation.at_most:,g} {ours.unit}", met)
    other = next((known for known in results if (known.cloud, known.row.work.name) == expectation.of), None)
    reference = other.figures[MOORAGE].value if other and MOORAGE in other.figures else None
    return Verdict(
        f"≤ {expectation.at_most:g}× {expectation.of[1]} of {expectation.of[0]}",
        None if ours.value is None or reference is None else ours.value <= expectation.at_most * reference,
    )


def time_figure(samples: Samples, cpu_seconds: float) -> Figure:
    """The median time of a step."""
    if not samples.seconds:
        return Figure(None, Unit.MILLISECONDS, remark=_failures(samples))
    median = statistics.median(samples.seconds) * 1000
    return Figure(median, Unit.MILLISECONDS, _p95(samples), cpu_seconds * 1000 / samples.steps, _failures(samples))


def rate_figure(samples: Samples, cpu_seconds: float) -> Figure:
    """The successful steps in a second; p95 is the time of one."""
    if not samples.seconds:
        return Figure(None, Unit.RATE, remark=_failures(samples))
    rate = len(samples.seconds) / samples.elapsed
    return Figure(rate, Unit.RATE, _p95(samples), cpu_seconds * 1000 / samples.steps, _failures(samples))


def memory_figure(memory: Memory) -> Figure:
    """What a worker holds; the remark says how much of it is its own."""
    return Figure(memory.resident, Unit.MEBIBYTES, remark=f"{memory.proportional:.0f} MiB proportional")


def _p95(samples: Samples) -> float | None:
    """In milliseconds; two samples are too few to speak of it."""
    if len(samples.seconds) < 3:  # noqa: PLR2004 - see above
        return None
    return statistics.quantiles(samples.seconds, n=20, method="inclusive")[-1] * 1000


def _failures(samples: Samples) -> str:
    return ", ".join(f"{count} × {failure}" for failure, count in samples.failures.most_common())
