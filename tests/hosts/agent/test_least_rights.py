"""The rules that the document for operators gives are enough for an agent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from moorage.client.errors import Unauthorized
from moorage.client.in_process import WsgiTransport
from moorage.client.placement import PlacementClient
from moorage.client.transport import Transport
from moorage.db.upgrade import upgrade
from moorage.placement.model.agent import Outcome, Sign
from moorage.service.application import open_database, placement_application
from moorage.service.settings import database_url, load_settings
from tests.docs.documents import REPOSITORY, blocks
from tests.hosts.agent.hosts import EXAMPLE, ONE_NODE, WITH_DEVICES, AgentOfHost
from tests.hosts.agent.placements import allocate

CONSUMER = "c0000000-0000-4000-8000-000000000001"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    written = ["\n".join(block.lines) for block in blocks(REPOSITORY / "docs" / "agent.md", "yaml")]
    (block,) = (each for each in written if "role:agent" in each)
    file = tmp_path / "policy.yaml"
    file.write_text(block)
    return file


@pytest.fixture
def ways(rules: Path, tmp_path: Path) -> Iterator[tuple[Transport, Transport]]:
    """The agent's way to a Placement with these rules, and an administrator's."""
    settings = load_settings(
        {
            "state_path": str(tmp_path / "placement"),
            "api.auth_strategy": "noauth2",
            "oslo_policy.policy_file": str(rules),
            "oslo_policy.enforce_new_defaults": True,
        },
        config_files=[],
    )
    (tmp_path / "placement").mkdir()
    upgrade(database_url(settings))
    database = open_database(settings)
    application = placement_application(settings, database)
    yield (
        WsgiTransport(application, {"x-auth-token": "somebody:project", "x-roles": "agent"}),
        WsgiTransport(application, {"x-auth-token": "admin", "x-roles": "admin,service"}),
    )
    database.dispose()


@pytest.mark.parametrize("as_if_upstream", [False, True])
def test_an_agent_can_do_all_its_work(
    ways: tuple[Transport, Transport], tmp_path: Path, *, as_if_upstream: bool
) -> None:
    transport, administrator = ways
    with AgentOfHost("host-a", tmp_path / "host-a", transport) as agent:
        agent.start(as_if_upstream=as_if_upstream)
        agent.has(WITH_DEVICES)
        agent.write("example.yaml", EXAMPLE)
        assert agent.round().undone == ()
        node = agent.uuid("node-1")
        allocate(PlacementClient(administrator), CONSUMER, {node: {"CUSTOM_LLC": 2}})
        agent.remove("example.yaml")
        agent.has(ONE_NODE.replace("traits:", "aggregates: [0d6f2f60-2f0c-4a9a-8f5e-3c6f0b0c7d11]\n        traits:"))
        (undone,) = agent.round().undone
        assert CONSUMER in undone
        PlacementClient(administrator).delete_allocations(CONSUMER)
        agent.has("nodes: []")
        assert agent.round().undone == ()
        assert agent.names() == set()


def test_an_agent_can_say_that_it_is_alive(ways: tuple[Transport, Transport]) -> None:
    transport, administrator = ways
    PlacementClient(transport).leave_sign(Sign("host-a", "1.2.3", 60.0, Outcome.WELL))
    assert [each.name for each in PlacementClient(administrator).agents().agents] == ["host-a"]


def test_and_for_nothing_else(ways: tuple[Transport, Transport]) -> None:
    transport, _ = ways
    with pytest.raises(Unauthorized):
        PlacementClient(transport).allocation_candidates([("resources", "VCPU:1")])
    with pytest.raises(Unauthorized):
        PlacementClient(transport).delete_allocations(CONSUMER)
    with pytest.raises(Unauthorized):
        PlacementClient(transport).forget_agent("host-a")
