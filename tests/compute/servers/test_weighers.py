"""Which of several hosts a server gets: the emptiest, or with a setting the fullest that still has room."""

from __future__ import annotations

from collections import Counter

import pytest

from moorage.db.database import Database
from tests.compute.servers.yard import Yard, open_yard

HOSTS = ("dock1", "dock2", "dock3")


def places(yard: Yard, *, at_once: bool) -> list[int]:
    """How many of six servers each host gets; each host has room for four."""
    for host in HOSTS:
        yard.host(host, {"VCPU": 4, "MEMORY_MB": 4096})
    flavor = yard.flavor("small", disk=0)
    if at_once:
        yard.server(flavor, min_count=6)
    else:
        for _ in range(6):
            yard.server(flavor)
    found = Counter(yard.place_of(server["id"]) for server in yard.get("/servers")["servers"])
    return sorted(found.values())


@pytest.mark.parametrize("at_once", [True, False])
def test_servers_are_spread_unless_told_otherwise(yard: Yard, at_once: bool) -> None:
    assert places(yard, at_once=at_once) == [2, 2, 2]


@pytest.mark.parametrize("at_once", [True, False])
def test_servers_are_packed_if_the_operator_says_so(database: Database, at_once: bool) -> None:
    yard = open_yard(database, settings={"scheduler.weigher": "pack"})
    assert places(yard, at_once=at_once) == [2, 4]
