"""`moorage capacity` over snapshots: what is reported, what would be if, and how many more fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.capacity.clouds import cloud
from moorage.capacity.model.cloud import write_snapshot
from moorage.cli.main import app
from moorage.service.errors import OperatorError


@pytest.fixture
def snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("COLUMNS", "160")
    file = tmp_path / "cloud.json"
    file.write_bytes(write_snapshot(cloud(12)))
    return str(file)


def run(*arguments: str) -> list[list[str]]:
    """The rows of the tables that a command prints."""
    result = CliRunner().invoke(app, ["capacity", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    lines = [line.strip().strip("│┃").replace("┃", "│") for line in result.output.splitlines()]
    return [[cell.strip() for cell in line.split("│")] for line in lines if "│" in line]


def test_a_report_shows_every_resource_and_flavor(snapshot: str) -> None:
    rows = run("report", "--snapshot", snapshot)

    assert [row[0] for row in rows if len(row) == 4] == ["resource", "cores", "instances", "ram"]
    flavors = [row for row in rows if row[0].startswith("split-")]
    assert len({row[0] for row in flavors}) == 20
    for row in flavors:
        if len(row) == 8:
            assert int(row[2]) == sum(map(int, row[3:7]))


def test_more_hypervisors_are_more_capacity(snapshot: str) -> None:
    rows = {row[0]: row for row in run("simulate", snapshot, "--add", "3xnode-1")}

    assert rows["cores"][2] != rows["cores"][3]
    assert rows["cores"][4].startswith("+")


def test_a_hypervisor_less_and_another_flavor(snapshot: str) -> None:
    rows = {row[0]: row for row in run("simulate", snapshot, "--remove", "node-0", "--flavor", "huge=40,65536,100")}

    assert rows["ram"][4].startswith("-")
    assert rows["instances_huge"][2] == "0"


def test_how_many_more_fit_is_the_room_of_each_hypervisor(snapshot: str) -> None:
    snapshot_cloud = cloud(12).cloud
    rows = {row[0]: row for row in run("fit", "--snapshot", snapshot, "pooled")}

    assert int(rows["pooled"][1]) == sum(
        min(
            each.inventories["VCPU"].total // 2,
            each.inventories["MEMORY_MB"].total // 4096,
            each.inventories["DISK_GB"].total // 64,
        )
        for each in snapshot_cloud.hypervisors
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--add", "node-1"], "as in 10xcompute-1"),
        (["--add", "2xnowhere"], "no hypervisor nowhere"),
        (["--flavor", "big"], "as in big=32,65536,100"),
    ],
)
def test_a_wrong_word_is_refused_with_an_example(snapshot: str, arguments: list[str], words: str) -> None:
    with pytest.raises(OperatorError, match=words):
        run("simulate", snapshot, *arguments)
