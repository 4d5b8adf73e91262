"""The Placement API on an empty database."""

from __future__ import annotations

import pytest

from moorage.db.database import Database
from moorage.service.application import placement_application
from moorage.service.settings import load_settings
from tests.placement.rest import Api


def open_api(database: Database) -> Api:
    """The real application over a database, with the settings of a fresh installation."""
    settings = load_settings({"api.auth_strategy": "noauth2"}, config_files=[])
    return Api(placement_application(settings, database))


@pytest.fixture
def api(database: Database) -> Api:
    """The API over a database with nothing in it but the standard names."""
    return open_api(database)
