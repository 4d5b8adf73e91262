"""The Placement API on an empty database of each kind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from moorage.db.database import Database
from moorage.service.application import placement_application
from moorage.service.settings import load_settings
from tests.installation import installation
from tests.placement.rest import Api

__all__ = ["installation"]


@pytest.fixture
def api(empty_database: str, installation: object) -> Iterator[Api]:
    """The real application over a real database, with nothing in it but the standard names."""
    database = Database(empty_database)
    settings = load_settings({"database.connection": empty_database, "api.auth_strategy": "noauth2"})
    yield Api(placement_application(settings, database))
    database.dispose()
