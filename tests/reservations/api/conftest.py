"""A cloud with two hosts of 8 VCPUs that leases may use, on an empty database of each kind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from moorage.db.database import Database
from tests.installation import installation
from tests.reservations.api.clouds import ReservationCloud, Reserver

__all__ = ["installation"]


@pytest.fixture
def database(empty_database: str) -> Iterator[Database]:
    database = Database(empty_database)
    yield database
    database.dispose()


@pytest.fixture
def cloud(database: Database, installation: object) -> ReservationCloud:
    cloud = ReservationCloud(database)
    cloud.add_host("one")
    cloud.add_host("two")
    return cloud


@pytest.fixture
def tycho(cloud: ReservationCloud) -> Reserver:
    return cloud.tycho
