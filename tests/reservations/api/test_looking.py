"""Looking before booking: what would fit, why not, when instead, and what is free."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

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


def dry(somebody: Reserver, start: float, end: float, *reservations: object) -> Any:
    return somebody.ask("POST", "/leases", new_lease(start, end, *reservations), dry_run=True)


def test_a_dry_run_books_nothing_and_says_where(cloud: ReservationCloud, tycho: Reserver) -> None:
    found = dry(tycho, 1, 25, instances(12))
    assert found["fits"]
    assert sorted(place["slots"] for place in found["hosts"]) == [4, 8]
    assert {place["host"] for place in found["hosts"]} == {"host 1", "host 2"}
    assert {place["host"] for place in dry(cloud.admin, 1, 25, instances(12))["hosts"]} == {"one", "two"}
    assert tycho.ask("GET", "/leases")["leases"] == []


def test_a_host_that_has_just_been_added_is_looked_at(cloud: ReservationCloud, tycho: Reserver) -> None:
    """What others have is not asked for again at each look."""
    assert not dry(tycho, 1, 25, instances(17))["fits"]
    cloud.add_host("three")
    assert dry(tycho, 1, 25, instances(17))["fits"]


def test_what_does_not_fit_is_explained_with_what_would(cloud: ReservationCloud, tycho: Reserver) -> None:
    cloud.maria.lease(1, 10, instances(14))
    found = dry(cloud.admin, 5, 8, instances(4))
    assert not found["fits"]
    assert found["reason"].startswith("Not enough hosts available: 2 of 4")
    [shortage] = found["shortages"]
    assert (shortage["resource"], shortage["free"], shortage["held_by_leases"]) == ("VCPU", 0, 1)
    assert shortage["held_until"] == shown(10)
    assert {one["kind"]: one for one in found["alternatives"]} == {
        "fewer": {"kind": "fewer", "amount": 2, "start_date": None},
        "later": {"kind": "later", "amount": 4, "start_date": shown(10)},
    }
    apart = dry(tycho, 11, 12, instances(3, affinity=False))
    assert {"kind": "other affinity", "amount": 3, "start_date": None, "affinity": None} in apart["alternatives"]
    assert "maria" not in str(apart)
    whole = dry(tycho, 1, 2, whole_hosts(1))
    assert {one["resource"] for one in whole["shortages"]} == {"host"}


def test_slots_are_the_times_at_which_it_would_fit(cloud: ReservationCloud, tycho: Reserver) -> None:
    tycho.lease(1, 10, instances(14))
    tycho.lease(20, 30, instances(14))
    wanted = {"vcpus": 1, "memory_mb": 512, "amount": 4, "duration": 120}
    found = tycho.ask("GET", "/slots", **wanted)["slots"]
    assert [(one["start_date"], one["latest_start_date"]) for one in found][:2] == [
        (shown(10), shown(18)),
        (shown(30), found[1]["latest_start_date"]),
    ]
    # Each can be booked as it is offered, and a minute earlier it cannot.
    earlier = new_lease(10 - 1 / 60, 12, instances(4))
    assert tycho.refused("POST", "/leases", earlier)[0] == 409
    tycho.lease(10, 12, instances(4))
    whole = tycho.ask("GET", "/slots", resource_type="physical:host", amount=2, duration=60)["slots"]
    assert (whole[0]["start_date"], whole[0]["latest_start_date"]) == (shown(0), shown(0))
    assert whole[1]["start_date"] == shown(12)
    assert tycho.refused("GET", "/slots", vcpus=1, memory_mb=1)[0] == 400
    assert tycho.refused("GET", "/slots", vcpus=1, memory_mb=1, duration="long")[0] == 400


def test_availability_is_for_everybody_and_names_nobody(cloud: ReservationCloud, tycho: Reserver) -> None:
    cloud.maria.lease(1, 3, instances(5))
    cloud.maria.lease(2, 4, whole_hosts(1))
    found = tycho.ask("GET", "/availability", vcpus=1, memory_mb=512, start=at(0), end=at(5))["availability"]
    assert [(one["start_date"], one["end_date"], one["free"]) for one in found] == [
        (shown(0), shown(1), 16),
        (shown(1), shown(2), 11),
        (shown(2), shown(3), 3),
        (shown(3), shown(4), 8),
        (shown(4), shown(5), 16),
    ]
    hosts = tycho.ask("GET", "/availability", resource_type="physical:host", start=at(0), end=at(5))["availability"]
    assert [one["free"] for one in hosts] == [2, 1, 0, 1, 2]
    assert "botany" not in str(found)
    assert tycho.refused("GET", "/availability", vcpus=1, memory_mb=512, start=at(5), end=at(5))[0] == 400


def test_leases_are_a_calendar_that_programs_can_subscribe_to(cloud: ReservationCloud, tycho: Reserver) -> None:
    tycho.lease(1, 3, name="a, b; c")
    cloud.maria.lease(1, 3, name="secret")
    answer = tycho.send("GET", "/leases.ics")
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    lines = answer.text.split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert "DTSTART:20300101T130000Z" in lines
    assert r"SUMMARY:a\, b\; c" in lines
    assert "secret" not in answer.text


def test_who_waits_is_promoted_first_come_first_served(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 10, instances(16))
    first = tycho.lease(2, 5, instances(10), on_conflict="wait")
    second = tycho.lease(2, 5, instances(10), on_conflict="wait")
    third = tycho.lease(2, 5, instances(6), on_conflict="wait")
    assert [one["status"] for one in (first, second, third)] == ["WAITING"] * 3
    assert first["events"] == []
    tycho.ask("DELETE", f"/leases/{lease['id']}")
    assert [tycho.shown(one)["status"] for one in (first, second, third)] == ["PENDING", "WAITING", "PENDING"]
    assert tycho.shown(first)["events"][0]["event_type"] == "start_lease"
    cloud.clock.now = BEGIN + timedelta(hours=5)
    promote(cloud.room)
    assert tycho.shown(second)["status"] == "TERMINATED"


def test_projects_have_limits(cloud: ReservationCloud, tycho: Reserver) -> None:
    admin, maria = cloud.admin, cloud.maria
    wanted = {"max_leases": 2, "max_instance_hours": 20, "max_lease_duration": 36000, "max_days_ahead": 3}
    assert admin.ask("PUT", "/limits/astronomy", wanted)["limits"] == {"project_id": "astronomy", **wanted}
    assert tycho.ask("GET", "/limits")["limits"]["max_leases"] == 2
    assert tycho.refused("POST", "/leases", new_lease(1, 12, instances()))[0] == 400
    assert tycho.refused("POST", "/leases", new_lease(71, 73, instances()))[0] == 400
    assert tycho.refused("POST", "/leases", new_lease(1, 11, instances(3)))[0] == 403
    lease = tycho.lease(1, 11, instances(1))
    other = tycho.lease(1, 2, instances(1))
    assert tycho.refused("POST", "/leases", new_lease(1, 2, instances()))[0] == 403
    more = {"reservations": [{"id": lease["reservations"][0]["id"], "amount": 2}]}
    assert tycho.refused("PUT", f"/leases/{lease['id']}", more)[0] == 403
    tycho.ask("DELETE", f"/leases/{other['id']}")
    tycho.change(lease, **more)
    maria.lease(1, 100, instances(2))
    assert maria.refused("PUT", "/limits/botany", {"max_leases": 9})[0] == 403
    assert maria.refused("GET", "/limits", project_id="astronomy")[0] == 403
    assert admin.refused("PUT", "/limits/botany", {"max_unicorns": 9})[0] == 400
    admin.ask("PUT", "/limits/astronomy", {})
    tycho.lease(1, 100, instances(2))


def test_a_project_sees_what_it_has_booked(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 3, instances(4))
    cloud.maria.lease(1, 3, instances(1))
    usage = tycho.ask("GET", "/usage")["usage"]
    assert (usage["leases"], usage["instance_hours"], usage["idle_leases"]) == (1, 8.0, [])
    [row] = usage["details"]
    assert (row["id"], row["slots"], row["servers"], row["idle"]) == (lease["id"], 4, 0, False)
    assert tycho.refused("GET", "/usage", project_id="botany")[0] == 403


def test_a_report_is_about_a_time(cloud: ReservationCloud, tycho: Reserver) -> None:
    tycho.lease(1, 3, instances(4))
    deleted = tycho.lease(1, 5, instances(1))
    cloud.maria.lease(1, 3, instances(1))
    cloud.settle(2)
    tycho.ask("DELETE", f"/leases/{deleted['id']}")
    cloud.settle()
    cloud.settle(4)
    assert tycho.ask("GET", "/usage")["usage"]["instance_hours"] == 0
    usage = tycho.ask("GET", "/usage", start=at(0), end=at(24))["usage"]
    assert (usage["leases"], usage["instance_hours"], usage["start_date"]) == (2, 9.0, shown(0))
    assert tycho.ask("GET", "/usage", start=at(2.5), end=at(24))["usage"]["instance_hours"] == 2.0
    everybody = cloud.admin.ask("GET", "/usage", start=at(0), end=at(24), all_projects=True)["usage"]
    assert (everybody["project_id"], everybody["instance_hours"]) == (None, 11.0)
    assert tycho.refused("GET", "/usage", all_projects=True)[0] == 403
    assert tycho.refused("GET", "/usage", start=at(3))[0] == 400
    assert tycho.refused("GET", "/usage", start=at(3), end=at(3))[0] == 400
