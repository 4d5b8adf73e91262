"""Clients of the three services that they must get on with: Moorage over HTTP and in this process, and upstream's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from keystoneauth1.adapter import Adapter
from keystoneauth1.token_endpoint import Token

from moorage.client.compute import ComputeClient
from moorage.client.http import HttpTransport, open_session
from moorage.client.image import ImageClient
from moorage.client.in_process import WsgiTransport
from moorage.client.placement import PlacementClient
from moorage.client.transport import Transport
from moorage.db.upgrade import upgrade
from moorage.service.application import Deployment, open_database
from moorage.service.settings import database_url, load_settings
from tests.client.upstream import ADMIN
from tests.clients.running_service import RunningService

MOORAGE = ("moorage over HTTP", "moorage in process")
EVERYWHERE = (*MOORAGE, "upstream over HTTP")


@pytest.fixture(scope="session")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """All services of one process, without any server."""
    state = tmp_path_factory.mktemp("deployment")
    settings = load_settings({"state_path": str(state), "api.auth_strategy": "noauth2"}, config_files=[])
    upgrade(database_url(settings))
    database = open_database(settings)
    yield Deployment(settings, database, housekeeping=False)
    database.dispose()


@dataclass(frozen=True)
class Clients:
    """The ways to the services of one cloud."""

    placement: PlacementClient
    compute: ComputeClient
    image: ImageClient
    # Sends anything to the image service, to have images there.
    image_transport: Transport


@pytest.fixture(params=MOORAGE)
def cloud(request: pytest.FixtureRequest) -> Clients:
    """A Moorage, over HTTP and in this process. What other tests wrote is still there."""
    if request.param == "moorage in process":
        deployment: Deployment = request.getfixturevalue("deployment")
        images = WsgiTransport(deployment.compute["/image"], {"x-auth-token": ADMIN}, root="/v2")
        return Clients(deployment.placement_client, deployment.compute_client, deployment.image_client, images)
    service: RunningService = request.getfixturevalue("service")
    reached = transport_to(f"{service.url}/image/v2", service.token)
    compute = ComputeClient(transport_to(f"{service.url}/compute/v2.1", service.token))
    return Clients(http_client(service.placement, service.token), compute, ImageClient(reached), reached)


def client_of(request: pytest.FixtureRequest) -> PlacementClient:
    """The client that a fixture's parameter names."""
    where: str = request.param
    if where == "moorage in process":
        headers = {"x-auth-token": ADMIN, "x-roles": "admin,service"}
        return PlacementClient(WsgiTransport(request.getfixturevalue("application"), headers))
    if where == "upstream over HTTP":
        return http_client(request.getfixturevalue("upstream"), ADMIN)
    service: RunningService = request.getfixturevalue("service")
    return http_client(service.placement, service.token)


def transport_to(endpoint: str, token: str) -> HttpTransport:
    session = open_session(Token(endpoint, token))
    return HttpTransport(Adapter(session, service_type="whatever", endpoint_override=endpoint))


def http_client(endpoint: str, token: str, timeout: float = 60) -> PlacementClient:
    session = open_session(Token(endpoint, token), timeout=timeout)
    # What noauth2 believes; other strategies do not look at it.
    session.additional_headers["x-roles"] = "admin,service"
    return PlacementClient(HttpTransport(Adapter(session, service_type="placement", endpoint_override=endpoint)))


@pytest.fixture(params=EVERYWHERE)
def client(request: pytest.FixtureRequest) -> PlacementClient:
    """A client of each of them in turn. What other tests wrote is still there."""
    return client_of(request)


@pytest.fixture(params=MOORAGE)
def moorage(request: pytest.FixtureRequest) -> PlacementClient:
    """A client of Moorage, in both ways."""
    return client_of(request)
