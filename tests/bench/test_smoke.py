"""The benchmark itself works: its loads can be read, the smallest one runs through, and its results become a table.

Upstream is left out, and nothing is said about how fast anything is.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from bench import reservations, servers
from bench.capacity import __main__ as capacity
from bench.load import MOORAGE, FindAndClaim, load_names, read_load
from bench.providers import Provider, providers
from bench.report import BEGIN, END, Report, markdown, terminal_table, write
from bench.results import Result
from bench.runner import run
from bench.this_moorage import moorage
from moorage.placement.api.query import parse_resources


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


CLAIMS_IN_A_SECOND = 10_000


def places(host: Provider, amounts: Mapping[str, int]) -> int:
    """How many claims of these amounts fit on a host."""
    room = {
        name: inventory["total"] * inventory.get("allocation_ratio", 1) for name, inventory in host.inventories.items()
    }
    held = host.holds or {}
    return min(int(room.get(name, 0) - held.get(name, 0)) // amount for name, amount in amounts.items())


@pytest.mark.parametrize("name", load_names())
def test_no_host_becomes_full_however_many_claims_are_made(name: str) -> None:
    load = read_load(name)
    for cloud in load.clouds:
        for action in (row.work.action for row in cloud.rows):
            if isinstance(action, FindAndClaim):
                query = dict(parse_qsl(action.path.partition("?")[2]))
                offered = int(query["limit"])  # these, and no others, until one is full
                fewer = {shape: min(count, offered) for shape, count in cloud.trees.items()}
                hosts = providers(fewer, load.shapes)[:offered]
                room = sum(places(host, parse_resources(query["resources"])) for host in hosts)
                assert room > CLAIMS_IN_A_SECOND * load.bounds.parallel_seconds, cloud.name


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


def test_a_packing_that_is_slower_than_it_must_be_is_told() -> None:
    assert capacity.too_slow({100: 0.5, 2_000: 0.1, 5_000: 20.0}) == []
    [small, large] = capacity.too_slow({100: 0.4, 5_000: 19.9})
    assert "With 100 hypervisors it is 0.4× as fast" in small
    assert "With 5,000 hypervisors it is 19.9× as fast" in large


def test_the_calendar_of_leases_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    reservations.main(["--small"])
    shown = capsys.readouterr().out
    assert all(title in shown for title in reservations.QUESTIONS)
