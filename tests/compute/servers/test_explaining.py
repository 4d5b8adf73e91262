"""What the owner of a server hears that found no place: the reason in words, without hosts and without UUIDs."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from moorage.db.database import Database
from tests.compute.servers.yard import Yard, open_yard

PREFIXES = {
    "scheduler.placement_req_required_member_prefix": "license:",
    "scheduler.placement_req_default_forbidden_member_prefix": ["license:"],
}


@pytest.fixture
def yard(database: Database) -> Yard:
    """Three hosts with 8 VCPU each: one is licensed and trusted, one in a zone of its own."""
    yard = open_yard(database, settings=PREFIXES)
    yard.host("dock-licensed", traits=["CUSTOM_TRUSTED"])
    yard.host("dock-north")
    yard.host("dock-plain")
    yard.aggregate("windows", {"license:windows": ""}, "dock-licensed")
    yard.aggregate("quay", {"availability_zone": "north"}, "dock-north")
    return yard


def reason(yard: Yard, flavor: str, hints: Mapping[str, object] | None = None, **more: object) -> str:
    """Why the last of the servers of an order found no place, as a member sees it."""
    uuid = yard.server(flavor, "", hints, **more)
    shown = yard.get(f"/servers/{uuid}")["server"]
    assert shown["status"] == "ERROR"
    assert "dock-" not in str(shown)
    text: str = shown["fault"]["message"]
    assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}", text)
    return text.removeprefix("No valid host was found. ")


def test_too_much_is_asked_for(yard: Yard) -> None:
    text = reason(yard, yard.flavor("huge", vcpus=9))
    assert text == (
        "Of 3 hosts that meet what comes before, none meets resources=VCPU:9. "
        "What would help: resources=VCPU:8 instead of 9."
    )
    assert reason(yard, yard.flavor("tight", vcpus=7), min_count=3) == (
        "One of the servers fits on 2 hosts, but not all 3 together."
    )


def test_aggregates_are_named_and_not_numbered(yard: Yard) -> None:
    trusted = yard.flavor("trusted", {"trait:CUSTOM_TRUSTED": "required"})
    assert reason(yard, trusted).startswith(
        "The only host that meets what comes before does not meet the condition to be in none of the aggregates "
        '"windows", because no key of the flavor or the image opens what has the prefix "license:".'
    )
    text = reason(yard, yard.flavor("windows", {"license:windows": ""}), availability_zone="north")
    assert "What would help: without the condition to be in one of the aggregates" in text


def test_groups(yard: Yard) -> None:
    group = {"server_group": {"name": "fleet", "policy": "anti-affinity"}}
    hints = {"group": yard.send("POST", "/os-server-groups", group).json["server_group"]["id"]}
    small = yard.flavor("small")
    for _ in range(2):
        yard.server(small, hints=hints)
    assert reason(yard, small, hints) == (
        'There is room on 2 hosts, but none may be used: a host may have 1 of the servers of the group "fleet".'
    )
    assert reason(yard, small, hints, availability_zone="north").startswith("There is room on 1 host, but none may")
