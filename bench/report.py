"""Shows results: as a table in the terminal, and as Markdown between two comments of a document."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from bench.load import MOORAGE, UPSTREAM
from bench.results import Figure, Result, Unit, verdict
from bench.service import WORKERS

BEGIN = "<!-- begin: written by python -m bench -->"
END = "<!-- end: written by python -m bench -->"

_COLUMNS = ("cloud", "work", UPSTREAM, MOORAGE, "ratio", "expected", "CPU ms", "remarks")
_MARKS = {True: " ✓", False: " ✗", None: ""}


@dataclass(frozen=True, slots=True)
class Report:
    """The results on one database server."""

    database: str
    server: str
    results: Sequence[Result]


def terminal_table(report: Report) -> Table:
    """The results for the one who waits for them."""
    table = Table(*_COLUMNS[1:], title=report.server, title_justify="left")
    for cloud, *cells in _cells(report):
        if cloud:
            table.add_section()
            table.add_row(f"[bold]{cloud}[/bold]")
        table.add_row(*cells)
    return table


def in_a_line(result: Result) -> str:
    """A result for the one who cannot wait for the table."""
    figures = [f"{side} {_figure(figure)}" for side, figure in result.figures.items()]
    ratio = [f"{_rounded(result.ratio)}×"] if result.ratio else []
    return f"{result.cloud}: {result.row.work.title}: {', '.join([*figures, *ratio])}"


def markdown(reports: Sequence[Report], command: str, versions: Sequence[str]) -> str:
    """The results for a document: how they were made, then a table for each database server."""
    lines = [
        BEGIN,
        f"Made with `{command}` on {_machine()}, which also ran the database servers and the clients.",
        f"{', '.join(versions)}; {WORKERS} workers each.",
        "",
        "Times are medians, with the 95th percentile in brackets; rates are successes in a second. CPU is what the",
        "servers' processes took for one step, upstream's first; the database's part is not in it.",
    ]
    for report in reports:
        lines += ["", f"### {report.server}", "", _line(_COLUMNS), _line(["---"] * len(_COLUMNS))]
        lines += [_line(cells) for cells in _cells(report)]
    return "\n".join([*lines, END])


def write(document: Path, text: str) -> None:
    """Put the text where the document has the old one, or at its end."""
    replace_part(document, BEGIN, END, text)


def replace_part(document: Path, begin: str, end: str, text: str) -> None:
    """The same between any two comments."""
    content = document.read_text("utf-8") if document.exists() else "# Benchmarks\n"
    old = re.search(f"{re.escape(begin)}.*?{re.escape(end)}", content, re.DOTALL)
    content = content.replace(old.group(), text) if old else f"{content}\n{text}\n"
    document.parent.mkdir(parents=True, exist_ok=True)
    document.write_text(content, "utf-8")


def _cells(report: Report) -> Iterator[list[str]]:
    cloud = ""
    for result in report.results:
        judged = verdict(result, report.results, report.database)
        yield [
            result.cloud if result.cloud != cloud else "",
            result.row.work.title,
            *(_figure(result.figures.get(side)) for side in (UPSTREAM, MOORAGE)),
            f"{_rounded(result.ratio)}×" if result.ratio else "",
            f"{judged.expected}{_MARKS[judged.met]}" if judged else "",
            _cpu(result),
            _remarks(result),
        ]
        cloud = result.cloud


def _figure(figure: Figure | None) -> str:
    if figure is None:
        return ""
    if figure.value is None:
        return "–"
    text = f"{_rounded(figure.value)}{'' if figure.unit is Unit.RATE else ' '}{figure.unit}"
    if figure.p95 is None:
        return text
    return f"{text} ({_rounded(figure.p95)}{' ms' if figure.unit is Unit.RATE else ''})"


def _cpu(result: Result) -> str:
    values = [figure.cpu for figure in result.figures.values() if figure.cpu is not None]
    return " / ".join(map(_rounded, values))


def _remarks(result: Result) -> str:
    of_sides = [f"{side}: {figure.remark}" for side, figure in result.figures.items() if figure.remark]
    return "; ".join([*of_sides, *([result.remark] if result.remark else [])])


def _rounded(value: float) -> str:
    """Three digits are as many as a measurement is good for."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"  # noqa: PLR2004 - where three digits end


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _machine() -> str:
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    name = model.group(1) if model else platform.machine()
    return f"{len(os.sched_getaffinity(0))} × {name}, {memory:.0f} GiB of memory, Python {platform.python_version()}"
