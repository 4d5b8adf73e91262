"""A harbour on an empty database of each kind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from moorage.db.database import Database
from tests.installation import installation
from tests.reservations.harbour import Harbour, open_harbour

__all__ = ["installation"]


@pytest.fixture
def database(empty_database: str, installation: object) -> Iterator[Database]:
    database = Database(empty_database)
    yield database
    database.dispose()


@pytest.fixture
def harbour(database: Database) -> Harbour:
    """Leases in Moorage's own cloud."""
    return open_harbour(database)
