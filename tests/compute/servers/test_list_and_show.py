"""Servers are found again: by filters, in order, a page at a time; only by those who may."""

from __future__ import annotations

from uuid import uuid4

import pytest

from moorage.compute.servers.name_pattern import BadPattern, name_pattern
from tests.compute.servers.yard import ADMIN, READER, STRANGER, Yard


@pytest.fixture
def fleet(yard: Yard) -> Yard:
    """Five servers on two hosts: tug-1 to tug-3 and ferry, and an ERROR that has no place."""
    yard.host("dock1", {"VCPU": 4, "MEMORY_MB": 8192})
    small = yard.flavor("small", id="small", disk=0)
    for number in (1, 2, 3):
        yard.server(small, name=f"tug-{number}", tags=["tug", f"t{number}"])
    yard.server(yard.flavor("large", id="large", disk=0), yard.image("ferry os"), name="ferry")
    yard.server(yard.flavor("huge", id="huge", vcpus=99), name="liner")
    return yard


def test_lists_have_the_newest_first(fleet: Yard) -> None:
    assert fleet.servers() == ["liner", "ferry", "tug-3", "tug-2", "tug-1"]
    detail = fleet.get("/servers/detail")["servers"]
    assert [server["name"] for server in detail] == fleet.servers()
    assert [server["status"] for server in detail] == ["ERROR", *["ACTIVE"] * 4]


def test_filters(fleet: Yard) -> None:
    detail = {server["name"]: server for server in fleet.get("/servers/detail")["servers"]}
    image = detail["ferry"]["image"]["id"]
    assert fleet.servers(name="tug") == ["tug-3", "tug-2", "tug-1"]
    assert fleet.servers(name="^tug-[12]$") == ["tug-2", "tug-1"]
    assert fleet.servers(status="ERROR") == ["liner"]
    assert fleet.servers(status="active", flavor="large") == ["ferry"]
    assert fleet.servers(image=image) == ["ferry"]
    assert fleet.servers(image=f"http://somewhere/images/{image}") == ["ferry"]
    assert fleet.servers(uuid=detail["tug-2"]["id"]) == ["tug-2"]
    assert fleet.servers(user_id="nobody") == []
    assert fleet.servers(tags="tug,t1") == ["tug-1"]
    assert fleet.servers(tags__any="t1,t2") == ["tug-2", "tug-1"]
    assert fleet.servers(not__tags__any="tug") == ["liner", "ferry"]
    assert fleet.servers(not__tags="tug,t1") == ["liner", "ferry", "tug-3", "tug-2"]
    assert fleet.servers(changes__since="2020-01-01T00:00:00Z") == fleet.servers()
    assert fleet.servers(changes__since="2099-01-01T00:00:00+02:00") == []
    assert fleet.servers(changes__before="2020-01-01T00:00:00Z") == []
    # Times the wrong way round.
    wrong = {"changes__since": "2030-01-01T00:00:00Z", "changes__before": "2020-01-01T00:00:00Z"}
    assert "changes-since" in fleet.refused(400, "GET", "/servers", **wrong)


def test_statuses(fleet: Yard) -> None:
    assert fleet.servers(status="SHUTOFF") == []
    assert fleet.send("GET", "/servers", status="SUNK").message == "Invalid status value"
    assert fleet.at("2.37").servers(status="SUNK") == []
    assert fleet.servers(vm_state="error") == ["liner"]
    assert fleet.servers(vm_state="error", status="ACTIVE") == []
    assert fleet.servers(vm_state="sunk") == []
    # Who is gone is for administrators.
    assert fleet.send("GET", "/servers", status="DELETED").status == 403
    gone = fleet.get("/servers", name="liner")["servers"][0]["id"]
    fleet.send("DELETE", f"/servers/{gone}")
    assert fleet.by(ADMIN).servers(status="DELETED") == ["liner"]
    assert fleet.servers(changes__before="2099-01-01T00:00:00Z")[0] == "liner"


@pytest.mark.parametrize(
    ("query", "are_met"),
    [
        ({"ip": "10.0.0.1"}, False),
        ({"ip6": "fe80"}, False),
        ({"key_name": "mine"}, False),
        ({"reservation_id": "r-1"}, False),
        ({"locked": "true"}, False),
        ({"locked": "false"}, True),
        ({"config_drive": "True"}, False),
        ({"config_drive": "False"}, True),
        ({"power_state": 1}, False),
        ({"power_state": 0}, True),
        ({"progress": 50}, False),
        ({"progress": 0}, True),
    ],
)
def test_what_is_the_same_for_all_hides_all_or_nobody(fleet: Yard, query: dict[str, object], *, are_met: bool) -> None:
    assert len(fleet.servers(**query)) == (5 if are_met else 0)


