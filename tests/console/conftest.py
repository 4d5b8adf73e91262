"""A service with the sample cloud, and a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.clients.running_service import RunningService, running_service
from tests.console.chromium import NoChromium, running_chromium
from tests.console.visitor import Visitor, visitor


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    try:
        with running_chromium() as started:
            yield started
    except NoChromium as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def sample_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The sample cloud; tests leave it as they find it, or use what no other test looks at."""
    with running_service(tmp_path_factory.mktemp("sample"), "--sample") as started:
        yield started


@pytest.fixture
def somebody(browser: Browser, sample_service: RunningService) -> Iterator[Visitor]:
    """Somebody who is not signed in."""
    with visitor(browser, sample_service) as found:
        yield found


@pytest.fixture
def administrator(somebody: Visitor) -> Visitor:
    """Somebody who may see everything."""
    somebody.sign_in_as_administrator()
    return somebody
