"""Hosts that Placement has outside their aggregates take no server that must stay off them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from moorage.compute.servers import creation
from moorage.compute.servers.claiming import Place
from moorage.db.database import Database
from tests.compute.servers.yard import ADMIN, Yard, open_yard

RESERVATION = "reservation:2f1c"
PREFIXES = {
    "scheduler.placement_req_required_member_prefix": "reservation:",
    "scheduler.placement_req_default_forbidden_member_prefix": ["reservation:"],
}
WHOLE_HOST: dict[str, Any] = {"vcpus": 8, "ram": 1024, "disk": 10}


@pytest.fixture
def yard(database: Database) -> Yard:
    """An open host and two reserved ones, which were registered anew: Placement has them in no aggregate."""
    yard = open_yard(database, settings=PREFIXES)
    yard.host("open")
    registered = {name: yard.host(name) for name in ("reserved-1", "reserved-2")}
    yard.aggregate("a reservation", {RESERVATION: "x"}, *registered)
    for name, uuid in registered.items():
        yard.placement.delete_provider(uuid)
        assert not yard.placement.aggregates(yard.host(name)).aggregates
    return yard


def aggregates_in_placement(yard: Yard, host: str) -> int:
    provider = yard.placement.provider_named(host)
    assert provider is not None
    return len(yard.placement.aggregates(provider.uuid).aggregates)


def test_who_has_no_reservation_stays_off_them(yard: Yard) -> None:
    flavor = yard.flavor("without reservation", **WHOLE_HOST)
    assert yard.place_of(yard.server(flavor)) == "open"
    nowhere = yard.server(flavor)
    assert yard.shown(nowhere)["status"] == "ERROR"
    assert "a reservation" in yard.shown(nowhere)["fault"]["message"]
    assert not yard.held(nowhere)
    assert [aggregates_in_placement(yard, host) for host in ("open", "reserved-1", "reserved-2")] == [0, 1, 1]


def test_several_at_once_stay_off_them(yard: Yard) -> None:
    half = yard.flavor("half a host", vcpus=4, ram=1024, disk=10)
    yard.server(half, min_count=2)
    assert {server["OS-EXT-SRV-ATTR:host"] for server in yard.by(ADMIN).get("/servers/detail")["servers"]} == {"open"}
    too_many = yard.server(half, min_count=2)
    assert yard.shown(too_many)["status"] == "ERROR"
    assert not yard.held(too_many)


def test_a_resize_stays_off_them(yard: Yard) -> None:
    small = yard.flavor("small")
    server, neighbour = yard.server(small), yard.server(small)
    assert {yard.place_of(server), yard.place_of(neighbour)} == {"open"}
    # Out of step once more: the orders above have found and mirrored those of before.
    for name in ("reserved-1", "reserved-2"):
        provider = yard.placement.provider_named(name)
        assert provider is not None
        yard.placement.put_aggregates(provider.uuid, [], yard.placement.aggregates(provider.uuid).generation)
    before = yard.shown(server), yard.held(server)
    refused = yard.act(server, "resize", {"flavorRef": yard.flavor("whole host", **WHOLE_HOST)})
    assert refused.status == 400
    assert "a reservation" in refused.message
    after = yard.shown(server)
    assert after.pop("updated") >= before[0].pop("updated")
    assert (after, yard.held(server)) == before
    assert [aggregates_in_placement(yard, host) for host in ("reserved-1", "reserved-2")] == [1, 1]


def test_a_host_that_joins_while_an_order_comes_is_not_ruled_out(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    number = yard.aggregate("another", {"reservation:late": "x"}, "reserved-1")
    yard.host("late")
    claim = creation._claim

    def claim_late(*args: Any) -> Sequence[Place]:
        for action, host in (("add_host", "late"), ("remove_host", "reserved-1")):
            yard.by(ADMIN).send("POST", f"/os-aggregates/{number}/action", {action: {"host": host}})
        return claim(*args)

    monkeypatch.setattr(creation, "_claim", claim_late)
    assert yard.place_of(yard.server(yard.flavor("late", {"reservation:late": "true"}))) == "late"
