"""`moorage lease` with a reservation service that is a Blazar: what it can, it is asked for, and nothing else."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from typer.testing import CliRunner

from moorage.cli.main import app
from moorage.service.errors import OperatorError
from tests.client.blazar import Blazar, lease_of
from tests.client.serving import serving

SMALL = ("--vcpus", "1", "--memory-mb", "512")
JANUARY = ("--start", "2090-01-01 08:00", "--end", "2090-01-01 18:00")


@pytest.fixture
def blazar(installation: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[Blazar]:
    blazar = Blazar(
        lease_of(
            "1",
            "a",
            {"resource_type": "virtual:floatingip", "amount": 2, "network_id": "n"},
            {"resource_type": "flavor:instance", "amount": 3, "flavor_id": "m1"},
            {"resource_type": "device"},
            status="ACTIVE",
        ),
        lease_of("2", "b", status="TERMINATED", project="q"),
    )
    with serving(blazar) as address:
        for name, value in {"AUTH_TYPE": "admin_token", "ENDPOINT": address, "TOKEN": "t"}.items():
            monkeypatch.setenv(f"OS_{name}", value)
        yield blazar


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def shown(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--json"))


def test_its_leases_are_shown_also_of_kinds_that_nobody_here_knows(blazar: Blazar) -> None:
    rows = list(csv.DictReader(StringIO(run("lease", "list", "--csv"))))
    assert [row["what"] for row in rows] == ["2 x virtual:floatingip; 3 x (m1); device", ""]
    assert "2 x virtual:floatingip, active" in run("lease", "show", "a")
    assert [lease["id"] for lease in shown("lease", "list", "--status", "active")] == ["1"]
    assert [lease["id"] for lease in shown("lease", "list", "--project", "q")] == ["2"]
    # The identity service was asked about the name of a project.
    assert {path for _, path in blazar.requests} == {"/leases", "/projects"}


@pytest.mark.parametrize(
    ("options", "ordered"),
    [
        (
            (*SMALL, "--amount", "2"),
            {
                "resource_type": "virtual:instance",
                "vcpus": 1,
                "memory_mb": 512,
                "disk_gb": 0,
                "amount": 2,
                "affinity": "None",
                "resource_properties": "",
            },
        ),
        (
            ("--flavor", "m1", "--affinity", "false"),
            {"resource_type": "flavor:instance", "flavor_id": "m1", "amount": 1, "affinity": "false"},
        ),
        (
            ("--hosts", "1-2", "--properties", '["==", "$gpu", "1"]'),
            {
                "resource_type": "physical:host",
                "min": 1,
                "max": 2,
                "hypervisor_properties": "",
                "resource_properties": '["==", "$gpu", "1"]',
            },
        ),
    ],
    ids=["instances", "flavor", "hosts"],
)
def test_an_order_has_all_that_it_insists_on(
    blazar: Blazar, options: tuple[str, ...], ordered: dict[str, object]
) -> None:
    assert shown("lease", "create", "c", *JANUARY, *options)["name"] == "c"
    assert blazar.orders == [
        {
            "name": "c",
            "start_date": "2090-01-01 08:00",
            "end_date": "2090-01-01 18:00",
            "reservations": [ordered],
            "events": [],
            "before_end_date": None,
        }
    ]
    # Nobody asks it first what it is.
    assert ("GET", "/limits") not in blazar.requests


def test_a_lease_is_extended(blazar: Blazar) -> None:
    assert shown("lease", "extend", "a", "--by", "2h")["end_date"] == "2030-01-02T02:00:00.000000"
    assert ("PUT", "/leases/1") in blazar.requests


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("lease", "create", "c", *JANUARY, *SMALL, "--dry-run"),
            "has dry runs; this reservation service is none, and",
        ),
        (("lease", "create", "c", *JANUARY, *SMALL, "--wait"), "has leases wait for room"),
        (("lease", "extend", "a", "--by", "2h", "--dry-run"), "has dry runs"),
        (("lease", "list", "--deleted"), "remembers leases that were deleted"),
        (("lease", "calendar"), "has calendars"),
        (("lease", "usage"), "reports what is booked"),
        (("slots", "--for", "2h", *SMALL), "finds free times"),
        (("availability", *SMALL), "tells what is free"),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, tuple) else "",
)
def test_what_only_a_moorage_can_is_refused_and_nothing_is_done(
    blazar: Blazar, arguments: tuple[str, ...], words: str
) -> None:
    with pytest.raises(OperatorError) as refusal:
        run(*arguments)
    assert str(refusal.value).startswith(f"Only a Moorage {words}")
    assert "this reservation service is none" in str(refusal.value)
    assert {method for method, _ in blazar.requests} == {"GET"}
    assert (blazar.orders, len(blazar.leases)) == ([], 2)
