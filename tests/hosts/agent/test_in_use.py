"""What somebody uses is not taken away; the rest is."""

from __future__ import annotations

from tests.hosts.agent.hosts import EXAMPLE, ONE_NODE, WITH_DEVICES, AgentOfHost
from tests.hosts.agent.placements import allocate
from tests.hosts.agent.transports import Recorder

CONSUMER = "c0000000-0000-4000-8000-000000000001"


def test_inventory_in_use_stays_until_it_is_free(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.write("example.yaml", EXAMPLE)
    agent.round()
    allocate(agent.client, CONSUMER, {agent.uuid("node-1"): {"CUSTOM_LLC": 2}})
    agent.remove("example.yaml")
    agent.has(ONE_NODE.replace("VCPU: 8", "VCPU: 4"))
    (undone,) = agent.round().undone
    assert undone.startswith(f"node-1: CUSTOM_LLC is held by consumer {CONSUMER};")
    # Everything else is done.
    assert agent.inventories("node-1").keys() == {"VCPU", "MEMORY_MB", "CUSTOM_LLC"}
    assert agent.inventories("node-1")["VCPU"].total == 4
    assert "CUSTOM_P_STATE_ENABLED" not in agent.traits("node-1")

    recorder.forget()
    assert agent.round().undone == (undone,)
    assert recorder.writes == []
    agent.start()
    assert agent.round().undone == (undone,)

    agent.client.delete_allocations(CONSUMER)
    assert agent.round().undone == ()
    assert agent.inventories("node-1").keys() == {"VCPU", "MEMORY_MB"}


def test_a_provider_in_use_stays_until_it_is_free(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.has(WITH_DEVICES)
    agent.round()
    allocate(agent.client, CONSUMER, {agent.uuid("node-1_gpu"): {"PGPU": 1}})
    agent.has(ONE_NODE)
    (undone,) = agent.round().undone
    assert CONSUMER in undone
    assert agent.names() == {"node-1", "node-1_numa0", "node-1_gpu"}
    assert agent.inventories("node-1").keys() == {"VCPU", "MEMORY_MB"}

    recorder.forget()
    agent.round()
    assert recorder.writes == []
    agent.client.delete_allocations(CONSUMER)
    agent.start()
    assert agent.round().undone == ()
    assert agent.names() == {"node-1"}
