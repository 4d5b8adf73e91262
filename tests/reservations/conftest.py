"""A harbour on an empty database."""

from __future__ import annotations

import pytest

from moorage.db.database import Database
from tests.reservations.harbour import Harbour, open_harbour


@pytest.fixture
def harbour(database: Database) -> Harbour:
    """Leases in Moorage's own cloud."""
    return open_harbour(database)
