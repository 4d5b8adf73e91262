"""Many hands on few servers: whatever is done to them at the same moment, they end up holding what they are."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random

import pytest

from moorage.compute.audit import audit, holders
from moorage.compute.servers.consumers import is_held_for, resize_consumer
from moorage.compute.store import servers as server_store
from moorage.db.database import Database
from tests.compute.servers.yard import ADMIN, Yard, open_yard
from tests.placement.books import mistakes

pytestmark = pytest.mark.every_database

HANDS = 4
DEEDS_EACH = 15
SERVERS = 3


def deeds(yard: Yard, chance: Random, servers: list[str], image: str) -> list[int]:
    """Do anything to any of the servers; the statuses of the answers."""
    statuses = []
    for _ in range(DEEDS_EACH):
        place = chance.randrange(len(servers))
        uuid = servers[place]
        match chance.choice(("resize", "resize", "confirm", "revert", "rebuild", "reset", "replace")):
            case "resize":
                reply = yard.act(uuid, "resize", {"flavorRef": chance.choice(("small", "large", "huge"))})
            case "confirm":
                reply = yard.act(uuid, "confirmResize")
            case "revert":
                reply = yard.act(uuid, "revertResize")
            case "rebuild":
                reply = yard.act(uuid, "rebuild", {"imageRef": image})
            case "reset":
                reply = yard.act(uuid, "os-resetState", {"state": "active"})
            case _:
                reply = yard.send("DELETE", f"/servers/{uuid}")
                servers[place] = yard.server("small", image)
        statuses.append(reply.status)
    return statuses


@pytest.mark.parametrize("policy", [None, "anti-affinity"])
def test_servers_hold_what_they_are(database: Database, policy: str | None) -> None:
    yard = open_yard(database).by(ADMIN)
    for number in range(3):
        yard.host(f"dock{number}", {"VCPU": 8, "MEMORY_MB": 100_000})
    for name, vcpus in (("small", 1), ("large", 2), ("huge", 99)):
        yard.flavor(name, id=name, vcpus=vcpus, disk=0)
    image = yard.image("any")
    hints: dict[str, object] = {}
    if policy is not None:
        group = {"server_group": {"name": "fleet", "policy": policy}}
        hints = {"group": yard.send("POST", "/os-server-groups", group).json["server_group"]["id"]}
    servers = [yard.server("small", image, hints) for _ in range(SERVERS)]

    def work(seed: int) -> list[int]:
        return deeds(open_yard(database).by(ADMIN), Random(seed), servers, image)

    with ThreadPoolExecutor(HANDS) as pool:
        statuses = [status for done in pool.map(work, range(HANDS)) for status in done]
    assert set(statuses) <= {202, 204, 400, 404, 409}
    assert 202 in statuses
    assert audit(yard.compute, fix=False, age=timedelta()) == []
    assert database.read(mistakes) == []
    living = [server for server in database.read(server_store.everything) if server.status != "DELETED"]
    for server in living:
        held = yard.placement.allocations(server.uuid)
        before = yard.placement.allocations(resize_consumer(server.uuid))
        if server.host is None:  # what fitted nowhere
            assert (held, before, server.resize_origin) == (None, None, None)
            continue
        assert is_held_for(server.flavor, held)
        assert held is not None
        assert set(held.allocations) == {server.provider_uuid}
        if server.resize_origin is None:
            assert before is None
        else:
            assert is_held_for(server.resize_origin.flavor, before)
    consumers = {server.uuid for server in living if server.host is not None} | {
        resize_consumer(server.uuid) for server in living if server.resize_origin is not None
    }
    assert holders(yard.placement) == consumers
