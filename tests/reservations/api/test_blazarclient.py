"""The stock client, over HTTP, does what its users do with it, unchanged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from typing import Any
from unittest.mock import patch

import pytest
from blazarclient import shell

from moorage.db.database import utc_now
from tests.reservations.api.clouds import ReservationCloud, serving


class Blazar:
    """The command `blazar`, in this process."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint

    def __call__(self, *arguments: str) -> Any:
        """What a command shows, as JSON where it can."""
        output, errors = StringIO(), StringIO()
        login = ["--os-auth-type", "admin_token", "--os-token", "admin", "--os-endpoint", self.endpoint]
        with patch("sys.stdout", output), patch("sys.stderr", errors):
            status = shell.BlazarShell().run([*login, *arguments])
        assert not status, output.getvalue() + errors.getvalue()
        if "json" not in arguments:
            return output.getvalue()
        # Some commands say what they have done first.
        shown = output.getvalue()
        return json.loads(shown[min(place for place in map(shown.find, "[{") if place >= 0) :])

    def show(self, *arguments: str) -> Any:
        return self(*arguments, "-f", "json")


@pytest.fixture
def blazar(cloud: ReservationCloud) -> Iterator[Blazar]:
    cloud.clock.now = utc_now()  # the client has a clock of its own
    with serving(cloud) as address:
        yield Blazar(f"{address}/reservation/v1")


def test_hosts(cloud: ReservationCloud, blazar: Blazar) -> None:
    cloud.compute.add_host("three")
    made = blazar.show("host-create", "--extra", "gpu=True", "three")
    assert (made["hypervisor_hostname"], made["gpu"]) == ("three", "True")
    assert {host["hypervisor_hostname"] for host in blazar.show("host-list")} == {"one", "two", "three"}
    assert blazar.show("host-show", "three")["id"] == made["id"]
    blazar("host-update", "--extra", "gpu=False", "three")
    assert blazar.show("host-show", made["id"])["gpu"] == "False"
    assert blazar.show("host-property-list") == [{"property": "gpu"}]
    blazar("host-delete", "three")
    assert {host["hypervisor_hostname"] for host in blazar.show("host-list")} == {"one", "two"}


def test_leases(cloud: ReservationCloud, blazar: Blazar) -> None:
    for affinity in ("None", "True", "False"):
        reservation = f"resource_type=virtual:instance,vcpus=1,memory_mb=512,disk_gb=1,amount=2,affinity={affinity}"
        made = blazar.show("lease-create", "--reservation", reservation, f"with {affinity}")
        assert (made["name"], made["status"]) == (f"with {affinity}", "PENDING")
    physical = 'min=1,max=1,hypervisor_properties=[">=", "$vcpus", "2"],resource_properties='
    blazar(
        "lease-create",
        "--physical-reservation",
        physical,
        "--start-date",
        "2099-01-01 00:00",
        "--end-date",
        "2099-01-02 00:00",
        "whole",
    )
    listed = blazar.show("lease-list")
    assert {lease["name"] for lease in listed} == {"with None", "with True", "with False", "whole"}
    blazar("lease-update", "--name", "renamed", "whole")
    assert "2099-01-03T00:00" in _end_after(blazar, "--prolong-for", "1d")
    assert "2099-01-02T12:00" in _end_after(blazar, "--reduce-by", "12h")
    blazar("lease-update", "--defer-by", "1h", "renamed")
    blazar("lease-update", "--advance-by", "1h", "renamed")
    lease = blazar.show("lease-show", "with None")
    reservation = json.loads(lease["reservations"]) if isinstance(lease["reservations"], str) else lease["reservations"]
    changed = reservation if isinstance(reservation, dict) else reservation[0]
    blazar("lease-update", "--reservation", f"id={changed['id']},amount=3", "with None")
    slots = blazar.show("allocation-list", "host")
    assert len(slots) == 2
    assert blazar.show("allocation-show", "host", slots[0]["resource_id"])["resource_id"] == slots[0]["resource_id"]
    for name in ("with None", "with True", "with False", "renamed"):
        blazar("lease-delete", name)
    assert blazar.show("lease-list") == []


def _end_after(blazar: Blazar, *change: str) -> str:
    blazar("lease-update", *change, "renamed")
    end: str = blazar.show("lease-show", "renamed")["end_date"]
    return end
