"""A cloud on an empty database of each kind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from moorage.db.database import Database
from tests.compute.api.clouds import open_cloud
from tests.compute.api.people import Cloud, Person
from tests.installation import installation

__all__ = ["installation"]


@pytest.fixture
def database(empty_database: str) -> Iterator[Database]:
    database = Database(empty_database)
    yield database
    database.dispose()


@pytest.fixture
def cloud(database: Database, installation: object) -> Cloud:
    """A cloud without hosts, flavors or anything else."""
    return open_cloud(database)


@pytest.fixture
def admin(cloud: Cloud) -> Person:
    return cloud.admin
