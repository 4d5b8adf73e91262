"""A service with the sample cloud, which the tests of this folder may change as they like."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus

import pytest

from tests.clients.running_service import RunningService, running_service
from tests.openapi.conforming import ANSWERS

# Nobody has commitments here, so there is none to change.
_NEVER_DONE = ("/v1/change-commitments",)


@pytest.fixture(autouse=True)
def something_was_done(request: pytest.FixtureRequest) -> Iterator[None]:
    """An operation that is refused each time has not been looked at."""
    ANSWERS.clear()
    yield
    if ANSWERS and not any(path in request.node.name for path in _NEVER_DONE):
        assert any(status < HTTPStatus.BAD_REQUEST for status in ANSWERS), "every request was refused"


@pytest.fixture(scope="module")
def sample_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """One per module: what one API is asked to do shall not depend on what another was asked before."""
    with running_service(tmp_path_factory.mktemp("sample"), "--sample") as started:
        yield started
