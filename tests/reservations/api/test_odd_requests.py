"""Dates at the end of time, limits that were lowered, services that are away: answers that say so, and no surprise."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest

from moorage.client.errors import Unavailable
from moorage.client.placement import PlacementClient
from moorage.reservations.booking.promotion import promote
from tests.reservations.api.clouds import (
    BEGIN,
    ReservationCloud,
    Reserver,
    at,
    instances,
    new_lease,
    shown,
    whole_hosts,
)

SHAPE = {"vcpus": 1, "memory_mb": 512}


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/slots", {"duration": 60, "start": "9999-12-31 23:00"}),
        ("/slots", {"duration": 500_000, "start": "9999-06-01 00:00", "horizon": 366}),
        ("/availability", {"start": "9999-12-20 00:00"}),
        ("/availability", {"start": "9999-12-31 00:00", "end": "9999-12-31 23:59"}),
    ],
)
def test_the_end_of_time_can_be_looked_at(tycho: Reserver, path: str, query: dict[str, Any]) -> None:
    tycho.ask("GET", path, **SHAPE, **query)


@pytest.mark.parametrize("amount", [2, 2.0, "2", " 2 "])
def test_a_whole_number_may_be_written_in_many_ways(tycho: Reserver, amount: object) -> None:
    order = new_lease(1, 2, {**instances(1), "amount": amount})
    assert tycho.ask("POST", "/leases", order, dry_run=True)["fits"]


@pytest.mark.parametrize("amount", [2.5, "２", "1_0", True, "2" * 13])
def test_what_is_no_whole_number_here_is_refused(tycho: Reserver, amount: object) -> None:
    order = new_lease(1, 2, {**instances(1), "amount": amount})
    assert "amount" in tycho.refused("POST", "/leases", order)[1]


def test_digits_of_other_scripts_make_no_date(tycho: Reserver) -> None:
    order = new_lease(1, 2, instances(1)) | {"end_date": "２０４０-01-01 12:00"}
    assert tycho.refused("POST", "/leases", order)[0] == 400


def test_a_wrong_number_is_refused_also_where_it_does_not_count(tycho: Reserver) -> None:
    assert "max" in tycho.refused("GET", "/slots", **SHAPE, duration=60, max="many")[1]


def test_the_id_of_a_project_has_an_end(cloud: ReservationCloud) -> None:
    assert cloud.admin.refused("PUT", f"/limits/{'p' * 256}", {"max_leases": 1})[0] == 400


def test_a_lease_may_be_far_away(cloud: ReservationCloud, tycho: Reserver) -> None:
    order = {"start_date": "9999-12-30 00:00", "end_date": "9999-12-31 23:59"}
    lease = tycho.lease(1, 2, instances(16), **order)
    assert lease["end_date"] == "9999-12-31T23:59:00.000000"
    found = tycho.ask("POST", "/leases", new_lease(1, 2, instances(1), **order), dry_run=True)
    assert (found["fits"], found["alternatives"]) == (False, [])
    cloud.admin.ask("PUT", "/limits/astronomy", {"max_days_ahead": 2**31 - 1})
    tycho.lease(1, 2, instances(1))


@pytest.mark.parametrize(
    "date",
    ["0001-01-01 00:00", "2030-02-29 12:00", "2030-01-01T12:00", "2030-01-01 12:00+02:00", "2030-01-01 24:00", "NOW"],
)
def test_dates_that_are_none_or_past_are_refused(tycho: Reserver, date: str) -> None:
    order = new_lease(1, 2, instances(), start_date=date)
    status, message = tycho.refused("POST", "/leases", order)
    assert status == 400
    assert "date" in message.lower()


def test_what_is_past_is_not_shown_as_free(cloud: ReservationCloud, tycho: Reserver) -> None:
    cloud.clock.now = BEGIN + timedelta(hours=10)
    found = tycho.ask("GET", "/availability", **SHAPE, start=at(0), end=at(12))["availability"]
    assert [(one["start_date"], one["end_date"]) for one in found] == [(shown(10), shown(12))]
    status, message = tycho.refused("GET", "/availability", **SHAPE, start=at(0), end=at(9))
    assert (status, at(9) in message) == (400, True)


def test_a_start_may_be_as_late_as_the_horizon(cloud: ReservationCloud, tycho: Reserver) -> None:
    tycho.lease(5, 6, instances(16))
    found = tycho.ask("GET", "/slots", **SHAPE, duration=60, horizon=30)["slots"]
    assert [(one["start_date"], one["latest_start_date"]) for one in found] == [
        (shown(0), shown(4)),
        (shown(6), shown(30 * 24)),
    ]
    tycho.lease(6 + 20 * 24, 7 + 20 * 24, instances(16))
    assert len(tycho.ask("GET", "/slots", **SHAPE, duration=60, horizon=30)["slots"]) == 3


def test_a_later_start_is_found_for_several_reservations_together(cloud: ReservationCloud, tycho: Reserver) -> None:
    tycho.lease(1, 4, instances(3))
    tycho.lease(4, 8, instances(12))
    # Each would fit earlier by itself.
    wanted = new_lease(1, 3, instances(10), whole_hosts(1))
    found = tycho.ask("POST", "/leases", wanted, dry_run=True)
    assert not found["fits"]
    later = [one["start_date"] for one in found["alternatives"] if one["kind"] == "later"]
    assert later == []
    wanted = new_lease(1, 3, instances(8), whole_hosts(1))
    found = tycho.ask("POST", "/leases", wanted, dry_run=True)
    assert [one["start_date"] for one in found["alternatives"] if one["kind"] == "later"] == [shown(8)]
    tycho.lease(8, 10, instances(8), whole_hosts(1))


def test_a_dry_run_knows_the_limits_and_the_notice(cloud: ReservationCloud, tycho: Reserver) -> None:
    cloud.admin.ask("PUT", "/limits/astronomy", {"max_instance_hours": 2})
    found = tycho.ask("POST", "/leases", new_lease(1, 2, instances(3)), dry_run=True)
    assert (found["fits"], "max_instance_hours" in found["reason"]) == (False, True)
    assert cloud.admin.ask("POST", "/leases", new_lease(1, 2, instances(3)), dry_run=True)["fits"]
    order = new_lease(1, 2, instances(1), before_end_date=at(5))
    assert tycho.refused("POST", "/leases", order, dry_run=True)[0] == 403


def test_lowered_limits_do_not_forbid_to_take_less(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 100, instances(4))
    tycho.lease(1, 2, instances(1))
    cloud.admin.ask(
        "PUT",
        "/limits/astronomy",
        {"max_leases": 1, "max_instance_hours": 1, "max_lease_duration": 3600, "max_days_ahead": 1},
    )
    shorter = tycho.change(lease, end_date=at(90))
    fewer = tycho.change(shorter, reservations=[{"id": lease["reservations"][0]["id"], "amount": 2}])
    assert fewer["reservations"][0]["amount"] == 2
    assert tycho.refused("PUT", f"/leases/{lease['id']}", {"end_date": at(95)})[0] == 400
    more = {"reservations": [{"id": lease["reservations"][0]["id"], "amount": 3}]}
    assert tycho.refused("PUT", f"/leases/{lease['id']}", more)[0] == 403


def test_who_waits_keeps_the_notice_that_was_asked_for(cloud: ReservationCloud, tycho: Reserver) -> None:
    first = tycho.lease(1, 10, instances(16))
    waiting = tycho.lease(2, 8, instances(1), on_conflict="wait", before_end_date=at(7.5))
    order = new_lease(2, 8, instances(1), on_conflict="wait", before_end_date=at(9))
    assert tycho.refused("POST", "/leases", order)[0] == 403
    tycho.ask("DELETE", f"/leases/{first['id']}")
    promoted = tycho.shown(waiting)
    assert promoted["status"] == "PENDING"
    assert {event["event_type"]: event["time"] for event in promoted["events"]} == {
        "start_lease": shown(2),
        "before_end_lease": shown(7.5),
        "end_lease": shown(8),
    }


def test_what_was_done_is_not_refused_because_of_those_who_wait(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 10, instances(16))
    waiting = tycho.lease(2, 8, instances(1), on_conflict="wait")
    with patch.object(PlacementClient, "read_providers", side_effect=Unavailable("Placement is away.")):
        assert tycho.send("DELETE", f"/leases/{lease['id']}").status_code == 204
        assert tycho.refused("POST", "/leases", new_lease(1, 2, instances()))[0] == 503
    assert tycho.shown(waiting)["status"] == "WAITING"
    promote(cloud.room)
    assert tycho.shown(waiting)["status"] == "PENDING"
