"""The console and the commands tell the same numbers of a cloud, and of the same cloud with hosts drained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from moorage.capacity.model.cloud import Snapshot, write_snapshot
from moorage.capacity.model.demand import Demand
from moorage.capacity.shares import Share
from moorage.cli.main import app
from moorage.console.outlook import changed, picture
from tests.capacity.small_cloud import SHADOWING, host, snapshot

CLOUD = snapshot(
    {"north": (host("full", used=100), host("half", used=50), host("old", SHADOWING, used=20)), "south": (host("s"),)},
    {
        ("cores", "north"): Demand(120, 15, 5),
        ("ram", "north"): Demand(120, 15, 5),
        ("instances", "north"): Demand(30, 2, 1),
        ("instances_big", "north"): Demand(5, 1),
        ("instances_big", "south"): Demand(2, 0, 1),
    },
    split_on=("full", "full", "half", "old", "old", "s", "s"),
)


def rows(tmp_path: Path, given: Snapshot, command: str, *arguments: str) -> list[list[str]]:
    file = tmp_path / f"{command}.json"
    file.write_bytes(write_snapshot(given))
    option = ["--snapshot"] if command == "report" else []
    result = CliRunner().invoke(app, ["capacity", command, *option, str(file), *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    lines = [line.strip("│") for line in result.output.splitlines() if line.startswith("│")]
    return [[cell.strip().replace(",", "") for cell in line.split("│")] for line in lines]


@pytest.mark.parametrize("gone", [(), ("full",), ("old",), ("s",), ("full", "half", "old", "s")])
def test_all_tell_the_same_of_drained_hosts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    then = changed(CLOUD, (), gone)
    before, after = picture(CLOUD), picture(then)

    reported = {
        tuple(row[:2]): [int(cell) for cell in row[2:7]] for row in rows(tmp_path, then, "report") if len(row) == 8
    }
    assert reported == {
        (share.name, share.zone): [share.capacity, share.used, share.committed, share.pending, share.free]
        for share in (*after.pooled, *after.split)
    }

    arguments = [argument for name in gone for argument in ("--remove", name)]
    simulated = rows(tmp_path, CLOUD, "simulate", *arguments)

    def by_place(shares: tuple[Share, ...]) -> dict[tuple[str, str], Share]:
        return {(share.resource, share.zone): share for share in shares}

    old, new = by_place(before.pooled + before.split), by_place(after.pooled + after.split)
    assert {tuple(row[:2]): [int(cell) for cell in row[2:]] for row in simulated if len(row) == 7} == {
        place: [
            old[place].capacity,
            new[place].capacity,
            new[place].capacity - old[place].capacity,
            old[place].free,
            new[place].free,
        ]
        for place in old
    }


def test_a_zone_that_nobody_asked_for_is_told_though_all_its_hosts_go(tmp_path: Path) -> None:
    given = replace(CLOUD, request=replace(CLOUD.request, zones=(), demand={}))
    [cores, *_] = rows(tmp_path, given, "simulate", *(f"--remove={name}" for name in ("full", "half", "old", "s")))
    assert cores[:2] == ["cores", "unknown"]
    assert int(cores[3]) == 0
    assert int(cores[4]) == -int(cores[2]) < 0
