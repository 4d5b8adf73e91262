"""Hosts set apart by the metadata of aggregates, without a filter in the scheduler.

The flow that the document on forbidden aggregates describes for reservations, steps 0 to 4, through the compute API.
"""

from __future__ import annotations

from typing import Any

import pytest

from moorage.db.database import Database
from tests.compute.servers.yard import ADMIN, PROJECT, Yard, open_yard

REQUIRED = {"scheduler.placement_req_required_member_prefix": "reservation:"}
FORBIDDEN = {"scheduler.placement_req_default_forbidden_member_prefix": ["reservation:"]}
RESERVATION = "reservation:2f1c"
# One of these fills a host.
WHOLE_HOST: dict[str, Any] = {"vcpus": 8, "ram": 1024, "disk": 10}


@pytest.fixture
def yard(database: Database) -> Yard:
    """Step 0: both prefixes are set. 1: two hosts are in the free pool. 2: one of them is picked and reserved."""
    yard = open_yard(database, settings={**REQUIRED, **FORBIDDEN})
    for name in ("open", "pooled", "reserved"):
        yard.host(name)
    pool = yard.aggregate("free pool", {"reservation:free": "pool"}, "pooled", "reserved")
    taken = yard.by(ADMIN).send("POST", f"/os-aggregates/{pool}/action", {"remove_host": {"host": "reserved"}})
    assert taken.status == 200
    yard.aggregate("a reservation", {RESERVATION: "whatever"}, "reserved")
    return yard


def test_who_has_the_reservation_in_the_flavor_gets_the_reserved_host_and_no_other(yard: Yard) -> None:
    flavor = yard.flavor("with reservation", {RESERVATION: "true"}, **WHOLE_HOST)
    assert yard.place_of(yard.server(flavor)) == "reserved"
    too_many = yard.shown(yard.server(flavor))
    assert too_many["status"] == "ERROR"
    assert "aggregates" in too_many["fault"]["message"]


def test_who_has_the_reservation_in_the_image_gets_the_reserved_host(yard: Yard) -> None:
    image = yard.image("with reservation", {RESERVATION: "true"})
    assert yard.place_of(yard.server(yard.flavor("small"), image)) == "reserved"


def test_who_has_none_stays_off_reserved_hosts_and_off_the_pool_even_if_nothing_else_is_free(yard: Yard) -> None:
    flavor = yard.flavor("without reservation", **WHOLE_HOST)
    assert yard.place_of(yard.server(flavor)) == "open"
    assert yard.shown(yard.server(flavor))["status"] == "ERROR"
    assert all(not yard.held(uuid) for uuid in (yard.server(flavor), yard.server(flavor)))


def test_a_reservation_that_no_aggregate_has_is_refused(yard: Yard) -> None:
    flavor = yard.flavor("lapsed", {"reservation:gone": "true"})
    reply = yard.order(flavor)
    assert reply.status == 400
    assert "reservation:gone" in reply.message
    assert yard.servers() == []


def test_a_reservation_in_an_image_counts_only_where_the_aggregate_is_open_to_the_project(yard: Yard) -> None:
    yard.host("theirs")
    yard.host("ours")
    yard.aggregate("theirs", {"reservation:theirs": "x", "filter_tenant_id": "tortuga"}, "theirs")
    image = yard.image("claims to be theirs", {"reservation:theirs": "true"})
    assert yard.order(yard.flavor("small"), image).status == 400
    yard.aggregate("ours", {"reservation:ours": "x", "filter_tenant_id": PROJECT}, "ours")
    ours = yard.image("ours", {"reservation:ours": "true"})
    assert yard.place_of(yard.server(yard.flavor("tiny"), ours)) == "ours"


def test_a_flavor_without_resources_of_its_own_cannot_be_kept_anywhere(yard: Yard) -> None:
    specs = {f"resources:{name}": "0" for name in ("VCPU", "MEMORY_MB", "DISK_GB")}
    flavor = yard.flavor("grouped", {**specs, "resources1:VCPU": "1"})
    reply = yard.order(flavor)
    assert reply.status == 400
    assert "grouped" in reply.message


def test_the_required_prefix_alone_keeps_nobody_away(database: Database) -> None:
    yard = open_yard(database, settings=REQUIRED)
    yard.host("reserved")
    yard.aggregate("a reservation", {RESERVATION: "x"}, "reserved")
    assert yard.place_of(yard.server(yard.flavor("small"))) == "reserved"


def test_the_forbidden_prefix_alone_brings_nobody_there(database: Database) -> None:
    yard = open_yard(database, settings=FORBIDDEN)
    yard.host("reserved")
    yard.aggregate("a reservation", {RESERVATION: "x"}, "reserved")
    assert yard.shown(yard.server(yard.flavor("small")))["status"] == "ERROR"
    # The key lifts what is forbidden, but requires nothing: any host will do.
    yard.host("open")
    flavor = yard.flavor("lifting", {RESERVATION: "true"})
    places = {yard.place_of(yard.server(flavor)) for _ in range(8)}
    assert places == {"open", "reserved"}
