"""`moorage lease`, `availability` and `slots` over HTTP, with a cloud of clouds.yaml."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from moorage.cli.main import app
from moorage.client.errors import ClientError
from moorage.client.reservation import ReservationClient
from moorage.db.database import Database, utc_now
from moorage.service.errors import OperatorError
from tests.reservations.api.clouds import ReservationCloud, instances, serving, whole_hosts

SMALL = ("--vcpus", "1", "--memory-mb", "512")
JANUARY = ("--start", "2090-01-01 08:00", "--end", "2090-01-01 18:00")


@pytest.fixture
def cloud(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReservationCloud]:
    cloud = ReservationCloud(database)
    cloud.clock.now = utc_now()
    cloud.add_host("one")
    cloud.add_host("two")
    with serving(cloud) as address:
        file = tmp_path / "clouds.yaml"
        file.write_text(
            "clouds:\n"
            "  harbour:\n"
            "    auth_type: admin_token\n"
            f"    auth: {{endpoint: '{address}', token: 'admin:operations'}}\n"
            f"    reservation_endpoint_override: {address}/reservation/v1\n"
            f"    compute_endpoint_override: {address}/compute/v2.1\n"
        )
        monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(file))
        monkeypatch.setenv("OS_CLOUD", "harbour")
        monkeypatch.setenv("COLUMNS", "100")
        yield cloud


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.output


def shown(*arguments: str, code: int = 0) -> Any:
    return json.loads(run(*arguments, "--json", code=code))


def refused(*arguments: str) -> str:
    with pytest.raises(OperatorError) as refusal:
        run(*arguments)
    return str(refusal.value)


def test_the_life_of_a_lease(cloud: ReservationCloud) -> None:
    made = shown("lease", "create", "tests", *JANUARY, *SMALL, "--amount", "3", "--affinity", "false", "--wait")
    assert (made["status"], made["reservations"][0]["amount"]) == ("WAITING", 3)
    made = shown("lease", "create", "more", *JANUARY, *SMALL, "--amount", "3", "--before-end", "2090-01-01 17:30")
    assert (made["status"], made["end_date"][:16]) == ("PENDING", "2090-01-01T18:00")
    text = run("lease", "show", "more")
    assert "before_end_lease  2090-01-01 17:30, UNDONE" in text
    assert f"{made['reservations'][0]['id']}: 3 x (1 VCPUs, 512 MiB, 0 GiB), pending" in text
    assert shown("lease", "extend", "more", "--by", "2h")["end_date"][:16] == "2090-01-01T20:00"
    assert shown("lease", "extend", made["id"], "--until", "2090-01-02")["end_date"][:16] == "2090-01-02T00:00"
    assert shown("lease", "shorten", "more", "--by", "6h30m")["end_date"][:16] == "2090-01-01T17:30"
    moved = shown("lease", "move", "more", "2090-02-01 00:00")
    assert (moved["start_date"][:16], moved["end_date"][:16]) == ("2090-02-01T00:00", "2090-02-01T09:30")
    assert shown("lease", "resize", "more", "--amount", "5", "--vcpus", "2")["reservations"][0]["vcpus"] == 2
    assert shown("lease", "rename", "more", "fewer")["name"] == "fewer"
    assert [lease["name"] for lease in shown("lease", "list")] == ["tests", "fewer"]
    assert [lease["name"] for lease in shown("lease", "list", "--status", "waiting")] == ["tests"]
    rows = list(csv.DictReader(StringIO(run("lease", "list", "--csv"))))
    assert rows[1]["what"] == "5 x (2 VCPUs, 512 MiB, 0 GiB)"
    assert "fewer" in run("lease", "list")
    assert "SUMMARY:fewer" in run("lease", "calendar")
    told = run("lease", "delete", "tests", "fewer", "fewer").splitlines()
    assert [line.partition(" (")[0] for line in told] == ["Removed tests", "Removed fewer"]
    assert shown("lease", "list") == []
    assert len(shown("lease", "list", "--deleted")) == 2


def test_whole_hosts_and_flavors(cloud: ReservationCloud) -> None:
    assert "1 to 2 hosts" in run("lease", "create", "hosts", *JANUARY, "--hosts", "1-2")
    body = {"flavor": {"name": "small", "id": "m1", "vcpus": 2, "ram": 512, "disk": 1}}
    cloud.compute.admin.post("/flavors", body)
    for flavor in ("m1", "small"):
        asked = ("lease", "create", flavor, "--for", "2h", "--start", "2091-01-01", "--flavor", flavor)
        made = shown(*asked, "--amount", "2")
        assert (made["reservations"][0]["resource_type"], made["reservations"][0]["vcpus"]) == ("flavor:instance", 2)
    begin = ("--start", "2091-01-01")
    assert shown("slots", *begin, "--for", "2h", "--flavor", "small")[0]["start_date"][:16] == "2091-01-01T00:00"
    free = shown("availability", *begin, "--end", "2091-01-01 03:00", "--flavor", "small")
    assert [one["free"] for one in free] == [4, 8]
    assert refused("slots", "--for", "2h", "--flavor", "smal").startswith("There is no flavor smal;")


def test_where_nobody_knows_flavors_their_ids_are_for_the_reservation_service(
    cloud: ReservationCloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(os.environ["OS_CLIENT_CONFIG_FILE"])
    file.write_text("\n".join(line for line in file.read_text().splitlines() if "compute" not in line))
    body = {"flavor": {"name": "small", "id": "m1", "vcpus": 2, "ram": 512, "disk": 1}}
    cloud.compute.admin.post("/flavors", body)
    assert shown("slots", "--start", "2091-01-01", "--for", "2h", "--flavor", "m1")
    assert "no flavor 'small'" in refused("slots", "--for", "2h", "--flavor", "small")


def test_an_error_among_several_leaves_what_was_done_told(
    cloud: ReservationCloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [shown("lease", "create", name, *JANUARY, *SMALL)["id"] for name in ("a", "b")]
    assert "There is no lease c" in refused("lease", "delete", "a", "c")
    assert len(shown("lease", "list")) == 2
    delete = ReservationClient.delete_lease

    def interrupted(client: ReservationClient, lease_id: str) -> None:
        if lease_id == made[1]:
            raise ClientError("The line is dead.")
        delete(client, lease_id)

    monkeypatch.setattr(ReservationClient, "delete_lease", interrupted)
    result = CliRunner().invoke(app, ["lease", "delete", "a", "b", "--json"])
    assert str(result.exception) == "The line is dead."
    assert json.loads(result.stdout) == [{"id": made[0], "name": "a"}]


def test_what_would_become_of_it(cloud: ReservationCloud) -> None:
    assert run("lease", "create", "x", *JANUARY, *SMALL, "--dry-run").startswith("It fits: 1 on ")
    run("lease", "create", "other", *JANUARY, *SMALL, "--amount", "14")
    text = run("lease", "create", "x", *JANUARY, *SMALL, "--amount", "3", "--dry-run", code=3)
    assert "It does not fit. Not enough hosts available: 2 of 3 instances fit." in text
    assert "short of VCPU, held by 1 leases until 2090-01-01 18:00" in text
    assert "What fits: 2 at that time." in text
    assert "What fits: all of it from 2090-01-01 18:00 on." in text
    assert refused("lease", "create", "x", *JANUARY, *SMALL, "--amount", "3").startswith("Not enough hosts available")
    assert [lease["name"] for lease in shown("lease", "list")] == ["other"]


def test_what_would_become_of_a_change(cloud: ReservationCloud) -> None:
    run("lease", "create", "mine", *JANUARY, *SMALL, "--amount", "6")
    run("lease", "create", "other", "--start", "2090-01-01 20:00", "--for", "4h", *SMALL, "--amount", "12")
    before = shown("lease", "list")
    assert run("lease", "extend", "mine", "--by", "2h", "--dry-run").startswith("It fits: ")
    text = run("lease", "extend", "mine", "--by", "3h", "--dry-run", code=3)
    assert "It does not fit. Not enough hosts available: 4 of 6 instances fit." in text
    assert "What fits: an end at 2090-01-01 20:00." in text
    assert "What fits: 4 at that time." in text
    assert shown("lease", "shorten", "mine", "--by", "1h", "--dry-run")["fits"]
    assert shown("lease", "move", "mine", "2090-01-01 10:00", "--dry-run")["fits"]
    moved = shown("lease", "move", "mine", "2090-01-01 18:00", "--dry-run", code=3)
    assert [one["kind"] for one in moved["alternatives"]] == ["fewer", "later"]
    assert shown("lease", "resize", "mine", "--amount", "16", "--dry-run")["fits"]
    assert not shown("lease", "resize", "mine", "--amount", "17", "--dry-run", code=3)["fits"]
    assert shown("lease", "list") == before


def test_free_times(cloud: ReservationCloud) -> None:
    run("lease", "create", "other", *JANUARY, "--hosts", "2")
    asked = ("slots", "--start", "2090-01-01", "--horizon", "2", "--for", "90m")
    found = shown(*asked, *SMALL)
    assert [(one["start_date"][11:16], one["latest_start_date"][11:16]) for one in found] == [
        ("00:00", "06:30"),
        ("18:00", "00:00"),
    ]
    assert "2090-01-01 18:00" in run(*asked, "--hosts", "2")
    assert shown(*asked, *SMALL, "--limit", "1") == found[:1]
    run(*asked, "--hosts", "3", code=3)


def test_availability_is_a_chart(cloud: ReservationCloud) -> None:
    run("lease", "create", "tests", *JANUARY, *SMALL, "--amount", "8", "--affinity", "true")
    asked = ("availability", "--start", "2090-01-01", "--end", "2090-01-02")
    lines = run(*asked, *SMALL, "--by-host").splitlines()
    assert [line.split()[0] for line in lines] == ["free,", "tests", "host", "|01"]
    assert lines[0].startswith("free, 8 to 16 ███")
    assert "▄▄▄" in lines[0]
    assert lines[1].count("█") == lines[2].count("█") == lines[0].count("▄") == 32
    assert [one["free"] for one in shown(*asked, "--hosts", "1")] == [2, 1, 2]
    assert run(*asked, "--hosts", "1", "--csv").splitlines()[0] == "start_date,end_date,free"


def test_what_is_booked_and_what_nobody_uses(cloud: ReservationCloud) -> None:
    cloud.tycho.lease(0, 0, instances(2), start_date="now", end_date="2090-01-01 00:00")
    cloud.tycho.lease(0, 0, whole_hosts(1), start_date="now", end_date="2090-01-01 00:00")
    cloud.settle()
    text = run("lease", "usage", "--all-projects")
    assert text.splitlines()[-1].startswith("2 leases, ")
    assert text.splitlines()[-1].endswith(" 2 idle.")
    assert shown("lease", "usage")["leases"] == 0
    report = shown("lease", "usage", "--project", "astronomy", "--start", "2089-01-01", "--end", "2089-01-02")
    assert report["instance_hours"] == 72.0


def test_csv_has_the_facts_of_a_lease_and_of_a_verdict(cloud: ReservationCloud) -> None:
    def facts(*arguments: str, code: int = 0) -> dict[str, str]:
        rows = csv.DictReader(StringIO(run(*arguments, "--csv", code=code)))
        return {row["field"]: row["value"] for row in rows}

    made = facts("lease", "create", "tests", *JANUARY, *SMALL, "--amount", "15")
    assert (made["name"], made["end"]) == ("tests", "2090-01-01 18:00")
    assert facts("lease", "show", "tests") == made
    assert facts("lease", "create", "x", *JANUARY, *SMALL, "--dry-run")["fits"] == "yes"
    verdict = facts("lease", "create", "x", *JANUARY, *SMALL, "--amount", "3", "--dry-run", code=3)
    assert verdict["alternatives"].startswith("1 at that time; all of it from 2090-01-01 18:00 on")
    assert "short of VCPU" in verdict["shortages"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("lease", "create", "x", "--for", "2h"), "--vcpus and --memory-mb, or by --flavor"),
        (("lease", "create", "x", *SMALL), "either --end DATE or --for TIME"),
        (("lease", "create", "x", "--for", "2h", "--vcpus", "1"), "say --memory-mb"),
        (("lease", "create", "x", "--for", "2h", "--hosts", "many"), "as in 2, or in 2-4"),
        (("lease", "create", "x", "--end", "soon", *SMALL), "'soon' is no date"),
        (("lease", "show", "nobody's"), "There is no lease nobody's"),
        (("lease", "show", "6f0e0f5e-0000-4000-8000-000000000002"), "not found"),
        (("lease", "resize", "x"), "such as --amount 3"),
        (("lease", "create", "x", "--for", "2h", *SMALL, "--affinity", "maybe"), "True, False or None"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_is_told_in_a_sentence(cloud: ReservationCloud, arguments: tuple[str, ...], words: str) -> None:
    assert words in refused(*arguments)


def test_a_name_must_mean_one_lease_and_times_must_go_the_right_way(cloud: ReservationCloud) -> None:
    made = shown("lease", "create", "twin", *JANUARY, *SMALL)
    assert "which is not earlier" in refused("lease", "extend", "twin", "--until", "2090-01-01 17:00")
    assert "which is not later" in refused("lease", "shorten", "twin", "--until", "2090-01-02")
    assert "either --by TIME or --until DATE" in refused("lease", "extend", "twin")
    run("lease", "create", "twin", *JANUARY, *SMALL)
    told = refused("lease", "show", "twin")
    assert told.startswith("2 leases are called twin")
    assert made["id"] in told
