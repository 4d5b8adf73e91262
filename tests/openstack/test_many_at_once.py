"""Many servers at once, while Moorage loses a worker and its database: whatever Nova says in the end is true."""

from __future__ import annotations

import os
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.openstack.cloud import mariadb, moorage
from tests.openstack.cloud.programs import Programs
from tests.openstack.cloud.site import COMPUTES
from tests.openstack.operator import SMALL, Operator, Server, host_of
from tests.openstack.test_nova_manage import DELETED
from tests.openstack.waiting import eventually

CLIENTS = {"admin": "admin", "tycho": "astronomy", "carl": "botany", "moorage-operator": "service"}
EACH = 50
STORM_SECONDS = 600
AT_ONCE = 8
"""How many requests a worker works on at the same time, by default."""


def test_two_hundred_servers_while_a_worker_is_killed_and_the_database_restarts(
    operator: Operator, programs: Programs
) -> None:
    before = operator.usages()
    flavor = operator.cloud.compute.find_flavor("small", ignore_missing=False).id
    image = operator.image_id("plain")

    def order(client: tuple[str, str]) -> None:
        compute = Operator(operator.site, *client).cloud.compute
        for number in range(EACH):
            compute.create_server(name=f"storm-{number}", networks="none", flavor_id=flavor, image_id=image)

    with ThreadPoolExecutor(len(CLIENTS)) as pool:
        ordered = [pool.submit(order, client) for client in CLIENTS.items()]
        eventually(lambda: len(operator.consumers()) >= 20, "20 servers have been claimed for", STORM_SECONDS)
        kill_a_worker(programs)
        eventually(lambda: len(operator.consumers()) >= 60, "60 servers have been claimed for", STORM_SECONDS)
        claimed = len(operator.consumers())
        programs.stop(mariadb.OURS)
        mariadb.start(programs, mariadb.OURS)
        for each in ordered:
            each.result()
    assert claimed < EACH * len(CLIENTS)

    eventually(lambda: not any(is_busy(server) for server in servers(operator)), "all is done", STORM_SECONDS)
    found = servers(operator)
    assert len(found) == EACH * len(CLIENTS)
    statuses = Counter(server.status for server in found)
    assert statuses.keys() <= {"ACTIVE", "ERROR"}, statuses
    assert statuses["ACTIVE"] > claimed, statuses
    for server in found:
        if server.status == "ERROR":
            assert server.fault["message"]

    running = {server.id: {host_of(server): SMALL} for server in found if server.status == "ACTIVE"}
    # A worker that is killed after a claim is committed, and before the answer is sent, leaves the claim behind.
    unanswered = held(operator).keys() - running.keys()
    assert len(unanswered) <= AT_ONCE
    assert unanswered <= {server.id for server in found if server.status == "ERROR"}
    if unanswered:
        assert operator.runs("nova-manage placement audit --verbose --delete").returncode == DELETED
    assert held(operator) == running
    assert operator.runs("nova-manage placement audit --verbose").returncode == 0
    on_hosts = Counter(host for holding in running.values() for host in holding)
    assert {host: usage["VCPU"] for host, usage in operator.usages().items()} == {
        host: before[host]["VCPU"] + on_hosts[host] for host in COMPUTES
    }

    with ThreadPoolExecutor(len(CLIENTS)) as pool:
        parts = [found[number :: len(CLIENTS)] for number in range(len(CLIENTS))]
        list(pool.map(lambda part: Operator(operator.site).deletes(*part), parts))
    operator.await_usages(before)
    operator.await_consumers()


def kill_a_worker(programs: Programs) -> None:
    """Kill one of Moorage's workers, and wait until another has taken its place."""
    parent = programs.pid(moorage.NAME)
    workers = children(parent)
    assert len(workers) == moorage.WORKERS
    os.kill(min(workers), signal.SIGKILL)
    eventually(lambda: len(children(parent) - {min(workers)}) == moorage.WORKERS, "another worker takes its place")


def children(pid: int) -> set[int]:
    """The processes that a process has started."""
    return {
        int(word) for task in Path(f"/proc/{pid}/task").iterdir() for word in (task / "children").read_text().split()
    }


def servers(operator: Operator) -> list[Server]:
    """All servers that were ordered here."""
    return list(operator.cloud.compute.servers(all_projects=True, name="^storm-"))


def is_busy(server: Server) -> bool:
    """Whether something is still being done with a server."""
    return server.task_state is not None or server.status == "BUILD"


def held(operator: Operator) -> dict[str, dict[str, dict[str, int]]]:
    """What every consumer holds, by host."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for host in COMPUTES:
        path = f"/resource_providers/{operator.provider(host)}/allocations"
        for consumer, entry in operator.asks_placement(path)["allocations"].items():
            found.setdefault(consumer, {})[host] = entry["resources"]
    return found
