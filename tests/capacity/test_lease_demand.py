"""Demand that follows from servers and leases."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from moorage.capacity.lease_demand import Promises, request_from_leases
from moorage.capacity.model.demand import Demand
from moorage.client.compute import Aggregate, FlavorOfServer, Server
from moorage.client.reservation import Lease, Reservation, ReservationHost
from tests.capacity.moorage_cloud import MoorageCloud, configured

AGGREGATES = [Aggregate(1, "", "n", "north"), Aggregate(2, "", "s", "south"), Aggregate(3, "", "none")]
HOSTS = [ReservationHost("1", "n1", 64, 65536, "north"), ReservationHost("2", "s1", 32, 32768, "south")]
SHAPE = Reservation("r1", "virtual:instance", "active", 4, 4096)
SOURCE = json.dumps({"name": "big", "extra_specs": {"quota:separate": "true"}})
WHOLE = Reservation("r3", "physical:host", "active")
SPLIT = Reservation("r2", "flavor:instance", "active", 16, 65536, SOURCE)


def server(flavor: str, zone: str = "north", host: str = "n1", **extra_specs: str) -> Server:
    shape = FlavorOfServer(
        flavor, 2, 2048, 10, extra_specs={key.replace("__", ":"): v for key, v in extra_specs.items()}
    )
    return Server("x", "x", "ACTIVE", "p", "u", shape, availability_zone=zone, hypervisor_name=host)


def lease(*reservations: Reservation, status: str = "ACTIVE", days: tuple[int, int] = (1, 2)) -> Lease:
    start, end = (datetime(2030, 1, day, tzinfo=UTC) for day in days)
    return Lease("l", status, start, end, reservations)


def demand(**promises: object) -> dict[tuple[str, str], Demand]:
    given = {"aggregates": AGGREGATES, "servers": [], "hosts": HOSTS, **promises}
    request = request_from_leases(Promises(**given))  # type: ignore[arg-type]
    assert request.zones == ("north", "south")
    return {(name, zone): found for name, each in request.demand.items() for zone, found in each.per_zone.items()}


def test_servers_are_usage() -> None:
    found = demand(servers=[server("m1"), server("big", "south", quota__separate="true"), server("m1", "nowhere")])
    assert found == {
        ("cores", "north"): Demand(2),
        ("instances", "north"): Demand(1),
        ("ram", "north"): Demand(2048),
        ("instances_big", "south"): Demand(1),
    }


def test_free_slots_of_running_leases_are_promised_and_those_of_coming_ones_waited_for() -> None:
    later = replace(SPLIT, status="pending")
    leases = [lease(SHAPE), lease(later, status="PENDING"), lease(status="TERMINATED")]
    slots = [("1", "r1"), ("1", "r1"), ("2", "r1"), ("2", "r2")]
    found = demand(leases=leases, slots=slots, servers=[server("reservation:r1")])
    assert found[("cores", "north")] == Demand(4, 4)
    assert found[("instances", "north")] == Demand(1, 1)
    assert found[("cores", "south")] == Demand(0, 4)
    assert found[("instances_big", "south")] == Demand(0, 0, 1)


def test_a_server_of_a_lease_counts_as_one_of_its_flavor_also_where_nobody_knows_the_lease() -> None:
    leased = server("reservation:r2", quota__separate="true", quota__flavor="big")
    assert demand(servers=[leased]) == {("instances_big", "north"): Demand(1)}


@pytest.mark.parametrize("lease_status", ["ACTIVE", "TERMINATING", "UPDATING", "ERROR"])
@pytest.mark.parametrize(
    ("status", "expected"),
    [("active", Demand(0, 4)), ("pending", Demand(0, 0, 4)), ("error", None), ("deleted", None)],
)
def test_the_status_of_a_reservation_says_whether_its_slots_are_promised(
    lease_status: str, status: str, expected: Demand | None
) -> None:
    found = demand(leases=[lease(replace(SHAPE, status=status), status=lease_status)], slots=[("1", "r1")])
    assert found.get(("cores", "north")) == expected


def to_come(reservation: Reservation, *days: int) -> Lease:
    """A lease to come, from one day to another; its reservation has an id of its own."""
    named = f"{reservation.id}-{days[0]}-{days[1]}"
    return lease(replace(reservation, id=named, status="pending"), status="PENDING", days=(days[0], days[1]))


def slots_of(*leases: Lease, host: str = "1", count: int = 1) -> list[tuple[str, str]]:
    return [(host, each.id) for lease in leases for each in lease.reservations for _ in range(count)]


def test_leases_that_follow_each_other_wait_for_the_same_slots() -> None:
    nights = [to_come(SPLIT, night, night + 1) for night in range(1, 31)]
    found = demand(leases=nights, slots=slots_of(*nights, count=5))
    assert found == {("instances_big", "north"): Demand(0, 0, 5)}


def test_leases_to_come_wait_for_what_is_needed_when_most_is_held_at_once() -> None:
    leases = [to_come(SHAPE, 3, 6), to_come(SHAPE, 5, 8), to_come(SHAPE, 7, 9)]
    found = demand(leases=leases, slots=[*slots_of(*leases), *slots_of(leases[2])])
    # On day 7 one of the second and two of the third.
    assert found[("instances", "north")] == Demand(0, 0, 3)
    assert found[("cores", "north")] == Demand(0, 0, 12)


@pytest.mark.parametrize(
    ("days", "pending"),
    # A successor takes over what the running lease has until day 4; who comes earlier, or needs more, waits for more.
    [((4, 9), 0), ((6, 9), 0), ((3, 9), 2)],
)
def test_a_successor_takes_over_the_slots_of_a_running_lease(days: tuple[int, int], pending: int) -> None:
    running, successor = lease(SHAPE, days=(1, 4)), to_come(SHAPE, *days)
    found = demand(
        leases=[successor, running],
        slots=slots_of(successor, running, count=2),
        servers=[server("reservation:r1")],
    )
    assert found[("instances", "north")] == Demand(1, 1, pending)


def test_a_larger_successor_waits_for_the_rest() -> None:
    running, successor = lease(SHAPE, days=(1, 4)), to_come(SHAPE, 4, 9)
    found = demand(leases=[running, successor], slots=[*slots_of(running, count=2), *slots_of(successor, count=5)])
    assert found[("instances", "north")] == Demand(0, 2, 3)


def test_slots_of_other_zones_and_flavors_are_counted_by_themselves() -> None:
    running, other_zone, other_kind = lease(SHAPE, days=(1, 4)), to_come(SHAPE, 4, 9), to_come(SPLIT, 4, 9)
    slots = [*slots_of(running), *slots_of(other_zone, host="2"), *slots_of(other_kind)]
    found = demand(leases=[running, other_zone, other_kind], slots=slots)
    assert found[("cores", "north")] == Demand(0, 4)
    assert found[("cores", "south")] == Demand(0, 0, 4)
    assert found[("instances_big", "north")] == Demand(0, 0, 1)


def test_who_follows_on_a_whole_host_takes_over_what_its_servers_use() -> None:
    running, successor = lease(WHOLE, days=(1, 4)), to_come(WHOLE, 4, 9)
    found = demand(leases=[running, successor], slots=slots_of(running, successor), servers=[server("m1")])
    assert found[("cores", "north")] == Demand(2, 62)


def test_what_stays_on_a_whole_host_is_not_waited_for() -> None:
    coming = to_come(WHOLE, 4, 9)
    found = demand(leases=[coming], slots=slots_of(coming), servers=[server("m1"), server("reservation:r1")])
    assert found[("cores", "north")] == Demand(4, 0, 60)
    leaving = lease(SHAPE, days=(1, 4))
    servers = [server("m1"), server("reservation:r1")]
    slots = [*slots_of(coming), *slots_of(leaving)]
    found = demand(leases=[coming, leaving], slots=slots, servers=servers)
    # Four are held until then by the lease whose server leaves with it, 62 from then on.
    assert found[("cores", "north")] == Demand(6, 0, 58)


def test_servers_of_split_flavors_use_up_a_whole_host_too() -> None:
    found = demand(leases=[lease(WHOLE)], slots=[("1", "r3")], servers=[server("big", quota__separate="true")])
    assert found[("instances_big", "north")] == Demand(1)
    assert found[("cores", "north")] == Demand(0, 62)
    assert found[("ram", "north")] == Demand(0, 63488)


def test_of_a_whole_host_what_its_servers_leave_is_promised() -> None:
    found = demand(leases=[lease(WHOLE)], slots=[("1", "r3")], servers=[server("m1")])
    assert found[("cores", "north")] == Demand(2, 62)
    assert found[("ram", "north")] == Demand(2048, 63488)


@pytest.fixture
def cloud(empty_database: str, installation: object, tmp_path: Path) -> MoorageCloud:
    content = {"hypervisor_selection": {"aggregate_name_pattern": "^vc-"}}
    cloud = MoorageCloud.over(empty_database, liquid__config_file=configured(tmp_path, content))
    cloud.add_hosts("north", ["n1"], vcpus=32, ram=131072, disk=2000)
    cloud.add_flavor("small", 2, 4096, 20)
    return cloud


def test_a_report_from_leases_needs_no_body(cloud: MoorageCloud) -> None:
    report = cloud.do("POST", "/liquid-nova/v1/report-capacity?demand=leases")
    assert report["resources"]["cores"]["perAZ"] == {"north": {"capacity": 32, "usage": 0}}


def test_a_demand_comes_from_one_place(cloud: MoorageCloud) -> None:
    path = "/liquid-nova/v1/report-capacity"
    for query, body in (
        ("", None),
        ("?demand=leases", {"allAZs": []}),
        ("?demand=rumours", None),
        ("?x=1", {"allAZs": []}),
    ):
        assert cloud.send("POST", f"{path}{query}", body).status == 400
