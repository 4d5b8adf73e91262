"""Services that all tests of a worker share, because starting one takes longer than most tests.

What other tests wrote is still there: who needs an empty one empties it.
"""

from __future__ import annotations

from collections.abc import Iterator
from wsgiref.types import WSGIApplication

import pytest

from moorage.db.upgrade import upgrade
from moorage.service.application import open_database, placement_application
from moorage.service.settings import database_url, load_settings
from tests.client.upstream import running_upstream
from tests.clients.running_service import RunningService, running_service


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service as `moorage serve` starts it: SQLite, the strategy `token`, a clouds.yaml beside the token."""
    with running_service(tmp_path_factory.mktemp("service")) as started:
        yield started


@pytest.fixture(scope="session")
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The endpoint of upstream's Placement."""
    with running_upstream(tmp_path_factory.mktemp("upstream")) as endpoint:
        yield endpoint


@pytest.fixture(scope="session")
def application(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WSGIApplication]:
    """Moorage's Placement in this process, on SQLite, with the strategy `noauth2`."""
    state = tmp_path_factory.mktemp("in_process")
    settings = load_settings({"state_path": str(state), "api.auth_strategy": "noauth2"}, config_files=[])
    upgrade(database_url(settings))
    database = open_database(settings)
    yield placement_application(settings, database)
    database.dispose()
