"""The Placement services that servers are placed with: Moorage in this process, and upstream's."""

from __future__ import annotations

import pytest

from moorage.client.placement import PlacementClient
from tests.client.conftest import client_of
from tests.compute.placing.cloud import Cloud


@pytest.fixture(params=["moorage in process", "upstream over HTTP"])
def placement(request: pytest.FixtureRequest) -> PlacementClient:
    """A client of each of them in turn. What other tests wrote is still there."""
    return client_of(request)


@pytest.fixture
def cloud(placement: PlacementClient) -> Cloud:
    """A cloud without hosts."""
    return Cloud(placement)
