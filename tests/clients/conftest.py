"""One running service for all the clients, and an empty cloud for each test."""

from __future__ import annotations

import pytest

from tests.clients.openstack_command import OpenStack
from tests.clients.running_service import RunningService, remove_everything


@pytest.fixture
def empty_cloud(service: RunningService) -> RunningService:
    """The same service with nothing in it but the standard traits and resource classes."""
    remove_everything(service)
    return service


@pytest.fixture(scope="session")
def shell(service: RunningService) -> OpenStack:
    """The `openstack` command with the clouds.yaml of the service."""
    return OpenStack(service.clouds_file)


@pytest.fixture
def openstack(shell: OpenStack, empty_cloud: RunningService) -> OpenStack:
    """The same command on an empty cloud."""
    return shell
