"""A cloud on an empty database."""

from __future__ import annotations

import pytest

from moorage.db.database import Database
from tests.compute.api.clouds import open_cloud
from tests.compute.api.people import Cloud, Person


@pytest.fixture
def cloud(database: Database) -> Cloud:
    """A cloud without hosts, flavors or anything else."""
    return open_cloud(database)


@pytest.fixture
def admin(cloud: Cloud) -> Person:
    return cloud.admin
