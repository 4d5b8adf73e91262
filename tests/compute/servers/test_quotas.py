"""Projects have as many servers as their quotas allow, also when they ask for several at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from moorage.compute.audit import holders
from moorage.db.database import Database
from tests.compute.servers.yard import ADMIN, STRANGER, Yard, open_yard


def limited(yard: Yard, **limits: int) -> None:
    reply = yard.by(ADMIN).send("PUT", "/os-quota-sets/harbour", {"quota_set": limits})
    assert reply.status == 200, reply.body


def test_an_order_beyond_the_quota_is_refused_with_nothing_left(yard: Yard) -> None:
    yard.host("dock1")
    flavor = yard.flavor("small", vcpus=2, ram=1024)
    limited(yard, cores=3, instances=5)
    yard.server(flavor)
    reply = yard.order(flavor)
    assert reply.status == 403
    assert reply.message == "Quota exceeded for cores: Requested 2, but already used 2 of 3 cores"
    limited(yard, instances=1, ram=1500)
    assert yard.order(flavor).message == (
        "Quota exceeded for cores, instances, ram: Requested 2, 1, 1024, but already used 2, 1, 1024 of 3, 1, 1500 "
        "cores, instances, ram"
    )
    assert len(holders(yard.placement)) == len(yard.servers()) == 1
    assert yard.by(STRANGER).order(flavor).status == 202


def test_between_the_least_and_the_most_as_many_as_allowed(yard: Yard) -> None:
    yard.host("dock1")
    flavor = yard.flavor("small")
    limited(yard, instances=3)
    assert yard.order(flavor, min_count=4, max_count=9).status == 403
    yard.server(flavor, min_count=2, max_count=9)
    assert len(yard.servers()) == 3


def test_a_deleted_server_no_longer_counts(yard: Yard) -> None:
    yard.host("dock1")
    flavor = yard.flavor("small")
    limited(yard, instances=1)
    server = yard.server(flavor)
    assert yard.order(flavor).status == 403
    yard.send("DELETE", f"/servers/{server}")
    assert yard.order(flavor).status == 202


def test_flavors_with_a_quota_of_their_own_count_by_themselves(yard: Yard) -> None:
    yard.host("dock1")
    small, special = yard.flavor("small"), yard.flavor("special", {"quota:separate": "true"})
    limited(yard, instances=1, cores=1, ram=1024, instances_special=2)
    for _ in range(2):
        yard.server(special)
    yard.server(small)
    assert "instances_special" in yard.order(special).message
    assert yard.order(small).message.startswith("Quota exceeded for cores, instances, ram")
    limits = yard.get("/limits")["limits"]["absolute"]
    assert (limits["totalInstancesUsed"], limits["totalCoresUsed"], limits["totalRAMUsed"]) == (1, 1, 1024)


def test_growing_beyond_the_quota_is_refused(yard: Yard) -> None:
    yard.host("dock1")
    server = yard.server(yard.flavor("small"))
    limited(yard, cores=4)
    reply = yard.act(server, "resize", {"flavorRef": yard.flavor("large", vcpus=5)})
    assert (reply.status, reply.message) == (
        403,
        "Quota exceeded for cores: Requested 4, but already used 1 of 4 cores",
    )
    assert yard.shown(server)["status"] == "ACTIVE"


def test_metadata_has_a_quota(yard: Yard) -> None:
    yard.host("dock1")
    flavor = yard.flavor("small")
    limited(yard, metadata_items=1)
    assert yard.order(flavor, metadata={"a": "1", "b": "2"}).status == 403


def test_members_of_a_group_have_a_quota(yard: Yard) -> None:
    yard.host("dock1")
    flavor = yard.flavor("small")
    group = yard.send("POST", "/os-server-groups", {"server_group": {"name": "fleet", "policy": "affinity"}})
    limited(yard, server_group_members=1)
    hints = {"group": group.json["server_group"]["id"]}
    assert yard.order(flavor, hints=hints).status == 202
    assert yard.order(flavor, hints=hints).status == 403
    assert len(yard.servers()) == 1


def test_those_who_ask_at_the_same_moment_do_not_get_more(yard: Yard, database: Database) -> None:
    yard.host("dock1", {"VCPU": 100, "MEMORY_MB": 100_000})
    flavor = yard.flavor("small", disk=0)
    limited(yard, instances=5)
    yards = [yard, open_yard(database)]
    with ThreadPoolExecutor(8) as threads:
        statuses = list(threads.map(lambda number: yards[number % 2].order(flavor).status, range(16)))
    assert sorted(statuses) == [202] * 5 + [403] * 11
    assert len(holders(yard.placement)) == len(yard.servers()) == 5
