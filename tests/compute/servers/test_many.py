"""Many clients place many servers at the same time, and some are killed: nothing is oversold, lost or forgotten.

`pytest -rP` shows how many servers were placed, and what the audit had to repair.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from multiprocessing.connection import Connection as Pipe
from multiprocessing.context import ForkServerProcess
from random import Random
from typing import Any

import pytest

from moorage.compute.audit import audit, holders
from moorage.compute.store import servers as server_store
from moorage.db.database import Database
from tests.compute.servers.yard import Yard, open_yard
from tests.placement.books import mistakes
from tests.placement.test_kill import other_sessions, wait_until_alone
from tests.processes import FORKS

pytestmark = pytest.mark.every_database

CLIENTS = 8
HOSTS = 14
ROOM = 6
ORDERS_EACH = 12


def place(url: str, flavor: str, seed: int, orders: int, pipe: Pipe) -> None:
    """Order servers, now one, now three together, sometimes delete one; say what was acknowledged."""
    yard, chance = open_yard(Database(url)), Random(seed)
    mine: list[str] = []
    for _ in range(orders):
        reply = yard.order(flavor, min_count=chance.choice((1, 1, 1, 3)))
        assert reply.status == 202, reply.body
        mine.append(reply.json["server"]["id"])
        pipe.send(("ordered", mine[-1]))
        if chance.random() < 0.2:
            gone = mine.pop(chance.randrange(len(mine)))
            pipe.send(("deleting", gone))
            assert yard.send("DELETE", f"/servers/{gone}").status == 204
            pipe.send(("deleted", gone))
    pipe.send(("done", ""))


class Client:
    """A process that places servers, and what it was told."""

    def __init__(self, url: str, flavor: str, seed: int, orders: int) -> None:
        self.pipe, far_end = FORKS.Pipe(duplex=False)
        self.process: ForkServerProcess = FORKS.Process(
            target=place, args=(url, flavor, seed, orders, far_end), daemon=True
        )
        self.process.start()
        far_end.close()
        self.said: list[tuple[str, str]] = []

    def hear(self, most: int | None = None) -> None:
        """Listen until the process ends, or has said so much."""
        with suppress(EOFError):
            while most is None or len(self.said) < most:
                self.said.append(self.pipe.recv())

    def kill(self) -> None:
        self.process.kill()
        self.hear()
        self.process.join()

    def told(self, what: str) -> set[str]:
        return {uuid for word, uuid in self.said if word == what}


def books_are_right(yard: Yard, hosts: Sequence[str]) -> None:
    """Nobody holds more than there is, and servers and allocations are one to one."""
    database = yard.compute.database
    assert database.read(mistakes) == []
    servers = {server.uuid: server for server in database.read(server_store.everything) if server.status != "DELETED"}
    placed = {uuid for uuid, server in servers.items() if server.status == "ACTIVE"}
    assert placed == holders(yard.placement)
    assert {server.status for server in servers.values()} <= {"ACTIVE", "ERROR"}
    used = Counter[str]()
    for uuid in placed:
        [(provider, amounts)] = yard.held(uuid).items()
        assert provider == servers[uuid].provider_uuid
        used[provider] += amounts["VCPU"]
    assert set(used) <= set(hosts)
    assert max(used.values()) <= ROOM


def prepared(database: Database) -> tuple[Yard, str, list[str]]:
    yard = open_yard(database)
    hosts = [yard.host(f"dock{number}", {"VCPU": ROOM, "MEMORY_MB": 100_000}) for number in range(HOSTS)]
    return yard, yard.flavor("small", disk=0), hosts


def test_eight_clients_fill_a_cloud(database: Database, empty_database: str) -> None:
    yard, flavor, hosts = prepared(database)
    clients = [Client(empty_database, flavor, seed, ORDERS_EACH) for seed in range(CLIENTS)]
    for client in clients:
        client.hear()
        client.process.join()
        assert client.said[-1] == ("done", "")
    books_are_right(yard, hosts)
    detail: list[dict[str, Any]] = yard.get("/servers/detail")["servers"]
    statuses = Counter(server["status"] for server in detail)
    # More was ordered than there is room for, so all of it is taken but for what three did not fit into together.
    assert HOSTS * ROOM - 3 < statuses["ACTIVE"] <= HOSTS * ROOM
    assert all(
        server["fault"]["message"].startswith("No valid host was found.") for server in detail if "fault" in server
    )
    known = {server["id"] for server in detail}
    assert set[str]().union(*(client.told("ordered") - client.told("deleted") for client in clients)) <= known
    assert audit(yard.compute, fix=False, age=timedelta()) == []
    print(f"{len(known)} servers ordered by {CLIENTS} clients, {statuses['ACTIVE']} placed")  # noqa: T201


def test_clients_are_killed_in_the_middle(database: Database, empty_database: str) -> None:
    yard, flavor, hosts = prepared(database)
    repaired = Counter[str]()
    for round_number in range(2):
        database.dispose()
        before = other_sessions(database)  # earlier tests may have left some
        clients = [Client(empty_database, flavor, seed + 100 * round_number, 1000) for seed in range(4)]
        for client in clients:
            client.hear(2)
        time.sleep(Random(round_number).uniform(0, 0.2))
        for client in clients:
            client.kill()
        wait_until_alone(database, before)
        for finding in audit(yard.compute, fix=True, age=timedelta()):
            assert finding.repair is not None
            repaired[finding.kind.value] += 1
        assert audit(yard.compute, fix=False, age=timedelta()) == []
        books_are_right(yard, hosts)
        known = {server["id"] for server in yard.get("/servers")["servers"]}
        for client in clients:
            assert client.told("ordered") - client.told("deleting") <= known
            assert not client.told("deleted") & known
        for uuid in sorted(known):
            assert yard.send("DELETE", f"/servers/{uuid}").status == 204
        assert holders(yard.placement) == frozenset()
    print(f"8 clients killed; the audit repaired {dict(repaired)}")  # noqa: T201
