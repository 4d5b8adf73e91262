"""What the tests of a whole cloud ask for. Without a cloud they are not collected."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.openstack.__main__ import SITE_VARIABLE
from tests.openstack.cloud.programs import Programs
from tests.openstack.cloud.site import known_site
from tests.openstack.operator import Operator

if SITE_VARIABLE in os.environ:
    # Who is told to end clears away first; an interrupt would be ignored by what runs in the background.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
else:
    collect_ignore_glob = ["test_*.py"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have the move come last: a cloud that is left between two Placements would fail every test after it."""
    items.sort(key=lambda item: item.path.name == "test_moving.py")


@pytest.fixture(scope="session")
def programs() -> Programs:
    """The processes of the cloud."""
    return Programs(known_site(Path(os.environ[SITE_VARIABLE])))


@pytest.fixture(scope="session")
def operator(programs: Programs) -> Operator:
    """Who runs the cloud."""
    return Operator(programs.site)
