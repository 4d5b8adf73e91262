"""Moorage over HTTP and in this process, and upstream's Placement, all of them empty; and agents for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from moorage.client.in_process import WsgiTransport
from moorage.client.transport import Transport
from tests.client.upstream import ADMIN
from tests.clients.running_service import RunningService
from tests.differential.services import Service, both_services
from tests.hosts.agent.hosts import AgentOfHost
from tests.hosts.agent.placements import empty, http_transport
from tests.hosts.agent.transports import OneAtATime, Recorder
from tests.hosts.agent.upstream import UpstreamTransport

OVER_HTTP = ("moorage over HTTP", "upstream over HTTP")
IN_PROCESS = ("moorage in process", "upstream in process")


@pytest.fixture(scope="session")
def upstream_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with both_services(tmp_path_factory.mktemp("upstream_in_process")) as pair:
        yield pair.upstream


def transport_to(where: str, request: pytest.FixtureRequest) -> Transport:
    if where == "moorage in process":
        headers = {"x-auth-token": ADMIN, "x-roles": "admin,service"}
        return WsgiTransport(request.getfixturevalue("application"), headers)
    if where == "upstream in process":
        return UpstreamTransport(request.getfixturevalue("upstream_service"))
    if where == "upstream over HTTP":
        return OneAtATime(http_transport(request.getfixturevalue("upstream"), ADMIN))
    service: RunningService = request.getfixturevalue("service")
    return http_transport(service.placement, service.token)


@pytest.fixture(params=IN_PROCESS)
def transport(request: pytest.FixtureRequest) -> Transport:
    """The way to an empty Placement of each kind."""
    transport = transport_to(request.param, request)
    empty(transport)
    return transport


@pytest.fixture
def recorder(transport: Transport) -> Recorder:
    return Recorder(transport)


@pytest.fixture
def agent_on(tmp_path: Path, recorder: Recorder) -> Iterator[Callable[[str], AgentOfHost]]:
    """Makes agents of hosts, by name, that go through the recorder."""
    with ExitStack() as ended:

        def make(host: str) -> AgentOfHost:
            return ended.enter_context(AgentOfHost(host, tmp_path / host, recorder))

        yield make


@pytest.fixture
def agent(agent_on: Callable[[str], AgentOfHost]) -> AgentOfHost:
    return agent_on("host-a")
