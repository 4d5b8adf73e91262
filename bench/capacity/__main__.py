"""The command: how fast the simulation is, beside recorded figures, and how much each strategy leaves unplaced."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console

from bench.capacity.clouds import ZONE, cloud
from bench.capacity.puzzles import puzzle
from bench.report import replace_part
from moorage.capacity.model.configuration import Strategy
from moorage.capacity.packing.simulation import simulate
from moorage.capacity.report import report_capacity

BEGIN = "<!-- begin: written by python -m bench.capacity -->"
END = "<!-- end: written by python -m bench.capacity -->"

RECORDED = {100: 0.036, 1_000: 2.03, 2_000: 8.7, 5_000: 77.1}
"""CPU seconds that the existing service (in Go) took for 20 split flavors in one zone, on a machine like this one.

They are recorded, not measured again: 1,238 placements with 100 hypervisors, 59,517 with 5,000.
"""

AT_LEAST = {100: 0.5, 5_000: 20.0}
"""So many times as fast as the existing service it must be; twice as slow is fast enough where all is soon done."""

LARGE = (10_000, 20_000, 50_000)
PUZZLES = [(nodes, fill) for nodes in (40, 100) for fill in (1.0, 0.95, 0.9)]
SEEDS = range(1, 5)
"""Each kind of puzzle is made so many times, with other blocks and nodes."""


def speed_table(sizes: list[int]) -> tuple[list[str], dict[int, float]]:
    """Reports of clouds of growing size, of four kinds of hypervisors and of as many kinds as there are hypervisors.

    The second result is how many times as fast it is as the existing service, by size.
    """
    ratios = {}
    lines = [
        "| hypervisors | placements | CPU s | µs each | existing service, recorded | ratio | all different: CPU s |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for size in sizes:
        placements, seconds = _measure(size, uneven=False)
        _, uneven = _measure(size, uneven=True)
        theirs = " | "
        if recorded := RECORDED.get(size):
            ratios[size] = recorded / seconds
            theirs = f"{recorded:g} s | {ratios[size]:.3g}×"
        each = seconds / placements * 1e6
        lines.append(f"| {size:,} | {placements:,} | {seconds:.3f} | {each:.1f} | {theirs} | {uneven:.3f} |")
    return lines, ratios


def too_slow(ratios: Mapping[int, float]) -> list[str]:
    """Each size at which it is slower than it must be, in a sentence."""
    return [
        f"With {size:,} hypervisors it is {ratio:.3g}× as fast as the existing service, not {AT_LEAST[size]:g}×."
        for size, ratio in ratios.items()
        if ratio < AT_LEAST.get(size, 0)
    ]


def _measure(size: int, *, uneven: bool) -> tuple[int, float]:
    """Placements and CPU seconds of a whole report; the best of three for small clouds, which are soon done."""
    _tell(f"{size:,} hypervisors{', all different' if uneven else ''}")
    snapshot = cloud(size, uneven=uneven)
    times = []
    for _ in range(3 if size <= 1000 else 1):  # noqa: PLR2004 - see above
        start = time.process_time()
        account = report_capacity(snapshot.cloud, snapshot.request, snapshot.configuration).accounts[ZONE]
        times.append(time.process_time() - start)
    return sum(sum(counts) for counts in account.placed.values()), min(times)


def quality_table(puzzles: list[tuple[int, float]]) -> list[str]:
    """Zones where everything is known to fit: what each strategy leaves, the bound, and the gap to it."""
    lines = [
        "| nodes | full | blocks | compatible leaves | optimized leaves | bound | gap | CPU s, all together |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for nodes, fill in puzzles:
        _tell(f"{len(SEEDS)} puzzles of {nodes} nodes, {fill:.0%} full")
        plain = [simulate(puzzle(nodes, fill, strategy=Strategy.COMPATIBLE, seed=seed)) for seed in SEEDS]
        start = time.process_time()
        better = [simulate(puzzle(nodes, fill, strategy=Strategy.OPTIMIZED, seed=seed)) for seed in SEEDS]
        seconds = time.process_time() - start
        left = sum(each.unplaced for each in plain)
        figures = [sum(getattr(each, name) for each in better) for name in ("demand", "unplaced", "bound", "gap")]
        demand, still_left, bound, gap = figures
        lines.append(
            f"| {len(SEEDS)} × {nodes} | {fill:.0%} | {demand:,} | {left} | {still_left} | {bound:,} | {gap} | "
            f"{seconds:.1f} |"
        )
    return lines


def _tell(what: str) -> None:
    """What is being measured, for those who wait."""
    Console(stderr=True).print(f"{time.strftime('%H:%M:%S')} {what}", highlight=False)


def main(arguments: list[str]) -> int:
    """`python -m bench.capacity [--small] [DOCUMENT]`; 1 if it is too slow, which a small one does not judge."""
    small = "--small" in arguments
    speed, ratios = speed_table([100] if small else [*RECORDED, *LARGE])
    quality = quality_table([(10, 0.95)] if small else PUZZLES)
    text = "\n".join([BEGIN, *speed, "", *quality, END])
    Console(width=140).print(text, markup=False, highlight=False)
    for document in (Path(each) for each in arguments if not each.startswith("--")):
        replace_part(document, BEGIN, END, text)
    complaints = [] if small else too_slow(ratios)
    for complaint in complaints:
        Console(stderr=True).print(complaint, markup=False, highlight=False)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
