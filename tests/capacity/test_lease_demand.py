"""Demand that follows from servers and leases."""

from __future__ import annotations

import json
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
SPLIT = Reservation("r2", "flavor:instance", "active", 16, 65536, SOURCE)


def server(flavor: str, zone: str = "north", host: str = "n1", **extra_specs: str) -> Server:
    shape = FlavorOfServer(
        flavor, 2, 2048, 10, extra_specs={key.replace("__", ":"): v for key, v in extra_specs.items()}
    )
    return Server("x", "x", "ACTIVE", "p", "u", shape, availability_zone=zone, hypervisor_name=host)


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
    leases = [Lease("l1", "ACTIVE", (SHAPE,)), Lease("l2", "PENDING", (later,)), Lease("l3", "TERMINATED", ())]
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
    found = demand(leases=[Lease("l", lease_status, (replace(SHAPE, status=status),))], slots=[("1", "r1")])
    assert found.get(("cores", "north")) == expected


def test_servers_of_split_flavors_use_up_a_whole_host_too() -> None:
    lease = Lease("l", "ACTIVE", (Reservation("r3", "physical:host", "active"),))
    found = demand(leases=[lease], slots=[("1", "r3")], servers=[server("big", quota__separate="true")])
    assert found[("instances_big", "north")] == Demand(1)
    assert found[("cores", "north")] == Demand(0, 62)
    assert found[("ram", "north")] == Demand(0, 63488)


def test_of_a_whole_host_what_its_servers_leave_is_promised() -> None:
    lease = Lease("l", "ACTIVE", (Reservation("r3", "physical:host", "active"),))
    found = demand(leases=[lease], slots=[("1", "r3")], servers=[server("m1")])
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
