"""Host aggregates and availability zones: ours and Placement's, in step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest

from moorage.compute.context import Compute
from moorage.compute.mirroring import settle_all
from moorage.db.database import Database
from moorage.service.compute_service import mirror, open_compute
from moorage.service.settings import load_settings
from tests.compute.api.clouds import Interruptible, open_cloud
from tests.compute.api.people import Cloud, Person

ELSEWHERE = "a66e0000-0000-4000-8000-000000000001"


def create(admin: Person, name: str = "rack", **fields: Any) -> Any:
    return admin.post("/os-aggregates", {"aggregate": {"name": name, **fields}})["aggregate"]


def act(admin: Person, number: int, action: str, **content: Any) -> Any:
    return admin.post(f"/os-aggregates/{number}/action", {action: content})["aggregate"]


def in_placement(cloud: Cloud, provider: str) -> set[str]:
    return set(cloud.placement.aggregates(provider).aggregates)


def compute_of(cloud: Cloud, database: Database) -> Compute:
    """What the housekeeping of a process works with."""
    settings = load_settings({"api.auth_strategy": "noauth2"}, config_files=[])
    return open_compute(settings, database, lambda: cloud.placement_application)


def test_an_aggregate_is_created_shown_changed_and_deleted(admin: Person) -> None:
    made = create(admin, availability_zone="north")
    assert made.keys() == {
        "id", "uuid", "name", "availability_zone", "created_at", "updated_at", "deleted", "deleted_at",
    }  # fmt: skip
    path = f"/os-aggregates/{made['id']}"
    shown = admin.get(path)["aggregate"]
    assert shown == {**made, "hosts": [], "metadata": {"availability_zone": "north"}}
    assert shown["updated_at"] is None
    assert "uuid" not in admin.at("2.40").get(path)["aggregate"]
    changed = admin.put(path, {"aggregate": {"name": "row", "availability_zone": "south"}})["aggregate"]
    assert (changed["name"], changed["availability_zone"], changed["uuid"]) == ("row", "south", made["uuid"])
    assert [aggregate["name"] for aggregate in admin.get("/os-aggregates")["aggregates"]] == ["row"]
    assert admin.put(path, {"aggregate": {"availability_zone": None}})["aggregate"]["metadata"] == {}
    assert admin.status("DELETE", path) == 200
    assert admin.status("GET", path) == 404
    assert admin.status("DELETE", path) == 404


@pytest.mark.parametrize(
    "aggregate",
    [
        {},
        {"name": ""},
        {"name": "x" * 256},
        {"name": " rack"},
        {"name": "rack", "availability_zone": ""},
        {"name": "rack", "availability_zone": "north:host"},
        {"name": "rack", "availability_zone": "x" * 256},
        {"name": "rack", "colour": "blue"},
    ],
)
def test_what_makes_no_aggregate_is_refused(admin: Person, aggregate: dict[str, Any]) -> None:
    assert admin.status("POST", "/os-aggregates", {"aggregate": aggregate}) == 400
    assert admin.get("/os-aggregates")["aggregates"] == []


def test_names_are_there_once(admin: Person) -> None:
    create(admin)
    other = create(admin, "row")
    assert admin.refused("POST", "/os-aggregates", {"aggregate": {"name": "rack"}})[0] == 409
    assert admin.refused("PUT", f"/os-aggregates/{other['id']}", {"aggregate": {"name": "rack"}})[0] == 409
    assert admin.status("PUT", f"/os-aggregates/{other['id']}", {"aggregate": {"name": "row"}}) == 200
    assert admin.status("PUT", f"/os-aggregates/{other['id']}", {"aggregate": {}}) == 400


def test_numbers_are_numbers(admin: Person) -> None:
    assert admin.status("GET", "/os-aggregates/rack") == 400
    assert admin.status("GET", "/os-aggregates/99") == 404


def test_metadata_are_set_and_taken_away(admin: Person) -> None:
    number = create(admin, availability_zone="north")["id"]
    shown = act(admin, number, "set_metadata", metadata={"ssd": "true", "reservation:pool": ""})
    assert shown["metadata"] == {"availability_zone": "north", "ssd": "true", "reservation:pool": ""}
    shown = act(admin, number, "set_metadata", metadata={"ssd": None, "availability_zone": "south", "gone": None})
    assert shown["metadata"] == {"availability_zone": "south", "reservation:pool": ""}
    for metadata in ({"a": "x" * 256}, {"x" * 256: "a"}, {"a/b": "c"}, {"a": 1}, {"": "a"}):
        body = {"set_metadata": {"metadata": metadata}}
        assert admin.status("POST", f"/os-aggregates/{number}/action", body) == 400


def test_only_administrators_see_aggregates(cloud: Cloud) -> None:
    number = create(cloud.admin)["id"]
    for method, path, body in (
        ("GET", "/os-aggregates", None),
        ("GET", f"/os-aggregates/{number}", None),
        ("POST", "/os-aggregates", {"aggregate": {"name": "mine"}}),
        ("PUT", f"/os-aggregates/{number}", {"aggregate": {"name": "mine"}}),
        ("DELETE", f"/os-aggregates/{number}", None),
        ("POST", f"/os-aggregates/{number}/action", {"add_host": {"host": "h1"}}),
    ):
        assert cloud.tycho.status(method, path, body) == 403


def added_at_once(database: Database, aggregates: Sequence[Mapping[str, Any]]) -> list[int]:
    """The host h1 comes into all of them at the same moment, each by another process; the statuses."""
    body = {"add_host": {"host": "h1"}}

    def add(aggregate: Mapping[str, Any]) -> int:
        return open_cloud(database).admin.status("POST", f"/os-aggregates/{aggregate['id']}/action", body)

    with ThreadPoolExecutor(len(aggregates)) as pool:
        return list(pool.map(add, aggregates))


class TestHosts:
    def test_they_are_in_placement_too(self, cloud: Cloud) -> None:
        host = cloud.add_host("h1")
        cloud.placement.put_aggregates(host, [ELSEWHERE], cloud.placement.aggregates(host).generation)
        rack, row = create(cloud.admin), create(cloud.admin, "row")
        assert act(cloud.admin, rack["id"], "add_host", host="h1")["hosts"] == ["h1"]
        act(cloud.admin, row["id"], "add_host", host="h1")
        assert in_placement(cloud, host) == {ELSEWHERE, rack["uuid"], row["uuid"]}
        assert act(cloud.admin, rack["id"], "remove_host", host="h1")["hosts"] == []
        assert in_placement(cloud, host) == {ELSEWHERE, row["uuid"]}

    def test_what_is_not_there(self, cloud: Cloud) -> None:
        cloud.add_host("h1")
        number = create(cloud.admin)["id"]
        path = f"/os-aggregates/{number}/action"
        assert cloud.admin.refused("POST", path, {"add_host": {"host": "h2"}})[0] == 404
        assert cloud.admin.refused("POST", path, {"remove_host": {"host": "h1"}})[0] == 404
        assert cloud.admin.refused("POST", "/os-aggregates/99/action", {"add_host": {"host": "h1"}})[0] == 404
        assert cloud.admin.refused("POST", path, {"add_host": {"host": "h/1"}})[0] == 400
        assert cloud.admin.refused("POST", path, {"add_host": {}})[0] == 400
        assert cloud.admin.refused("POST", path, {})[0] == 400

    def test_a_host_is_added_once(self, cloud: Cloud) -> None:
        cloud.add_host("h1")
        number = create(cloud.admin)["id"]
        act(cloud.admin, number, "add_host", host="h1")
        assert cloud.admin.refused("POST", f"/os-aggregates/{number}/action", {"add_host": {"host": "h1"}})[0] == 409

    def test_an_aggregate_with_hosts_stays(self, cloud: Cloud) -> None:
        cloud.add_host("h1")
        number = create(cloud.admin)["id"]
        act(cloud.admin, number, "add_host", host="h1")
        code, message = cloud.admin.refused("DELETE", f"/os-aggregates/{number}")
        assert (code, "h1" in message) == (400, True)
        act(cloud.admin, number, "remove_host", host="h1")
        assert cloud.admin.status("DELETE", f"/os-aggregates/{number}") == 200

    def test_a_host_that_is_gone_from_placement_can_leave(self, cloud: Cloud) -> None:
        host = cloud.add_host("h1")
        number = create(cloud.admin)["id"]
        act(cloud.admin, number, "add_host", host="h1")
        cloud.placement.delete_provider(host)
        assert act(cloud.admin, number, "remove_host", host="h1")["hosts"] == []

    def test_a_host_is_in_one_zone(self, cloud: Cloud) -> None:
        host = cloud.add_host("h1")
        north = create(cloud.admin, "n", availability_zone="north")
        south = create(cloud.admin, "s", availability_zone="south")
        plain = create(cloud.admin, "p")
        act(cloud.admin, north["id"], "add_host", host="h1")
        body = {"add_host": {"host": "h1"}}
        assert cloud.admin.refused("POST", f"/os-aggregates/{south['id']}/action", body)[0] == 409
        act(cloud.admin, plain["id"], "add_host", host="h1")
        zone = {"aggregate": {"availability_zone": "south"}}
        assert cloud.admin.refused("PUT", f"/os-aggregates/{plain['id']}", zone)[0] == 400
        zone_metadata = {"set_metadata": {"metadata": {"availability_zone": "south"}}}
        assert cloud.admin.refused("POST", f"/os-aggregates/{plain['id']}/action", zone_metadata)[0] == 400
        assert in_placement(cloud, host) == {north["uuid"], plain["uuid"]}
        zone["aggregate"]["availability_zone"] = "north"
        assert cloud.admin.status("PUT", f"/os-aggregates/{plain['id']}", zone) == 200

    @pytest.mark.parametrize("failing", [("GET", "/aggregates"), ("PUT", "/aggregates")])
    def test_nothing_is_half_done_when_placement_fails(self, cloud: Cloud, failing: tuple[str, str]) -> None:
        placement = cloud.placement_application
        assert isinstance(placement, Interruptible)
        host = cloud.add_host("h1")
        rack, row = create(cloud.admin), create(cloud.admin, "row")
        act(cloud.admin, rack["id"], "add_host", host="h1")
        placement.failing.add(failing)
        add, remove = {"add_host": {"host": "h1"}}, {"remove_host": {"host": "h1"}}
        assert cloud.admin.refused("POST", f"/os-aggregates/{row['id']}/action", add)[0] == 503
        assert cloud.admin.refused("POST", f"/os-aggregates/{rack['id']}/action", remove)[0] == 503
        placement.failing.clear()
        hosts = {aggregate["name"]: aggregate["hosts"] for aggregate in cloud.admin.get("/os-aggregates")["aggregates"]}
        assert hosts == {"rack": ["h1"], "row": []}
        assert in_placement(cloud, host) == {rack["uuid"]}

    def test_placement_that_cannot_be_asked_for_the_host(self, cloud: Cloud) -> None:
        placement = cloud.placement_application
        assert isinstance(placement, Interruptible)
        number = create(cloud.admin)["id"]
        placement.failing.add(("GET", "/resource_providers"))
        body = {"add_host": {"host": "h1"}}
        assert cloud.admin.refused("POST", f"/os-aggregates/{number}/action", body)[0] == 503
        placement.failing.clear()
        assert cloud.admin.get(f"/os-aggregates/{number}")["aggregate"]["hosts"] == []

    def test_the_same_request_mends_what_was_interrupted(self, cloud: Cloud) -> None:
        host = cloud.add_host("h1")
        rack = create(cloud.admin)
        act(cloud.admin, rack["id"], "add_host", host="h1")
        # As if the process had been killed before it told Placement.
        cloud.placement.put_aggregates(host, [], cloud.placement.aggregates(host).generation)
        again = {"add_host": {"host": "h1"}}
        assert cloud.admin.status("POST", f"/os-aggregates/{rack['id']}/action", again) == 409
        assert in_placement(cloud, host) == {rack["uuid"]}

    def test_a_host_that_is_registered_anew_is_put_where_it_was(
        self, database: Database, cloud: Cloud, caplog: pytest.LogCaptureFixture
    ) -> None:
        first, other = cloud.add_host("h1"), cloud.add_host("h2")
        rack, row = create(cloud.admin), create(cloud.admin, "row")
        for number, host in ((rack["id"], "h1"), (row["id"], "h1"), (rack["id"], "h2")):
            act(cloud.admin, number, "add_host", host=host)
        storage, elsewhere = str(uuid4()), str(uuid4())
        cloud.placement.create_provider(storage, "storage")
        cloud.placement.put_aggregates(storage, [rack["uuid"]], 0)
        cloud.placement.delete_provider(first)
        compute = compute_of(cloud, database)
        settle_all(compute)  # there is no such host now, and that is no error

        anew = cloud.add_host("h1")
        cloud.placement.put_aggregates(anew, [elsewhere], cloud.placement.aggregates(anew).generation)
        # Somebody, or a process that was killed, has left this one where it does not belong.
        generation = cloud.placement.aggregates(other).generation
        cloud.placement.put_aggregates(other, [rack["uuid"], row["uuid"]], generation)
        settle_all(compute)
        assert in_placement(cloud, anew) == {elsewhere, rack["uuid"], row["uuid"]}
        assert in_placement(cloud, other) == {rack["uuid"]}
        assert in_placement(cloud, storage) == {rack["uuid"]}
        put_right = [record.args for record in caplog.records if "put right" in record.msg]
        assert put_right == [("h1",), ("h2",)]

    def test_placement_that_is_away_is_asked_the_next_time(
        self, database: Database, cloud: Cloud, caplog: pytest.LogCaptureFixture
    ) -> None:
        placement = cloud.placement_application
        assert isinstance(placement, Interruptible)
        create(cloud.admin)
        placement.failing.add(("GET", "/resource_providers"))
        mirror(compute_of(cloud, database))
        assert "aggregates of hosts in Placement" in caplog.text

    @pytest.mark.parametrize("zone", ["a:b", "", " "])
    def test_what_is_no_zone_is_refused_in_whichever_way_it_comes(self, cloud: Cloud, zone: str) -> None:
        number = create(cloud.admin)["id"]
        metadata = {"set_metadata": {"metadata": {"availability_zone": zone}}}
        changes = {"aggregate": {"availability_zone": zone}}
        new = {"aggregate": {"name": "new", "availability_zone": zone}}
        assert cloud.admin.refused("POST", f"/os-aggregates/{number}/action", metadata)[0] == 400
        assert cloud.admin.refused("PUT", f"/os-aggregates/{number}", changes)[0] == 400
        assert cloud.admin.refused("POST", "/os-aggregates", new)[0] == 400
        assert [each["availability_zone"] for each in cloud.admin.get("/os-aggregates")["aggregates"]] == [None]

    @pytest.mark.every_database
    def test_of_two_zones_at_once_a_host_comes_into_one(self, database: Database, cloud: Cloud) -> None:
        cloud.add_host("h1")
        made = [create(cloud.admin, f"row{number}", availability_zone=f"z{number}") for number in range(4)]
        assert sorted(added_at_once(database, made)) == [200, 409, 409, 409]

    def test_many_at_once_lose_nothing(self, database: Database, cloud: Cloud) -> None:
        host = cloud.add_host("h1")
        made = [create(cloud.admin, f"rack{number}") for number in range(6)]
        assert added_at_once(database, made) == [200] * 6
        assert in_placement(cloud, host) == {one["uuid"] for one in made}


class TestZones:
    def zones(self, person: Person, path: str = "/os-availability-zone") -> dict[str, Any]:
        found = person.get(path)["availabilityZoneInfo"]
        return {zone["zoneName"]: (zone["zoneState"]["available"], zone["hosts"]) for zone in found}

    def test_hosts_without_a_zone_are_in_nova(self, cloud: Cloud) -> None:
        assert self.zones(cloud.tycho) == {}
        cloud.add_host("h1")
        assert self.zones(cloud.tycho) == {"nova": (True, None)}

    def test_zones_are_those_of_aggregates_with_hosts(self, cloud: Cloud) -> None:
        for host in ("h1", "h2", "h3"):
            cloud.add_host(host, disabled=host == "h3")
        for name, zone, host in (("n", "north", "h1"), ("s", "south", "h3")):
            act(cloud.admin, create(cloud.admin, name, availability_zone=zone)["id"], "add_host", host=host)
        create(cloud.admin, "e", availability_zone="empty")
        assert self.zones(cloud.tycho) == {"nova": (True, None), "north": (True, None), "south": (False, None)}
        service = {"nova-compute": {"available": True, "active": True, "updated_at": None}}
        assert self.zones(cloud.admin, "/os-availability-zone/detail") == {
            "nova": (True, {"h2": service}),
            "north": (True, {"h1": service}),
            "south": (False, None),
        }
        assert cloud.tycho.status("GET", "/os-availability-zone/detail") == 403


def test_not_every_provider_is_a_host(cloud: Cloud) -> None:
    root = cloud.add_host("h1")
    cloud.placement.create_provider(str(uuid4()), "h1_numa0", root)
    cloud.placement.create_provider(str(uuid4()), "storage")
    number = create(cloud.admin)["id"]
    for name in ("h1_numa0", "storage"):
        body = {"add_host": {"host": name}}
        assert cloud.admin.status("POST", f"/os-aggregates/{number}/action", body) == 404
