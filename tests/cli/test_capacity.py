"""`moorage capacity` over snapshots: what is reported, what would be if, and how many more fit."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bench.capacity.clouds import cloud
from moorage.capacity.model.cloud import Cloud, Snapshot, write_snapshot
from moorage.capacity.model.configuration import Configuration, HypervisorSelection
from moorage.capacity.model.demand import CapacityRequest, Demand
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.model.hypervisor import Aggregate, Hypervisor, Inventory
from moorage.cli.main import app
from moorage.cli.misuse import Misuse
from moorage.service.errors import OperatorError
from tests.capacity.small_cloud import host
from tests.capacity.small_cloud import snapshot as small_cloud


@pytest.fixture
def snapshot(tmp_path: Path) -> str:
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

    plotted = {row[0]: row for row in rows if len(row) == 8}
    assert [name for name in plotted if not name.startswith("split-")] == [
        "resource",
        "cores",
        "instances",
        "ram",
        "flavor",
    ]
    flavors = [name for name in plotted if name.startswith("split-")]
    assert len(flavors) == 20
    for name in (*flavors, "cores", "ram"):
        capacity, *parts = (int(cell.replace(",", "")) for cell in plotted[name][2:7])
        assert capacity == sum(parts)
        if not capacity:
            continue
        # The plot has a mark for each part, as wide as its share.
        bar = plotted[name][7]
        assert len(bar) == 30
        for mark, part in zip("█▓▒░", parts, strict=True):
            assert abs(bar.count(mark) - 30 * part / capacity) <= 1


def test_programs_get_the_same_as_json_and_csv(snapshot: str) -> None:
    def told(*arguments: str) -> str:
        return CliRunner().invoke(app, ["capacity", *arguments], catch_exceptions=False).output

    def rows(*arguments: str) -> list[dict[str, str]]:
        return list(csv.DictReader(StringIO(told(*arguments, "--csv"))))

    report = json.loads(told("report", "--snapshot", snapshot, "--json"))
    listed = [(row["name"], row["capacity"]) for row in rows("report", "--snapshot", snapshot)]
    assert listed == [(row["name"], str(row["capacity"])) for row in (*report["pooled"], *report["split"])]
    assert (report["unplaced"], report["left_out"]) == ([], [])
    [pooled] = json.loads(told("fit", "--snapshot", snapshot, "pooled", "--json"))
    assert pooled["fit"] == sum(pooled["where"].values())
    [row] = rows("fit", "--snapshot", snapshot, "pooled")
    assert (row["fit"], row["hypervisors"]) == (str(pooled["fit"]), str(pooled["hypervisors"]))
    compared = json.loads(told("simulate", snapshot, "--add", "1xnode-1", "--json"))
    assert [["capacity", *map(str, change.values()), "", ""] for change in compared["differences"]] == [
        list(row.values()) for row in rows("simulate", snapshot, "--add", "1xnode-1")
    ]
    assert (compared["unplaced"], compared["left_out"], compared["left_out_before"]) == ([], [], [])


def test_a_table_that_nobody_looks_at_is_as_wide_as_it_needs_to_be(
    snapshot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert {"flavor", "pooled"} <= {row[0] for row in run("fit", "--snapshot", snapshot, "pooled")}
    assert all(len(row) == 8 for row in run("report", "--snapshot", snapshot))


def test_a_report_tells_whom_it_leaves_out(tmp_path: Path) -> None:
    given = cloud(4)
    first, second, *others = given.cloud.hypervisors
    selection = HypervisorSelection(skip_failing=True)
    changed = replace(
        given,
        cloud=replace(
            given.cloud,
            hypervisors=(replace(first, problem="It is [gone]."), replace(second, service_host="elsewhere"), *others),
        ),
        configuration=Configuration(hypervisor_selection=selection),
    )
    file = tmp_path / "cloud.json"
    file.write_bytes(write_snapshot(changed))

    output = CliRunner().invoke(app, ["capacity", "report", "--snapshot", str(file)], catch_exceptions=False).output

    assert "Without aggregate or zone, and so not counted: node-1" in output
    assert 'Left out: hypervisor node-0 (service host "compute-0"): It is [gone]. Every hypervisor' in output


def test_more_hypervisors_are_more_capacity(snapshot: str) -> None:
    rows = {row[0]: row for row in run("simulate", snapshot, "--add", "3xnode-1")}

    assert rows["cores"][2] != rows["cores"][3]
    assert rows["cores"][4].startswith("+")


@pytest.fixture
def crowded(tmp_path: Path) -> str:
    """Eleven instances of a flavor of which ten fit on a host: on one host, and another that nobody understands."""
    broken = replace(host("broken"), problem="It is [gone].")
    lost = replace(host("lost"), service_host="elsewhere")
    given = small_cloud({"north": (host("a"), broken, host("lost"))}, {("instances_big", "north"): Demand(11)})
    file = tmp_path / "crowded.json"
    file.write_bytes(write_snapshot(replace(given, cloud=replace(given.cloud, hypervisors=(host("a"), broken, lost)))))
    return str(file)


def test_a_simulation_tells_what_finds_no_place_and_who_is_left_out(crowded: str) -> None:
    def told(form: str = "") -> str:
        arguments = [
            "capacity",
            "simulate",
            crowded,
            "--remove",
            "broken",
            "--add",
            "2xlost",
            *([form] if form else []),
        ]
        return CliRunner().invoke(app, arguments, catch_exceptions=False).output

    lost = "Without aggregate or zone, and so not counted: lost"
    idle = "More of lost change nothing: it has no aggregate or zone."
    broken = 'Left out: hypervisor broken (service host "broken"): It is [gone]. Every hypervisor in Nova needs a'
    shown = told()
    assert shown.index("instances_big") < shown.index("No place found") < shown.index("no node has enough room left")
    assert shown.index("no node has enough room left") < shown.index(lost) < shown.index(idle)
    assert f"Before: {broken}" in shown
    document = json.loads(told("--json"))
    assert [(each["flavor"], each["count"]) for each in document["unplaced"]] == [("big", 1)]
    assert document["left_out"] == [lost, idle]
    assert [each.startswith(broken) for each in document["left_out_before"]] == [True]
    rows = [row for row in csv.DictReader(StringIO(told("--csv"))) if row["kind"] != "capacity"]
    assert [(row["kind"], row["resource"], row["unplaced"]) for row in rows] == [
        ("unplaced", "instances_big", "1"),
        ("left out", "", ""),
        ("left out", "", ""),
        ("left out before", "", ""),
    ]
    assert [row["why"] for row in rows[:3]] == ["usage: no node has enough room left", lost, idle]


def test_a_simulation_of_what_cannot_be_told_says_why(crowded: str) -> None:
    with pytest.raises(OperatorError, match=r"It is \[gone\]"):
        run("simulate", crowded, "--remove", "lost")


def test_copies_of_the_same_hypervisor_add_up(snapshot: str) -> None:
    once = {row[0]: row for row in run("simulate", snapshot, "--add", "5xnode-1")}
    twice = {row[0]: row for row in run("simulate", snapshot, "--add", "2xnode-1", "--add", "3xnode-1")}

    assert once == twice


def test_a_hypervisor_less_and_another_flavor(snapshot: str) -> None:
    rows = {row[0]: row for row in run("simulate", snapshot, "--remove", "node-0", "--flavor", "huge=40,65536,100")}

    assert rows["ram"][4].startswith("-")
    assert rows["instances_huge"][2] == "0"


def test_how_many_more_fit_of_all_flavors(snapshot: str) -> None:
    named = run("fit", "--snapshot", snapshot, "pooled")
    everything = run("fit", "--snapshot", snapshot)
    assert len(everything) > len(named)
    assert [row for row in everything if row[0] == "pooled"] == [row for row in named if row[0] == "pooled"]


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
    ("flavor", "changes", "fit", "limit"),
    [
        ({}, {}, 16, "cores on 2"),
        ({"vcpus": 1, "ram_mib": 4}, {}, 16, "RAM on 2"),
        ({"disk_gib": 100}, {}, 10, "disk on 2"),
        # All disks count, and swap in whole GiB.
        ({"ephemeral_gib": 100, "swap_mib": 1}, {}, 8, "disk on 2"),
        ({"extra_specs": {"resources:VCPU": "0"}}, {}, 32, "RAM on 2"),
        ({"extra_specs": {"resources:CUSTOM_KEY": "2"}}, {}, 6, "CUSTOM_KEY on 2"),
        ({"extra_specs": {"resources:VGPU": "1"}}, {}, 0, "no VGPU of their own on 2"),
        ({"extra_specs": {"trait:FAST": "required"}}, {}, 0, "traits on 2"),
        ({"vcpus": 17}, {}, 0, "cores on 2"),
        ({"vcpus": 0, "ram_mib": 0, "disk_gib": 0}, {}, 0, "nothing, for it has no size on 2"),
        # What is sold more than once is there more than once.
        ({}, {"VCPU": Inventory(16, 0, 16, 4.0)}, 32, "RAM on 2"),
        ({}, {"VCPU": Inventory(16, 0, 8)}, 16, "cores on 2"),
    ],
)
def test_what_limits_a_flavor(
    tmp_path: Path,
    flavor: dict[str, Any],
    changes: dict[str, Inventory],
    fit: int,
    limit: str,
) -> None:
    inventories = {
        "VCPU": Inventory(16, 0, 16),
        "MEMORY_MB": Inventory(32, 0, 32),
        "DISK_GB": Inventory(500, 0, 500),
        "CUSTOM_KEY": Inventory(6, 0, 6),
    }
    hosts = [
        Hypervisor(id=name, hostname=name, service_host=name, inventories={**inventories, **changes})
        for name in ("a", "b")
    ]
    sizes: dict[str, Any] = {"vcpus": 2, "ram_mib": 2, "disk_gib": 10, **flavor}
    file = tmp_path / "cloud.json"
    aggregate = Aggregate(name="z", availability_zone="z", hosts=("a", "b"))
    small = Flavor(id="1", name="small", **sizes)
    file.write_bytes(
        write_snapshot(
            Snapshot(
                cloud=Cloud(flavors=(small,), hypervisors=tuple(hosts), aggregates=(aggregate,)),
                request=CapacityRequest(),
            )
        )
    )

    rows = {row[0]: row for row in run("fit", "--snapshot", str(file), "small")}

    assert int(rows["small"][1]) == fit
    assert limit in rows["small"][4]


def test_hosts_that_are_disabled_or_kept_for_leases_take_nothing(tmp_path: Path) -> None:
    given = cloud(3)
    first, second, third = given.cloud.hypervisors
    lease = Aggregate(name="freepool", hosts=(second.service_host,), is_of_leases=True)
    changed = replace(
        given.cloud,
        hypervisors=(replace(first, traits=("COMPUTE_STATUS_DISABLED",)), second, third),
        aggregates=(*given.cloud.aggregates, lease),
    )
    file = tmp_path / "cloud.json"
    file.write_bytes(write_snapshot(replace(given, cloud=changed)))

    rows = {row[0]: row for row in run("fit", "--snapshot", str(file), "pooled")}

    assert rows["pooled"][3] == "1"
    assert "being disabled on 1" in rows["pooled"][4]
    assert "being kept for leases on 1" in rows["pooled"][4]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe", "is no capacity request"),
        (b'{"allAZs": ["\xff"]}', "is no capacity request"),
        (b'{"allAZs": ["a"], "demandByResource": {"cores": {"perAZ": {"a": {"usage": -1}}}}}', "Value: -1"),
        (b'{"allAZs": ["a"], "demandByResource": {"cores": {"perAZ": {"b": {}}}}}', "Value: b"),
        (b'{"zones": []}', "allAZs"),
    ],
)
def test_a_request_that_the_api_would_refuse_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "request.json"
    file.write_bytes(content)
    with pytest.raises(OperatorError, match=words):
        run("report", "--request", str(file))


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe", b'{"taken_at": "\xff"}', b"[]", b'{"cloud": 1}', b'{"cloud": {}, "request": {}, "format": 9}'],
)
def test_what_is_no_snapshot_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "cloud.json"
    file.write_bytes(content)
    with pytest.raises(OperatorError, match="cannot be read"):
        run("report", "--snapshot", str(file))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--add", "node-1"], "as in 10xcompute-1"),
        (["--add", "2xnowhere"], "no hypervisor nowhere"),
        (["--add", "1000000xnode-1"], "99999 at most"),
        (["--flavor", f"big={'9' * 30},1,1"], "as in big=32,65536,100"),
        (["--flavor", "big"], "as in big=32,65536,100"),
        (["--flavor", "big=0,0,0"], "a flavor without any size has no place anywhere"),
        (["--flavor", "pooled=1,1,1"], "The flavor pooled is there and pooled"),
    ],
)
def test_a_wrong_word_is_refused_with_an_example(snapshot: str, arguments: list[str], words: str) -> None:
    with pytest.raises(OperatorError, match=words):
        run("simulate", snapshot, *arguments)


@pytest.mark.parametrize("option", [["--request", "demand.json"], ["--config", "other.conf"], ["--os-cloud", "other"]])
def test_a_snapshot_has_demand_and_settings_of_its_own(snapshot: str, option: list[str]) -> None:
    with pytest.raises(Misuse, match="demand and settings of its own"):
        run("report", "--snapshot", snapshot, *option)


def test_how_many_more_fit_is_asked_of_a_snapshot_or_of_a_cloud(snapshot: str) -> None:
    with pytest.raises(Misuse, match="--snapshot or --os-cloud"):
        run("fit", "--snapshot", snapshot, "--os-cloud", "other")