def test_a_server_is_found_in_the_zone_that_it_came_to(yard: Yard) -> None:
    yard.host("dock1", {"VCPU": 1, "MEMORY_MB": 8192})
    flavor = yard.flavor("small", disk=0)
    yard.aggregate("north", {"availability_zone": "north"}, "dock1")
    yard.server(flavor, name="anywhere")
    yard.server(flavor, name="nowhere", availability_zone="north")
    yard.host("dock2")
    yard.server(flavor, name="outside")
    assert yard.servers(availability_zone="north") == ["nowhere", "anywhere"]
    assert yard.servers(availability_zone="nova") == ["outside"]
    assert yard.servers(availability_zone="south") == []


def test_filters_of_administrators(fleet: Yard) -> None:
    admin = fleet.by(ADMIN)
    assert admin.servers(host="dock1") == ["ferry", "tug-3", "tug-2", "tug-1"]
    assert admin.servers(host="dock2") == []
    # Others ask for hosts in vain: the filter is not for them.
    assert fleet.servers(host="dock2") == fleet.servers()
    stranger = fleet.by(STRANGER)
    assert stranger.servers() == []
    stranger.server("small", name="cutter")
    assert stranger.servers() == ["cutter"]
    assert admin.servers(all_tenants=1)[0] == "cutter"
    assert admin.servers(all_tenants=1, project_id="tortuga") == ["cutter"]
    assert admin.servers(project_id="tortuga") == ["cutter"]
    assert stranger.servers(project_id="harbour") == ["cutter"]
    assert stranger.refused(403, "GET", "/servers", all_tenants=1)


def test_order(fleet: Yard) -> None:
    assert fleet.servers(sort_key="display_name", sort_dir="asc") == ["ferry", "liner", "tug-1", "tug-2", "tug-3"]
    assert fleet.servers(sort_key="name", sort_dir="desc")[0] == "tug-3"
    assert fleet.servers(sort_key="status", sort_dir="asc", limit=4) == ["tug-1", "tug-2", "tug-3", "ferry"]
    assert "color" in fleet.refused(400, "GET", "/servers", sort_key="color")
    assert "up" in fleet.refused(400, "GET", "/servers", sort_key="name", sort_dir="up")
    assert "up" in fleet.refused(400, "GET", "/servers", sort_dir="up")


def test_a_query_is_read_to_its_end(fleet: Yard) -> None:
    assert "config_drive" in fleet.refused(400, "GET", "/servers", ip="10.0.0.1", config_drive="perhaps")


@pytest.mark.parametrize("query", [{}, {"sort_key": "display_name", "sort_dir": "asc"}, {"name": "t|f|l"}])
def test_pages_together_are_the_list(fleet: Yard, query: dict[str, str]) -> None:
    page = fleet.get("/servers", limit=2, **query)
    seen = [server["name"] for server in page["servers"]]
    while "servers_links" in page:
        page = fleet.follow(page["servers_links"][0]["href"])
        seen += [server["name"] for server in page["servers"]]
    assert seen == fleet.servers(**query)


def test_bad_pages(fleet: Yard) -> None:
    assert "marker" in fleet.refused(400, "GET", "/servers", marker=uuid4())
    assert "limit" in fleet.refused(400, "GET", "/servers", limit=-1)
    assert "limit" in fleet.refused(400, "GET", "/servers", limit="many")
    assert "changes-since" in fleet.refused(400, "GET", "/servers", changes__since="yesterday")
    assert fleet.servers(limit=0) == []


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "a*a*a*b",
        "(a)\\1",
        "(",
        "x" * 256,
        "(?=a)",
        "(ab){2}",
        "(|)" * 80 + "z",
        "(a|a)(a|a)(a|a)b",
        r"[\][](a+)+$[b]",
    ],
)
def test_patterns_that_could_run_away_are_refused(yard: Yard, pattern: str) -> None:
    with pytest.raises(BadPattern):
        name_pattern(pattern)
    assert yard.refused(400, "GET", "/servers", name=pattern)


