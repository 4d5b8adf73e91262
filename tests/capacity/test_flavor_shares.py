"""What is used, committed, pending and free of each pooled flavor, from servers and leases."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

from msgspec.structs import replace as changed

from moorage.capacity.flavor_demand import demand_by_flavor
from moorage.capacity.flavor_shares import FlavorShare, flavor_shares
from moorage.capacity.lease_demand import Promises
from moorage.capacity.model.cloud import read_snapshot, write_snapshot
from moorage.capacity.model.demand import Demand, FlavorDemand
from moorage.client.compute import Aggregate, FlavorOfServer, Server
from moorage.client.reservation import Lease, Reservation, ReservationHost
from tests.capacity.small_cloud import host, snapshot

ZONES = [Aggregate(1, "", "n", "north"), Aggregate(2, "", "s", "south")]
HOSTS = [ReservationHost("1", "n1", 64, 65536, "north"), ReservationHost("2", "s1", 32, 32768, "south")]
BY_FLAVOR = Reservation("r1", "flavor:instance", "active", 4, 4, json.dumps({"name": "small", "extra_specs": {}}))
BY_SIZE = Reservation("r2", "virtual:instance", "active", 4, 4)
SPLIT = {"quota:separate": "true"}


def server(flavor: str, zone: str, **more: str) -> Server:
    return Server(
        "x", "x", "ACTIVE", "p", "u", FlavorOfServer(flavor, 4, 4, 10, extra_specs=more), availability_zone=zone
    )


def lease(days: tuple[int, int], *reservations: Reservation) -> Lease:
    start, end = (datetime(2030, 1, day, tzinfo=UTC) for day in days)
    return Lease("l", "ACTIVE", start, end, reservations)


def demand(**promises: object) -> dict[tuple[str, str], Demand]:
    found = demand_by_flavor(Promises(**{"aggregates": ZONES, "hosts": HOSTS, "servers": [], **promises}))  # type: ignore[arg-type]
    return {(each.flavor, each.zone): each.demand for each in found}


def test_servers_are_counted_by_flavor_and_zone() -> None:
    servers = [server("small", "north"), server("small", "north"), server("old", "south"), server("small", "nowhere")]
    split = [server("big", "north", **SPLIT), server("metal", "north", **{"capabilities:hypervisor_type": "ironic"})]
    assert demand(servers=[*servers, *split]) == {("small", "north"): Demand(2), ("old", "south"): Demand(1)}


def test_slots_of_a_flavor_are_promised_until_a_server_takes_them() -> None:
    later = changed(BY_FLAVOR, id="r3", status="pending")
    slots = [("1", "r1"), ("1", "r1"), ("2", "r1"), ("2", "r3"), ("2", "r5"), ("1", "r2"), ("1", "r4")]
    of_a_split_flavor = changed(
        BY_FLAVOR, id="r4", resource_properties=json.dumps({"name": "big", "extra_specs": SPLIT})
    )
    # The successor takes over the slot in the south, and waits for nothing.
    successor = changed(later, id="r5")
    leases = [
        lease((1, 3), BY_FLAVOR, BY_SIZE, of_a_split_flavor),
        lease((2, 4), later),
        lease((4, 5), successor),
    ]
    servers = [
        server("reservation:r1", "north"),
        server("reservation:r2", "north"),
        server("reservation:gone", "north"),
    ]
    assert demand(leases=leases, slots=slots, servers=servers) == {
        ("small", "north"): Demand(1, 1, 0),
        ("small", "south"): Demand(0, 1, 1),
    }


def test_what_is_free_is_how_many_more_fit_and_none_of_what_is_offered_no_more() -> None:
    given = snapshot({"north": (host("a", used=20),), "south": (host("b"),)}, {})
    assert not list(flavor_shares(given))  # nobody has looked at the servers
    asked = (FlavorDemand("small", "north", Demand(5, 1, 2)), FlavorDemand("old", "south", Demand(3)))
    given = replace(given, of_flavors=asked)
    expected = [
        FlavorShare("old", "north", 0, 0, 0, 0),
        FlavorShare("old", "south", 3, 0, 0, 0),
        FlavorShare("small", "north", 5, 1, 2, 20),
        FlavorShare("small", "south", 0, 0, 0, 25),
    ]
    assert list(flavor_shares(given)) == expected
    assert list(flavor_shares(read_snapshot(write_snapshot(given)))) == expected
