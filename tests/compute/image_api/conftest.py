"""A cloud on an empty database, and what its people do with images."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.compute.api.conftest import cloud
from tests.compute.api.people import Cloud, Person

__all__ = ["cloud"]


@pytest.fixture
def tycho(cloud: Cloud) -> Person:
    """A member of the project astronomy."""
    return replace(cloud.tycho, service="image")


@pytest.fixture
def maria(cloud: Cloud) -> Person:
    """A member of the project botany."""
    return replace(cloud.maria, service="image")


@pytest.fixture
def admin(cloud: Cloud) -> Person:
    return replace(cloud.admin, service="image")