@pytest.mark.parametrize("pattern", ["web", "^web-[0-9]+$", "a.*b", "web|db", "(web|db)-1", "[*+]x", r"1\+1\*2\?3\+"])
def test_other_patterns_are_not(pattern: str) -> None:
    assert name_pattern(pattern).search("nothing of it") is None


def test_other_projects_servers_are_not_there(fleet: Yard) -> None:
    uuid = fleet.get("/servers")["servers"][-1]["id"]
    stranger = fleet.by(STRANGER)
    for method, path, body in (
        ("GET", "", None),
        ("PUT", "", {"server": {"name": "mine"}}),
        ("DELETE", "", None),
        ("GET", "/metadata", None),
        ("GET", "/tags", None),
        ("POST", "/action", {"confirmResize": None}),
    ):
        assert uuid in stranger.refused(404, method, f"/servers/{uuid}{path}", body)
    assert fleet.by(ADMIN).get(f"/servers/{uuid}")["server"]["name"] == "tug-1"
    assert fleet.by(READER).get(f"/servers/{uuid}")["server"]["name"] == "tug-1"
    assert fleet.by(READER).send("DELETE", f"/servers/{uuid}").status == 403
    assert fleet.by(READER).act(uuid, "confirmResize").status == 403


def test_a_server_gets_another_name(fleet: Yard) -> None:
    uuid = fleet.get("/servers", name="ferry")["servers"][0]["id"]
    changed = fleet.send("PUT", f"/servers/{uuid}", {"server": {"name": "steamer", "description": "old"}})
    assert (changed.status, changed.json["server"]["name"]) == (200, "steamer")
    assert fleet.get(f"/servers/{uuid}")["server"]["description"] == "old"
    assert "name" in fleet.refused(400, "PUT", f"/servers/{uuid}", {"server": {"name": "x" * 256}})
    assert fleet.at("2.18").send("PUT", f"/servers/{uuid}", {"server": {"description": "x"}}).status == 400
    assert fleet.refused(404, "PUT", f"/servers/{uuid4()}", {"server": {"name": "x"}})


def test_metadata(fleet: Yard) -> None:
    path = f"/servers/{fleet.get('/servers')['servers'][0]['id']}/metadata"
    assert fleet.get(path) == {"metadata": {}}
    assert fleet.send("POST", path, {"metadata": {"a": "1", "b": "2"}}).json == {"metadata": {"a": "1", "b": "2"}}
    assert fleet.send("PUT", f"{path}/a", {"meta": {"a": "3"}}).json == {"meta": {"a": "3"}}
    assert fleet.get(f"{path}/a") == {"meta": {"a": "3"}}
    assert fleet.refused(400, "PUT", f"{path}/a", {"meta": {"b": "3"}})
    assert fleet.send("DELETE", f"{path}/a").status == 204
    assert fleet.refused(404, "DELETE", f"{path}/a")
    assert fleet.refused(404, "GET", f"{path}/a")
    assert fleet.send("PUT", path, {"metadata": {"c": "4"}}).json == {"metadata": {"c": "4"}}
    assert fleet.get(path) == {"metadata": {"c": "4"}}
    many = {str(number): "x" for number in range(129)}
    assert "128" in fleet.refused(403, "POST", path, {"metadata": many})
    assert fleet.refused(400, "POST", path, {"metadata": {"": "x"}})


def test_tags(fleet: Yard) -> None:
    path = f"/servers/{fleet.get('/servers')['servers'][0]['id']}/tags"
    assert fleet.get(path) == {"tags": []}
    assert fleet.send("PUT", path, {"tags": ["b", "a"]}).json == {"tags": ["a", "b"]}
    added = fleet.send("PUT", f"{path}/c")
    assert (added.status, added.headers["location"].endswith("/tags/c")) == (201, True)
    assert fleet.send("PUT", f"{path}/c").status == 204
    assert fleet.send("GET", f"{path}/c").status == 204
    assert fleet.send("DELETE", f"{path}/c").status == 204
    assert fleet.refused(404, "DELETE", f"{path}/c")
    assert fleet.refused(404, "GET", f"{path}/c")
    assert fleet.refused(400, "PUT", f"{path}/a,b")
    assert fleet.refused(400, "PUT", f"{path}/{'x' * 61}")
    fleet.send("PUT", path, {"tags": [str(number) for number in range(50)]})
    assert "50" in fleet.refused(400, "PUT", f"{path}/one-more")
    assert fleet.send("DELETE", path).status == 204
    assert fleet.get(path) == {"tags": []}
    assert fleet.at("2.25").send("GET", path).status == 404
