"""What the tests of a whole cloud ask for. Without a cloud they are not collected."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.openstack.__main__ import SITE_VARIABLE
from tests.openstack.cloud.programs import Programs
from tests.openstack.cloud.site import known_site
from tests.openstack.operator import Operator

if SITE_VARIABLE not in os.environ:
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def programs() -> Programs:
    """The processes of the cloud."""
    return Programs(known_site(Path(os.environ[SITE_VARIABLE])))


@pytest.fixture(scope="session")
def operator(programs: Programs) -> Operator:
    """Who runs the cloud."""
    return Operator(programs.site)
