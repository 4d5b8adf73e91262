"""The benchmark itself works: its loads can be read, the smallest one runs through, and its results become a table.

Upstream is left out, and nothing is said about how fast anything is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import reservations, servers
from bench.capacity import __main__ as capacity
from bench.load import MOORAGE, load_names, read_load
from bench.report import BEGIN, END, Report, markdown, terminal_table, write
from bench.results import Result
from bench.runner import run
from bench.this_moorage import moorage


class Unwatched:
    def doing(self, what: str) -> None:
        pass

    def done(self, result: Result) -> None:
        pass


@pytest.mark.parametrize("name", load_names())
def test_expectations_refer_to_rows_that_are_measured_before(name: str) -> None:
    measured = set()
    for cloud in read_load(name).clouds:
        for row in cloud.rows:
            measured.add((cloud.name, row.work.name))
            assert row.expectation.of is None or row.expectation.of in measured


def test_the_smoke_load_runs_through(tmp_path: Path) -> None:
    load = read_load("smoke").only([MOORAGE], ["*"])

    results = list(run(load, "sqlite", [moorage()], Unwatched()))

    assert [result.row for result in results] == [row for cloud in load.clouds for row in cloud.rows]
    for result in results:
        assert result.figures[MOORAGE].value, f"{result.row.work.name}: {result.figures[MOORAGE]}"
    report = Report("sqlite", "SQLite", results)
    assert terminal_table(report).row_count == len(results) + len(load.clouds)
    document = tmp_path / "benchmarks.md"
    document.write_text(f"Before\n\n{BEGIN}\nold\n{END}\n\nAfter\n")
    write(document, markdown([report], "python -m bench", ["Moorage"]))
    written = document.read_text()
    assert written.startswith("Before")
    assert written.endswith("After\n")
    assert "old" not in written
    assert "candidates, limit 10" in written


def test_servers_are_placed_through_a_kill_and_the_books_are_right(capsys: pytest.CaptureFixture[str]) -> None:
    servers.main(database="sqlite", hosts=8, servers=40, clients=4, kill=True)
    assert "None oversold, none lost, no orphan." in capsys.readouterr().out


def test_the_packing_is_measured(tmp_path: Path) -> None:
    document = tmp_path / "packing.md"
    capacity.main(["--small", str(document)])

    written = document.read_text()
    assert capacity.BEGIN in written
    assert "| 100 |" in written
    assert "0.036 s" in written


def test_the_calendar_of_leases_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    reservations.main(["--small"])
    shown = capsys.readouterr().out
    assert all(title in shown for title in reservations.QUESTIONS)
