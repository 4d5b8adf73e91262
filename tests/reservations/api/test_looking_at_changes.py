"""Looking before a lease is changed: what would become of it, why not, what instead; and nothing is different then."""

from __future__ import annotations

from typing import Any

import pytest

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


def dry(somebody: Reserver, lease: Any, **fields: Any) -> Any:
    return somebody.ask("PUT", f"/leases/{lease['id']}", fields, dry_run=True)


def resized(lease: Any, **fields: Any) -> dict[str, Any]:
    return {"reservations": [{"id": lease["reservations"][0]["id"], **fields}]}


def test_it_fits_says_where_and_changes_nothing(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 10, instances(12))
    before = (tycho.ask("GET", "/leases"), cloud.admin.ask("GET", "/os-hosts/allocations"))
    found = dry(tycho, lease, end_date=at(20), name="longer")
    assert found["fits"]
    assert (found["lease"]["name"], found["lease"]["end_date"]) == ("longer", shown(20))
    assert sorted(place["slots"] for place in found["hosts"]) == [4, 8]
    assert {place["host"] for place in found["hosts"]} == {"host 1", "host 2"}
    assert {place["host"] for place in dry(cloud.admin, lease, **resized(lease, amount=16))["hosts"]} == {"one", "two"}
    assert before == (tycho.ask("GET", "/leases"), cloud.admin.ask("GET", "/os-hosts/allocations"))
    assert tycho.change(lease, end_date=at(20), name="longer") == found["lease"]


def test_an_extension_is_no_new_lease(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 10, instances(8))
    cloud.admin.ask("PUT", "/limits/astronomy", {"max_leases": 1})
    assert not tycho.ask("POST", "/leases", new_lease(10, 20, instances(8)), dry_run=True)["fits"]
    assert dry(tycho, lease, end_date=at(20))["fits"]
    tycho.change(lease, end_date=at(20))


def test_what_is_active_may_be_extended_until_somebody_else_has_its_hosts(
    cloud: ReservationCloud, tycho: Reserver
) -> None:
    lease = tycho.lease(0, 10, instances(8, affinity=True))
    cloud.settle(1)
    cloud.maria.lease(15, 20, whole_hosts(2))
    found = dry(cloud.admin, lease, end_date=at(18))
    # The other host is as full by then, but has nothing to do with it.
    [shortage] = found["shortages"]
    assert (shortage["resource"], shortage["free"], shortage["wanted"]) == ("host", 0, 8)
    assert (shortage["held_by_leases"], shortage["held_until"]) == (1, shown(20))
    assert found["alternatives"] == [{"kind": "shorter", "amount": None, "start_date": None, "end_date": shown(15)}]
    assert tycho.refused("PUT", f"/leases/{lease['id']}", {"end_date": at(18)}) == (409, found["reason"])
    assert tycho.refused("PUT", f"/leases/{lease['id']}", {"end_date": at(15 + 1 / 60)})[0] == 409
    tycho.change(lease, end_date=at(15))
    # Not a minute of what is wanted now is free.
    assert dry(tycho, lease, end_date=at(18))["alternatives"] == []


@pytest.mark.parametrize(
    ("others", "affinity", "had", "wanted", "most", "short"),
    [
        # Four of what it has are on the host where the others are, and two on the other one.
        (4, None, 6, 16, 12, [("one", 4, 5)]),
        (4, True, 3, 16, 4, [("one", 4, 16)]),
        (8, False, 1, 2, None, [("one", 0, 1)]),
    ],
    ids=["anywhere", "together", "apart"],
)
def test_what_is_active_may_grow_as_far_as_there_is_room(
    cloud: ReservationCloud,
    tycho: Reserver,
    others: int,
    affinity: bool | None,
    had: int,
    wanted: int,
    most: int | None,
    short: list[tuple[str, int, int]],
) -> None:
    cloud.maria.lease(0, 24, instances(others, affinity=True))
    lease = tycho.lease(0, 24, instances(had, affinity=affinity))
    cloud.settle(1)
    found = dry(cloud.admin, lease, **resized(lease, amount=wanted))
    path = f"/leases/{lease['id']}"
    assert tycho.refused("PUT", path, resized(lease, amount=wanted)) == (409, found["reason"])
    assert [(one["host"], one["free"], one["wanted"]) for one in found["shortages"]] == short
    assert [(one["kind"], one["amount"]) for one in found["alternatives"]] == ([("fewer", most)] if most else [])
    assert tycho.refused("PUT", path, resized(lease, amount=(most or had) + 1))[0] == 409
    tycho.change(lease, **resized(lease, amount=most or had))


