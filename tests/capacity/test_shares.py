"""What is used, committed, pending and free of each resource in each zone, also when hypervisors go."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.demand import Demand
from moorage.capacity.packing.zone import Phase, Reason
from moorage.capacity.report import CapacityAccount, report_capacity
from moorage.capacity.shares import Share, pooled_shares, split_shares
from moorage.capacity.what_if import without
from tests.capacity.small_cloud import POOLED, SHADOWING, host, snapshot

FOR_THE_POOL = "the room that is left is for pooled flavors"


def drained(given: Snapshot, *names: str) -> Snapshot:
    return replace(given, cloud=without(given.cloud, names))


def account_of(given: Snapshot) -> CapacityAccount:
    return report_capacity(given.cloud, given.request, given.configuration)


def shares(given: Snapshot) -> dict[tuple[str, str], Share]:
    account = account_of(given)
    found = [*pooled_shares(account, given.request), *split_shares(account, given.request)]
    # Whatever it is made of, it is the capacity that the report tells.
    assert {(each.resource, each.zone): each.capacity for each in found} == {
        (resource, zone): each.capacity
        for resource, zones in account.report.resources.items()
        for zone, each in zones.items()
    }
    return {(each.name, each.zone): each for each in found}


@pytest.mark.parametrize(
    ("gone", "capacity", "free"),
    [
        ((), 300, 120),
        (("empty",), 200, 20),
        # What ran on a full host is still in use, so no less is lost with it than with an empty one.
        (("full",), 200, 20),
        (("full", "half"), 100, -80),
        (("full", "half", "empty"), 0, -180),
    ],
)
def test_who_loses_a_host_still_has_its_servers(gone: tuple[str, ...], capacity: int, free: int) -> None:
    hosts = (host("full", used=100), host("half", used=50), host("empty"))
    demand = {("cores", "north"): Demand(150, 20, 10)}
    found = shares(drained(snapshot({"north": hosts}, demand, flavors=(POOLED,)), *gone))["cores", "north"]
    assert found == Share("cores", "cores", "north", used=150, committed=20, pending=10, free=free)
    assert found.capacity == capacity


def test_instances_of_split_flavors_are_taken_off_the_pool_once() -> None:
    # Placement counts the cores of the three big servers in what is used of the host; the pool has lost them already.
    demand = {
        ("cores", "north"): Demand(60, 110),
        ("ram", "north"): Demand(60, 110),
        ("instances", "north"): Demand(15, 10),
        ("instances_big", "north"): Demand(3),
    }
    found = shares(snapshot({"north": (host("a", used=90), host("b"))}, demand, split_on=("a", "a", "a")))
    assert found["big", "north"] == Share(
        "instances_big", "big", "north", used=3, committed=0, pending=0, free=0, limit=FOR_THE_POOL
    )
    assert found["cores", "north"] == Share("cores", "cores", "north", used=60, committed=110, pending=0, free=0)


def test_instances_on_shadowed_hosts_are_in_use_as_long_as_these_are_there() -> None:
    hosts = (host("a"), host("old", SHADOWING, used=20))
    given = snapshot({"north": hosts}, {("instances_big", "north"): Demand(5)}, split_on=("old", "old", "a", "a"))
    assert shares(given)["big", "north"].used == 5
    # Then they need a place on the other one, and get it.
    assert shares(drained(given, "old"))["big", "north"].used == 5
    assert sum(account_of(drained(given, "old")).accounts["north"].placed[Phase.USAGE]) == 3


def test_a_zone_without_hosts_is_told_with_what_finds_no_place_there() -> None:
    zones = {"north": (host("a"),), "south": (host("b"),)}
    given = snapshot(zones, {("instances_big", "south"): Demand(3, 2), ("cores", "south"): Demand(40)}, ("b",) * 3)
    assert shares(given)["big", "south"].used == 3
    then = drained(given, "b")
    found = shares(then)
    assert found["big", "south"] == Share(
        "instances_big",
        "big",
        "south",
        used=0,
        committed=0,
        pending=0,
        free=0,
        limit="no hypervisor takes this flavor, even when empty",
    )
    assert found["cores", "south"] == Share("cores", "cores", "south", used=40, committed=0, pending=0, free=-40)
    refused = account_of(then).accounts["south"].refused
    assert [(each.phase, each.count, each.reason) for each in refused] == [
        (Phase.USAGE, 3, Reason.NO_HOST),
        (Phase.UNUSED_COMMITMENTS, 2, Reason.NO_HOST),
    ]


def test_where_none_of_a_split_flavor_is_counted_though_it_would_fit_it_is_said_why() -> None:
    # The pool is all that is asked for, so all that there is stays for it.
    demand = {(resource, "north"): Demand(100) for resource in ("cores", "ram")}
    found = shares(snapshot({"north": (host("a"), host("b"))}, {**demand, ("instances", "north"): Demand(10, 0, 10)}))
    assert (found["big", "north"].capacity, found["big", "north"].limit) == (0, FOR_THE_POOL)
    packed = {("instances_big", "north"): Demand(20)}
    found = shares(snapshot({"north": (host("a"), host("b"))}, packed, split_on=("a",) * 10 + ("b",) * 10))
    assert (found["big", "north"].free, found["big", "north"].limit) == (0, "no node has enough room left")
