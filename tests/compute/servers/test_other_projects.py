"""Servers of other projects are as if they did not exist: in hints, as markers, in what lists are sorted by."""

from __future__ import annotations

from uuid import uuid4

from tests.compute.servers.yard import ADMIN, STRANGER, Yard


def test_a_marker_of_another_project_is_none(yard: Yard) -> None:
    yard.host("dock1")
    flavor = yard.flavor("small")
    theirs = yard.by(STRANGER).server(flavor)
    yard.server(flavor)
    unknown = str(uuid4())
    for marker in (theirs, unknown):
        assert yard.refused(400, "GET", "/servers", marker=marker) == f"marker [{marker}] not found"
    assert yard.by(ADMIN).get("/servers", all_tenants=1, marker=theirs)["servers"] == []


def test_a_page_goes_on_after_a_server_that_was_deleted_meanwhile(yard: Yard) -> None:
    yard.host("dock1")
    flavor = yard.flavor("small")
    first, second = yard.server(flavor, name="first"), yard.server(flavor, name="second")
    yard.send("DELETE", f"/servers/{second}")
    assert [server["id"] for server in yard.get("/servers", marker=second)["servers"]] == [first]


def test_hints_do_not_find_servers_of_others(yard: Yard) -> None:
    yard.host("dock1", {"VCPU": 8, "MEMORY_MB": 8192})
    flavor = yard.flavor("small", disk=0)
    theirs = yard.by(STRANGER).server(flavor)
    assert yard.shown(yard.server(flavor, hints={"different_host": theirs}))["status"] == "ACTIVE"
    faults = [
        yard.get(f"/servers/{yard.server(flavor, hints={'same_host': hint})}")["server"]["fault"]["message"]
        for hint in (theirs, str(uuid4()))
    ]
    assert faults[0] == faults[1]


def test_only_administrators_sort_by_host(yard: Yard) -> None:
    for key in ("host", "node"):
        assert "Only administrators" in yard.refused(403, "GET", "/servers", sort_key=key)
        assert yard.by(ADMIN).get("/servers", sort_key=key) == {"servers": []}
