"""Claims on different providers never wait for each other, although those that come together share transactions."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from threading import Event
from uuid import UUID, uuid4

import pytest

from moorage.db.database import Database, Transaction
from moorage.placement.joint_claims import JointClaims
from moorage.placement.model.allocation import Claim
from moorage.placement.model.errors import CapacityExceeded
from moorage.placement.store import claims, provider_locks
from moorage.placement.store.express.claiming import ExpressClaims
from tests.placement.books import mistakes
from tests.placement.rest import PROJECT, USER, Api

pytestmark = pytest.mark.every_database

HOSTS, CAPACITY = 8, 8
# More than a busy machine needs for a claim, and far less than a host is held.
SOON, LONG = 5.0, 60.0

# A claim that is never made, but others wait for it.
FIRST = Claim(str(UUID(int=1)), PROJECT, USER, "INSTANCE", None, {"nowhere": {"VCPU": 1}})


@pytest.fixture
def server(database: Database) -> Database:
    """A database that locks rows."""
    if database.dialect == "sqlite":
        pytest.skip("SQLite has one writer at a time, whatever it writes")
    return database


@pytest.fixture
def hosts(api: Api) -> list[str]:
    return [api.create_provider(f"host{number}", {"VCPU": CAPACITY}) for number in range(HOSTS)]


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4 * HOSTS) as pool:
        yield pool


class _LetGo(Exception):
    """Ends a transaction that has nothing to write."""


@contextmanager
def held(server: Database, pool: ThreadPoolExecutor, host: str) -> Iterator[None]:
    """Somebody else has taken a host and does not let go of it."""
    taken, enough = Event(), Event()

    def hold(tx: Transaction) -> None:
        provider_locks.lock(tx, host)
        taken.set()
        assert enough.wait(LONG)
        raise _LetGo

    holder = pool.submit(server.write, hold)
    assert taken.wait(SOON)
    try:
        yield
        assert not holder.done()
    finally:
        enough.set()
    with pytest.raises(_LetGo):
        holder.result(SOON)


def claim_of(*hosts: str, amount: int = 1) -> Claim:
    return Claim(str(uuid4()), PROJECT, USER, "INSTANCE", None, {host: {"VCPU": amount} for host in hosts})


def express(server: Database) -> ExpressClaims:
    return ExpressClaims(server, lambda wanted: server.write(lambda tx: claims.claim(tx, wanted)))


def as_one_group(server: Database, pool: ThreadPoolExecutor, wanted: Sequence[Claim]) -> list[Future[None]]:
    """Claims that all wait for the same one that is under way, which then is done."""
    goes = Event()

    def write(some: Sequence[Claim]) -> None:
        assert goes.wait(SOON)
        if some[0].amounts != FIRST.amounts:
            express(server).claim(some)

    joint = JointClaims(write, patience=LONG)
    first = pool.submit(joint.claim, FIRST)
    while joint._joint._leader is None:
        time.sleep(0)
    started = [pool.submit(joint.claim, claim) for claim in wanted]
    while len(joint._joint._queue) < len(wanted):
        time.sleep(0)
    goes.set()
    first.result(SOON)
    return started


def used(api: Api, host: str) -> int:
    amount: int = api.get(f"/resource_providers/{host}/usages")["usages"]["VCPU"]
    return amount


def test_a_group_does_not_wait_for_a_host_that_some_of_it_name(
    server: Database, api: Api, pool: ThreadPoolExecutor, hosts: list[str]
) -> None:
    taken, *free = hosts
    with held(server, pool, taken):
        started = as_one_group(server, pool, [claim_of(host) for host in (taken, *free, taken)])
        first, *others, last = started
        wait(others, SOON)
        assert [other.done() for other in others] == [True] * len(others)
        assert [used(api, host) for host in free] == [1] * len(free)
        assert not first.done()
        assert not last.done()
    for future in started:
        future.result(SOON)
    assert used(api, taken) == 2
    assert server.read(mistakes) == []


def test_nor_do_those_that_come_after_a_claim_on_a_held_host(
    server: Database, api: Api, pool: ThreadPoolExecutor, hosts: list[str]
) -> None:
    taken, *free = hosts
    joint = JointClaims(express(server).claim)
    with held(server, pool, taken):
        waiting = pool.submit(joint.claim, claim_of(taken))
        while joint._joint._leader is None:
            time.sleep(0)
        for _ in range(2):
            for future in [pool.submit(joint.claim, claim_of(host)) for host in free]:
                future.result(SOON)
        assert not waiting.done()
    waiting.result(SOON)
    assert [used(api, host) for host in hosts] == [1] + [2] * len(free)


def test_each_of_a_divided_group_gets_its_own_answer(
    server: Database, api: Api, pool: ThreadPoolExecutor, hosts: list[str]
) -> None:
    taken, full, *free = hosts
    wanted = [claim_of(full, amount=CAPACITY + 1), claim_of(taken), *(claim_of(host) for host in free)]
    with held(server, pool, taken):
        too_large, waiting, *others = as_one_group(server, pool, wanted)
        with pytest.raises(CapacityExceeded):
            too_large.result(SOON)
        for other in others:
            other.result(SOON)
        assert not waiting.done()
    waiting.result(SOON)
    assert [used(api, host) for host in hosts] == [1, 0] + [1] * len(free)
    assert server.read(mistakes) == []
