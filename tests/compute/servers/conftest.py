"""A yard on an empty database of each kind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from moorage.db.database import Database
from tests.compute.servers.yard import Yard, open_yard
from tests.installation import installation

__all__ = ["installation"]


@pytest.fixture
def database(empty_database: str, installation: object) -> Iterator[Database]:
    database = Database(empty_database)
    yield database
    database.dispose()


@pytest.fixture
def yard(database: Database) -> Yard:
    """The compute API over a cloud with nothing in it, as a member of a project uses it."""
    return open_yard(database)
