"""On a Galera cluster every node takes writes, and what one has acknowledged the others show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from sqlalchemy import make_url, text

from moorage.db.database import Database, Transaction
from moorage.db.upgrade import upgrade
from tests.databases import administration, execute
from tests.db.galera import cluster
from tests.placement.books import mistakes
from tests.placement.crew import open_api
from tests.placement.rest import Api, allocation_body

BALLAST = 300_000  # rows that take the other nodes a second
HANDS = 4
EACH = 25


@pytest.fixture(scope="module")
def nodes() -> Iterator[Sequence[Database]]:
    """The same database, as two nodes have it."""
    with cluster() as urls:
        upgrade(urls[0])
        with administration(make_url(urls[0])) as engine:
            execute(engine, "CREATE TABLE ballast (seq INT, number INT PRIMARY KEY AUTO_INCREMENT)")
        databases = [Database(url) for url in urls]
        yield databases
        for database in databases:
            database.dispose()


@pytest.fixture(scope="module")
def apis(nodes: Sequence[Database]) -> Sequence[Api]:
    return [open_api(database) for database in nodes]


def keep_busy(database: Database) -> None:
    """Give the other nodes something to apply that takes a while: they show nothing later before it is done."""
    ballast = text(f"INSERT INTO ballast (seq) SELECT seq FROM seq_1_to_{BALLAST}")

    def fill(tx: Transaction) -> None:
        tx.connection.execute(ballast)
        tx.changed("ballast", 0)

    database.write(fill)


def from_memory(api: Api, provider: str, _consumer: str) -> bool:
    return bool(api.get(f"/resource_providers/{provider}/usages")["usages"] == {"VCPU": 2})


def by_a_statement(api: Api, provider: str, consumer: str) -> bool:
    return provider in api.get(f"/allocations/{consumer}")["allocations"]


def by_a_write_that_heeds_generations(api: Api, provider: str, consumer: str) -> bool:
    body = allocation_body({provider: {"VCPU": 3}}, generation=1)
    return api.send("PUT", f"/allocations/{consumer}", body).status == 204


@pytest.mark.parametrize("is_known", [from_memory, by_a_statement, by_a_write_that_heeds_generations])
def test_what_one_node_has_acknowledged_every_other_one_knows(
    is_known: Callable[[Api, str, str], bool], apis: Sequence[Api], nodes: Sequence[Database]
) -> None:
    here, there = apis
    provider = here.create_provider(f"asked-{is_known.__name__}", {"VCPU": 8})
    assert there.get(f"/resource_providers/{provider}")["uuid"] == provider
    keep_busy(nodes[0])
    consumer = here.allocate({provider: {"VCPU": 2}})
    assert is_known(there, provider, consumer)


def test_nodes_that_write_the_same_rows_never_oversell(apis: Sequence[Api], nodes: Sequence[Database]) -> None:
    capacity = HANDS * EACH
    provider = apis[0].create_provider("wanted-by-all", {"VCPU": capacity})

    def claim(hand: int) -> Counter[int]:
        api, body = apis[hand % 2], allocation_body({provider: {"VCPU": 1}})
        return Counter(api.send("PUT", f"/allocations/{uuid4()}", body).status for _ in range(2 * EACH))

    with ThreadPoolExecutor(HANDS) as hands:
        answers = sum(hands.map(claim, range(HANDS)), Counter[int]())
    assert answers == {204: capacity, 409: capacity}
    for api, database in zip(apis, nodes, strict=True):
        assert api.get(f"/resource_providers/{provider}/usages")["usages"] == {"VCPU": capacity}
        assert database.read(mistakes) == []
