"""A node moves from one host to another, as bare-metal nodes do when the service that manages them fails."""

from __future__ import annotations

from collections.abc import Callable

from moorage.hosts.agent.memory import Memory
from tests.hosts.agent.hosts import EXAMPLE, ONE_NODE, AgentOfHost
from tests.hosts.agent.transports import Recorder

OTHER_FILE = EXAMPLE.replace("CUSTOM_LLC", "CUSTOM_CACHE").replace("CUSTOM_P_STATE_ENABLED", "CUSTOM_TURBO")


def test_its_attributes_change_accordingly(agent_on: Callable[[str], AgentOfHost], recorder: Recorder) -> None:
    a, b = agent_on("host-a"), agent_on("host-b")
    b.has("nodes: []")
    a.write("a.yaml", EXAMPLE)
    b.write("b.yaml", OTHER_FILE)
    a.round()
    b.round()
    uuid = a.uuid("node-1")

    a.has("nodes: []")
    b.has(ONE_NODE)
    if not a.client.is_moorage():
        # Elsewhere only the agent that added something knows that it did; so the one that lost the node comes first.
        a.round()
    b.round()
    assert b.uuid("node-1") == uuid
    assert b.inventories("node-1").keys() == {"VCPU", "MEMORY_MB", "CUSTOM_CACHE"}
    assert b.traits("node-1") == {"COMPUTE_NODE", "HW_CPU_X86_AVX2", "CUSTOM_TURBO"}

    # The one that lost it leaves it alone from now on, and does not take it away when it starts again.
    recorder.forget()
    a.round()
    a.start()
    a.round()
    b.round()
    assert recorder.writes == []

    # And it may come back.
    b.has("nodes: []")
    a.has(ONE_NODE)
    if not a.client.is_moorage():
        b.round()
    a.round()
    assert a.inventories("node-1").keys() == {"VCPU", "MEMORY_MB", "CUSTOM_LLC"}
    a.has("nodes: []")
    a.round()
    assert a.names() == set()


def test_elsewhere_it_is_made_anew_if_the_agent_that_lost_it_comes_later(
    agent_on: Callable[[str], AgentOfHost],
) -> None:
    a, b = agent_on("host-a"), agent_on("host-b")
    b.has("nodes: []")
    a.write("a.yaml", EXAMPLE)
    b.write("b.yaml", OTHER_FILE)
    a.round()
    a.has("nodes: []")
    b.has(ONE_NODE)
    for _ in range(2):
        b.round()
        a.round()
    b.round()
    assert b.inventories("node-1").keys() == {"VCPU", "MEMORY_MB", "CUSTOM_CACHE"}
    assert b.traits("node-1") == {"COMPUTE_NODE", "HW_CPU_X86_AVX2", "CUSTOM_TURBO"}


def test_a_placement_that_becomes_a_moorage_takes_over_what_the_agent_remembers(agent: AgentOfHost) -> None:
    if not agent.client.is_moorage():
        return  # it stays what it is
    agent.start(as_if_upstream=True)
    agent.write("example.yaml", EXAMPLE)
    agent.round()
    assert Memory(agent.memory).origins.keys() == {agent.uuid("node-1")}

    agent.start()
    agent.round()
    assert Memory(agent.memory).origins == {}
    (details,) = agent.client.read_providers(("origin",))
    assert details.origin is not None
    assert details.origin.made
    assert details.origin.traits["CUSTOM_P_STATE_ENABLED"] == "file:example.yaml"
    agent.remove("example.yaml")
    agent.has("nodes: []")
    agent.start()
    agent.round()
    assert agent.names() == set()
