"""A yard on an empty database."""

from __future__ import annotations

import pytest

from moorage.db.database import Database
from tests.compute.servers.yard import Yard, open_yard


@pytest.fixture
def yard(database: Database) -> Yard:
    """The compute API over a cloud with nothing in it, as a member of a project uses it."""
    return open_yard(database)
