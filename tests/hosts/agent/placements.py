"""The Placements that an agent must get on with, each empty at the beginning of a test."""

from __future__ import annotations

from collections.abc import Iterator

from keystoneauth1.adapter import Adapter
from keystoneauth1.token_endpoint import Token

from moorage.client.http import HttpTransport, open_session
from moorage.client.placement import ConsumerAllocations, PlacementClient
from moorage.client.transport import Transport
from tests.hosts.agent.upstream import UpstreamTransport


def http_transport(endpoint: str, token: str) -> Transport:
    session = open_session(Token(endpoint, token))
    # What noauth2 believes; other strategies do not look at it.
    session.additional_headers["x-roles"] = "admin,service"
    return HttpTransport(Adapter(session, service_type="placement", endpoint_override=endpoint))


def empty(transport: Transport) -> None:
    """Leave no provider, no custom name, and no sign of an agent."""
    if isinstance(transport, UpstreamTransport):
        transport.reset()
        return
    client = PlacementClient(transport)
    _forget_agents(client)
    for provider in client.providers():
        for consumer in client.provider_allocations(provider.uuid):
            if client.allocations(consumer):
                client.delete_allocations(consumer)
    while providers := client.providers():
        parents = {provider.parent_uuid for provider in providers}
        for provider in providers:
            if provider.uuid not in parents:
                client.delete_provider(provider.uuid)
    for path in _custom_names(transport):
        transport.send("DELETE", path, headers=_VERSION)


def _forget_agents(client: PlacementClient) -> None:
    for agent in client.agents().agents if client.is_moorage() else ():
        client.forget_agent(agent.name)


_VERSION = {"openstack-api-version": "placement 1.39"}


def _custom_names(transport: Transport) -> Iterator[str]:
    traits = transport.send("GET", "/traits", query=[("name", "startswith:CUSTOM_")], headers=_VERSION).json()
    yield from (f"/traits/{name}" for name in traits["traits"])
    classes = transport.send("GET", "/resource_classes", headers=_VERSION).json()["resource_classes"]
    yield from (f"/resource_classes/{each['name']}" for each in classes if each["name"].startswith("CUSTOM_"))


def allocate(client: PlacementClient, consumer: str, amounts: dict[str, dict[str, int]]) -> None:
    client.put_allocations(
        consumer, ConsumerAllocations(amounts, project_id="project", user_id="user", consumer_type="INSTANCE")
    )