def test_whole_hosts_grow_too(cloud: ReservationCloud, tycho: Reserver) -> None:
    cloud.add_host("three")
    lease = tycho.lease(0, 24, whole_hosts(1))
    cloud.maria.lease(0, 24, instances(1))
    cloud.settle(1)
    found = dry(cloud.admin, lease, **resized(lease, min=3, max=3))
    assert [(one["kind"], one["amount"]) for one in found["alternatives"]] == [("fewer", 2)]
    [shortage] = found["shortages"]
    assert (shortage["resource"], shortage["wanted"]) == ("host", 1)


def test_what_has_not_started_may_go_elsewhere(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 5, instances(6))
    cloud.maria.lease(10, 20, instances(12))
    found = dry(tycho, lease, start_date=at(8), end_date=at(12))
    assert not found["fits"]
    assert {one["kind"]: (one["amount"], one["start_date"]) for one in found["alternatives"]} == {
        "fewer": (4, None),
        "later": (6, shown(20)),
    }
    assert dry(tycho, lease, start_date=at(20), end_date=at(24))["fits"]
    longer = dry(tycho, lease, end_date=at(30))
    assert longer["alternatives"][0] == {
        "kind": "shorter",
        "amount": None,
        "start_date": None,
        "end_date": shown(10),
    }


def test_all_of_a_lease_has_to_fit(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 5, instances(4), whole_hosts(1))
    cloud.maria.lease(10, 20, instances(8, affinity=True))
    found = dry(cloud.admin, lease, end_date=at(12))
    # The instances would still fit, and then there is no host without any.
    assert found["reason"] == "Not enough hosts available: 0 of 1 hosts are free for the whole time."
    assert {shortage["resource"] for shortage in found["shortages"]} == {"host"}
    assert [(one["kind"], one["end_date"]) for one in found["alternatives"]] == [("shorter", shown(10))]
    tycho.change(lease, end_date=at(10))


def test_limits_count_as_for_the_change(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 10, instances(1))
    cloud.admin.ask("PUT", "/limits/astronomy", {"max_days_ahead": 1, "max_instance_hours": 12})
    for fields in ({"end_date": at(40)}, resized(lease, amount=2)):
        found = dry(tycho, lease, **fields)
        assert (found["fits"], found["lease"], found["shortages"], found["alternatives"]) == (False, None, [], [])
        assert tycho.refused("PUT", f"/leases/{lease['id']}", fields)[1] == found["reason"]
        assert dry(cloud.admin, lease, **fields)["fits"]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"end_date": at(-1)}, 400),
        ({"end_date": "soon"}, 400),
        ({"start_date": at(2)}, 400),
        ({"before_end_date": at(30)}, 403),
        ({"reservations": [{"id": "nobody's", "amount": 2}]}, 400),
        ({"name": ""}, 400),
    ],
    ids=str,
)
def test_what_is_wrong_is_refused_as_by_the_change(
    cloud: ReservationCloud, tycho: Reserver, fields: dict[str, Any], status: int
) -> None:
    lease = tycho.lease(0, 10, instances(1))
    cloud.settle(1)
    path = f"/leases/{lease['id']}"
    refusal = tycho.refused("PUT", path, fields, dry_run=True)
    assert refusal[0] == status
    assert tycho.refused("PUT", path, fields) == refusal


def test_a_lease_that_is_over_can_only_be_renamed(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(0, 2, instances(1))
    cloud.settle(3)
    path = f"/leases/{lease['id']}"
    assert tycho.refused("PUT", path, {"end_date": at(9)}, dry_run=True)[0] == 400
    assert dry(tycho, lease, name="history")["lease"]["name"] == "history"
    assert tycho.shown(lease)["name"] == "mine"


def test_only_who_may_change_it_may_ask(cloud: ReservationCloud, tycho: Reserver) -> None:
    lease = tycho.lease(1, 10, instances(1))
    path, fields = f"/leases/{lease['id']}", {"end_date": at(20)}
    reader = Reserver(cloud.application, "tycho:astronomy", "reader")
    assert reader.refused("PUT", path, fields, dry_run=True)[0] == 403
    assert cloud.maria.refused("PUT", path, fields, dry_run=True)[0] == 404
    assert cloud.clock.now == BEGIN
