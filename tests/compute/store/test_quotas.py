"""Limits of projects, and counting in turn."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from moorage.compute.model.server_group import ServerGroup
from moorage.compute.store import quotas, server_groups
from moorage.db.database import Database, Transaction

pytestmark = pytest.mark.every_database


def test_limits_are_set_and_forgotten(database: Database) -> None:
    database.write(lambda tx: quotas.set_limits(tx, "p", {"cores": 4, "ram": -1}))
    database.write(lambda tx: quotas.set_limits(tx, "p", {"cores": 5}))
    database.write(lambda tx: quotas.set_limits(tx, "q", {"cores": 6}))
    assert database.read(lambda connection: quotas.limits(connection, "p")) == {"cores": 5, "ram": -1}
    database.write(lambda tx: quotas.reset(tx, "p"))
    assert database.read(lambda connection: quotas.limits(connection, "p")) == {}
    assert database.read(lambda connection: quotas.limits(connection, "q")) == {"cores": 6}


def test_who_counts_in_turn_never_makes_one_too_many(database: Database) -> None:
    def add_one_of_three(number: int) -> bool:
        def work(tx: Transaction) -> bool:
            quotas.take_turn(tx, "p")
            if server_groups.count(tx.connection, "p") >= 3:
                return False
            uuid = f"00000000-0000-4000-8000-{number:012}"
            group = ServerGroup(uuid=uuid, name="g", project_id="p", user_id="u", policy="affinity")
            server_groups.create(tx, group)
            return True

        return database.write(work)

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(add_one_of_three, range(12)))
    assert made.count(True) == 3
    assert database.read(lambda connection: server_groups.count(connection, "p")) == 3
