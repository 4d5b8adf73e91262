"""A cloud with two hosts of 8 VCPUs that leases may use, on an empty database."""

from __future__ import annotations

import pytest

from moorage.db.database import Database
from tests.reservations.api.clouds import ReservationCloud, Reserver


@pytest.fixture
def cloud(database: Database) -> ReservationCloud:
    cloud = ReservationCloud(database)
    cloud.add_host("one")
    cloud.add_host("two")
    return cloud


@pytest.fixture
def tycho(cloud: ReservationCloud) -> Reserver:
    return cloud.tycho
