"""The command: which load, on which databases, which rows, and where the table goes."""

from __future__ import annotations

import shlex
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from bench.comparison import DifferentClouds
from bench.databases import KINDS, describe, missing_server
from bench.load import MOORAGE, SIDES, Load, load_names, read_load
from bench.report import Report, in_a_line, markdown, terminal_table, write
from bench.results import Result
from bench.runner import run
from bench.service import Program, ServiceError
from bench.this_moorage import moorage
from bench.upstream import upstream

BOTH = ("postgresql", "mariadb")


def main(
    *,
    load: Annotated[str, typer.Option(help=f"What to measure: {', '.join(load_names())}.")] = "small",
    database: Annotated[str, typer.Option(help=f"On which database: {', '.join(KINDS)} or both servers.")] = "both",
    rows: Annotated[str, typer.Option(metavar="NAME,…", help="Only these rows; * stands for anything.")] = "*",
    sides: Annotated[str, typer.Option(metavar="NAME,…", help="Only these sides.")] = ",".join(SIDES),
    output: Annotated[Path | None, typer.Option(help="Document to write the table to.")] = None,
) -> None:
    """Measure Moorage side by side with upstream Placement."""
    kinds = BOTH if database == "both" else (_one_of("--database", database, [*KINDS, "both"]),)
    chosen = [SIDES[_one_of("--sides", side, list(SIDES))] for side in sides.split(",")]
    content = read_load(_one_of("--load", load, load_names())).only(chosen, rows.split(","))
    if not content.clouds:
        raise typer.BadParameter(f"the load {load} has no row like {rows}", param_hint="--rows")
    for kind in kinds:
        if complaint := missing_server(kind):
            raise typer.BadParameter(complaint, param_hint="--database")
    console = Console()
    programs = _programs(chosen, console)
    reports = []
    for kind in kinds:
        report = _run(content, kind, programs, console)
        console.print(terminal_table(report))
        reports.append(report)
    if output is not None:
        command = shlex.join(["python", "-m", "bench", *sys.argv[1:]])
        write(output, markdown(reports, command, [program.version for program in programs]))
        console.print(f"Written to {output}.")


def _one_of(option: str, value: str, allowed: list[str]) -> str:
    if value not in allowed:
        raise typer.BadParameter(f"{value} is not one of {', '.join(allowed)}", param_hint=option)
    return value


def _programs(sides: list[str], console: Console) -> list[Program]:
    makers = {SIDES["upstream"]: upstream, MOORAGE: moorage}
    with console.status("Installing upstream Placement, if it is not there yet …"):
        return [makers[side]() for side in SIDES.values() if side in sides]


def _run(load: Load, database: str, programs: list[Program], console: Console) -> Report:
    server = describe(database)
    columns = (
        SpinnerColumn(),
        BarColumn(20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        watcher = _Terminal(progress, sum(len(cloud.rows) for cloud in load.clouds), server)
        return Report(database, server, list(run(load, database, programs, watcher)))


class _Terminal:
    """Shows how far a run is."""

    def __init__(self, progress: Progress, rows: int, server: str) -> None:
        self._progress = progress
        self._server = server
        self._task = progress.add_task("", total=rows)

    def doing(self, what: str) -> None:
        self._progress.update(self._task, description=f"{self._server}: {what}")

    def done(self, result: Result) -> None:
        self._progress.advance(self._task)
        self._progress.console.print(in_a_line(result), highlight=False)


if __name__ == "__main__":
    # So that the servers are stopped, too.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(main)
    try:
        app()
    except (ServiceError, DifferentClouds) as error:
        sys.exit(f"bench: {error}")
