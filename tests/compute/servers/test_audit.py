"""The audit finds what does not agree, says so, and puts it right."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from typer.testing import CliRunner

from moorage.cli.main import app
from moorage.client.placement import ConsumerAllocations
from moorage.compute.audit import audit, holders
from moorage.compute.servers import creation
from moorage.compute.store import servers as server_store
from moorage.compute.store.server_tables import servers
from moorage.db.database import Database
from tests.compute.servers.test_resize import Killed, die
from tests.compute.servers.yard import ADMIN, Yard

NOW = timedelta()


def found(yard: Yard, *, fix: bool = False) -> list[tuple[str, str]]:
    return [(finding.kind.value, finding.uuid) for finding in audit(yard.compute, fix=fix, age=NOW)]


def test_where_all_agrees_there_is_nothing_to_find(yard: Yard) -> None:
    yard.host("dock1")
    flavor = yard.flavor("small")
    yard.server(flavor, min_count=3)
    yard.server(yard.flavor("huge", vcpus=99))
    yard.send("DELETE", f"/servers/{yard.server(flavor)}")
    assert found(yard) == found(yard, fix=True) == []


@pytest.mark.parametrize("moment", ["_place", "settle"])
def test_a_server_that_was_being_placed(yard: Yard, moment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    yard.host("dock1")
    flavor = yard.flavor("small")
    with monkeypatch.context() as patched:
        patched.setattr(creation, moment, die)
        with pytest.raises(Killed):
            yard.server(flavor)
    [uuid] = [server["id"] for server in yard.get("/servers")["servers"]]
    assert yard.shown(uuid)["status"] == "BUILD"
    assert found(yard) == [("stuck_build", uuid)]
    assert audit(yard.compute, fix=True, age=timedelta(minutes=5)) == []  # it may still be under way
    assert found(yard, fix=True) == [("stuck_build", uuid)]
    server = yard.shown(uuid)
    if moment == "_place":
        assert (server["status"], yard.held(uuid)) == ("ERROR", {})
        assert "interrupted" in server["fault"]["message"]
    else:
        assert (server["status"], server["OS-EXT-SRV-ATTR:host"]) == ("ACTIVE", "dock1")
    assert found(yard) == []


def test_a_server_that_lost_its_allocation_gets_it_back(yard: Yard) -> None:
    yard.host("dock1")
    yard.host("dock2")
    uuid = yard.server(yard.flavor("small"))
    held, host = yard.held(uuid), yard.place_of(uuid)
    yard.placement.delete_allocations(uuid)
    assert found(yard) == [("server_without_allocation", uuid)]
    assert found(yard, fix=True) == [("server_without_allocation", uuid)]
    assert (yard.held(uuid), yard.place_of(uuid)) == (held, host)
    assert found(yard) == []


def test_or_an_error_if_there_is_no_room_any_more(yard: Yard) -> None:
    yard.host("dock1", {"VCPU": 1, "MEMORY_MB": 1024})
    flavor = yard.flavor("small", disk=0)
    uuid = yard.server(flavor)
    yard.placement.delete_allocations(uuid)
    assert yard.shown(yard.server(flavor))["status"] == "ACTIVE"
    found(yard, fix=True)
    server = yard.shown(uuid)
    assert server["status"] == "ERROR"
    assert "cannot take it" in server["fault"]["message"]


def test_a_claim_that_came_after_the_deletion(yard: Yard) -> None:
    host = yard.host("dock1")
    uuid = yard.server(yard.flavor("small"))
    yard.send("DELETE", f"/servers/{uuid}")
    claim(yard, uuid, host)
    assert found(yard) == [("allocation_without_server", uuid)]
    assert found(yard, fix=True) == [("allocation_without_server", uuid)]
    assert holders(yard.placement) == frozenset()


def test_an_error_that_holds_something(yard: Yard) -> None:
    host = yard.host("dock1")
    uuid = yard.server(yard.flavor("huge", vcpus=99))
    claim(yard, uuid, host)
    assert found(yard, fix=True) == [("left_over_allocation", uuid)]
    assert holders(yard.placement) == frozenset()


def test_instances_of_others_are_told_and_left_alone(yard: Yard) -> None:
    host = yard.host("dock1")
    theirs, migration = str(uuid4()), str(uuid4())
    claim(yard, theirs, host)
    claim(yard, migration, host, "MIGRATION")
    assert found(yard, fix=True) == [("unknown_consumer", theirs)]
    assert holders(yard.placement) == {theirs, migration}


def claim(yard: Yard, consumer: str, host: str, consumer_type: str = "INSTANCE") -> None:
    wanted = ConsumerAllocations({host: {"VCPU": 1}}, "harbour", "mate", consumer_type)
    yard.placement.put_allocations(consumer, wanted)


def test_deleted_servers_are_forgotten_after_a_month(yard: Yard) -> None:
    yard.host("dock1")
    flavor = yard.flavor("small")
    for age in (29, 31):
        uuid = yard.server(flavor, name=f"gone for {age} days")
        yard.send("DELETE", f"/servers/{uuid}")
        grow_older(yard.compute.database, uuid, timedelta(days=age))
    audit(yard.compute, fix=True, age=NOW)
    assert yard.by(ADMIN).servers(deleted="true") == ["gone for 29 days"]


def grow_older(database: Database, uuid: str, by: timedelta) -> None:
    [server] = [server for server in database.read(server_store.everything) if server.uuid == uuid]
    aged = server_store.columns_of(replace(server, updated_at=server.updated_at - by))
    statement = servers.update().where(servers.c.uuid == uuid).values(aged)
    database.tidy(lambda connection: connection.execute(statement))


def test_the_command(yard: Yard, monkeypatch: pytest.MonkeyPatch, empty_database: str) -> None:
    monkeypatch.setenv("OS_DATABASE__CONNECTION", empty_database)
    monkeypatch.setenv("OS_API__AUTH_STRATEGY", "noauth2")
    yard.host("dock1")
    uuid = yard.server(yard.flavor("small"))
    runner = CliRunner()
    outcome = runner.invoke(app, ["audit"])
    assert (outcome.exit_code, outcome.output) == (0, "Servers and allocations agree.\n")
    yard.placement.delete_allocations(uuid)
    assert runner.invoke(app, ["audit"]).exit_code == 0  # it was touched a moment ago
    outcome = runner.invoke(app, ["audit", "--age", "0", "--json"])
    assert outcome.exit_code == 1
    [finding] = json.loads(outcome.output)
    assert (finding["kind"], finding["uuid"], finding["repair"]) == ("server_without_allocation", uuid, None)
    listed = runner.invoke(app, ["audit", "--age", "0", "--csv"]).output.splitlines()
    assert (listed[0], listed[1].split(",")[:2]) == ("kind,uuid,text,repair", ["server_without_allocation", uuid])
    outcome = runner.invoke(app, ["audit", "--age", "0", "--fix"])
    assert outcome.exit_code == 0
    assert "It holds its resources on dock1 again." in outcome.output
    assert "1 found, 1 repaired." in outcome.output
    assert yard.held(uuid)
