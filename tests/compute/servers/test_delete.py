"""Servers go, and what they hold goes with them, whatever interrupts it."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest

from moorage.client.errors import Unavailable
from moorage.client.placement import PlacementClient
from moorage.compute.audit import audit, holders
from moorage.compute.context import Compute
from moorage.compute.servers import deletion
from tests.compute.servers.yard import ADMIN, READER, STRANGER, Yard


def test_a_deleted_server_holds_nothing_and_is_gone(yard: Yard) -> None:
    yard.host("dock1")
    uuid = yard.server(yard.flavor("small"))
    assert yard.send("DELETE", f"/servers/{uuid}").status == 204
    assert holders(yard.placement) == frozenset()
    assert yard.servers() == []
    assert uuid in yard.refused(404, "GET", f"/servers/{uuid}")
    assert uuid in yard.refused(404, "DELETE", f"/servers/{uuid}")
    assert yard.by(ADMIN).servers(deleted="true") == ["barge"]
    assert yard.servers(deleted="true") == []
    [gone] = yard.get("/servers/detail", changes__since="2020-01-01T00:00:00Z")["servers"]
    assert (gone["status"], gone["OS-EXT-STS:vm_state"]) == ("DELETED", "deleted")


def test_an_unknown_server_is_not_found(yard: Yard) -> None:
    assert yard.refused(404, "DELETE", f"/servers/{uuid4()}")
    assert yard.refused(404, "DELETE", "/servers/no-uuid")


def test_an_error_is_deleted_too(yard: Yard) -> None:
    uuid = yard.server(yard.flavor("small"))
    assert yard.shown(uuid)["status"] == "ERROR"
    assert yard.send("DELETE", f"/servers/{uuid}").status == 204
    assert yard.servers() == []


def test_by_force_is_as_good(yard: Yard) -> None:
    yard.host("dock1")
    uuid = yard.server(yard.flavor("small"))
    assert yard.by(STRANGER).act(uuid, "forceDelete").status == 404
    assert yard.by(READER).act(uuid, "forceDelete").status == 403
    assert yard.act(uuid, "forceDelete").status == 202
    assert holders(yard.placement) == frozenset()
    assert yard.refused(404, "GET", f"/servers/{uuid}")


class Deaf(PlacementClient):
    """A Placement that cannot be reached when something is given back."""

    def __init__(self, known: PlacementClient) -> None:
        self._calls = known._calls

    def delete_allocations(self, consumer_uuid: str) -> None:
        raise Unavailable(f"Nobody hears of {consumer_uuid}.")


def deaf(yard: Yard) -> Compute:
    known = yard.compute
    return Compute(known.database, Deaf(known.placement), known.settings, known.allows)


def test_a_deletion_that_was_interrupted_is_ended_by_the_next(yard: Yard) -> None:
    yard.host("dock1")
    uuid = yard.server(yard.flavor("small"))
    with pytest.raises(Unavailable):
        deletion.delete(deaf(yard), uuid)
    assert yard.shown(uuid)["OS-EXT-STS:task_state"] == "deleting"
    assert yard.held(uuid)
    assert yard.send("DELETE", f"/servers/{uuid}").status == 204
    assert holders(yard.placement) == frozenset()


def test_a_deletion_that_was_interrupted_is_ended_by_the_audit(yard: Yard) -> None:
    yard.host("dock1")
    uuid = yard.server(yard.flavor("small"))
    with pytest.raises(Unavailable):
        deletion.delete(deaf(yard), uuid)
    [finding] = audit(yard.compute, fix=True, age=timedelta())
    assert (finding.kind.value, finding.uuid, finding.repair) == ("stuck_delete", uuid, "It was deleted.")
    assert holders(yard.placement) == frozenset()
    assert yard.servers() == []


def test_a_server_leaves_its_group(yard: Yard) -> None:
    yard.host("dock1")
    content = {"server_group": {"name": "fleet", "policy": "anti-affinity"}}
    group = yard.send("POST", "/os-server-groups", content).json["server_group"]["id"]
    flavor = yard.flavor("small")
    uuid = yard.server(flavor, hints={"group": group})
    yard.send("DELETE", f"/servers/{uuid}")
    assert yard.get(f"/os-server-groups/{group}")["server_group"]["members"] == []
    assert yard.shown(yard.server(flavor, hints={"group": group}))["status"] == "ACTIVE"
