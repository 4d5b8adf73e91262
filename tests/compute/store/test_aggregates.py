"""Which aggregates are zones is told without their hosts, on every database."""

from __future__ import annotations

import pytest

from moorage.compute.model.aggregate import AVAILABILITY_ZONE
from moorage.compute.store import aggregates
from moorage.db.database import Database, Transaction

pytestmark = pytest.mark.every_database


def test_zones_are_the_aggregates_that_have_one(database: Database) -> None:
    def work(tx: Transaction) -> None:
        aggregates.create(tx, "uuid-1", "north-side", {AVAILABILITY_ZONE: "north", "ssd": "true"})
        aggregates.create(tx, "uuid-2", "fast", {"ssd": "true"})
        more = aggregates.create(tx, "uuid-3", "farther-north", {AVAILABILITY_ZONE: "north"})
        for host in ("pier-1", "pier-2"):
            aggregates.add_host(tx, more.id, host)

    assert database.read(aggregates.zones) == []
    database.write(work)
    assert database.read(aggregates.zones) == [("uuid-1", "north"), ("uuid-3", "north")]
