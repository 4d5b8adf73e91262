"""What somebody uses is not taken away; the rest is."""

from __future__ import annotations

from collections.abc import Callable

from moorage.placement.model.inventory import Inventory
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
    # Who has it keeps it, and nobody else gets any.
    assert agent.inventories("node-1")["CUSTOM_LLC"].reserved == 22
    assert agent.candidates(resources="CUSTOM_LLC:1") == []
    assert agent.client.provider_allocations(agent.uuid("node-1")) == {CONSUMER: {"CUSTOM_LLC": 2}}

    recorder.forget()
    assert agent.round().undone == (undone,)
    assert recorder.writes == []
    agent.start()
    assert agent.round().undone == (undone,)

    agent.client.delete_allocations(CONSUMER)
    assert agent.round().undone == ()
    assert agent.inventories("node-1").keys() == {"VCPU", "MEMORY_MB"}


def test_a_file_that_comes_back_opens_what_was_closed(agent: AgentOfHost) -> None:
    agent.write("example.yaml", EXAMPLE)
    agent.round()
    allocate(agent.client, CONSUMER, {agent.uuid("node-1"): {"CUSTOM_LLC": 2}})
    agent.remove("example.yaml")
    assert agent.round().undone
    agent.write("example.yaml", EXAMPLE)
    assert agent.round().undone == ()
    assert agent.candidates(resources="CUSTOM_LLC:1") == ["node-1"]


def test_what_somebody_opens_again_is_theirs(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.write("example.yaml", EXAMPLE)
    agent.round()
    uuid = agent.uuid("node-1")
    allocate(agent.client, CONSUMER, {uuid: {"CUSTOM_LLC": 2}})
    agent.remove("example.yaml")
    agent.round()
    found = agent.client.inventories(uuid)
    theirs = {**found.inventories, "CUSTOM_LLC": Inventory(22)}
    agent.client.put_inventories(uuid, theirs, found.generation)
    assert agent.round().undone == ()
    recorder.forget()
    agent.start()
    agent.round()
    assert recorder.writes == []
    agent.client.delete_allocations(CONSUMER)
    agent.round()
    assert agent.inventories("node-1") == theirs


def test_a_node_in_use_that_moves_is_not_closed_for_long(
    agent_on: Callable[[str], AgentOfHost], recorder: Recorder
) -> None:
    a, b = agent_on("host-a"), agent_on("host-b")
    b.has("nodes: []")
    a.write("example.yaml", EXAMPLE)
    a.round()
    b.round()
    allocate(a.client, CONSUMER, {a.uuid("node-1"): {"VCPU": 2}})
    a.has("nodes: []")
    b.has(ONE_NODE)
    for _ in range(3):
        a.round()
        b.round()
    assert b.candidates(resources="VCPU:1") == ["node-1"]
    assert b.inventories("node-1").keys() == {"VCPU", "MEMORY_MB"}
    assert b.traits("node-1") == {"COMPUTE_NODE", "HW_CPU_X86_AVX2"}
    recorder.forget()
    for _ in range(2):
        assert a.round().undone == ()
        assert b.round().undone == ()
    assert recorder.writes == []


def test_a_provider_in_use_stays_until_it_is_free(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.has(WITH_DEVICES.replace("PGPU: 1", "PGPU: 2, VGPU: 8"))
    agent.round()
    allocate(agent.client, CONSUMER, {agent.uuid("node-1_gpu"): {"PGPU": 1}})
    agent.has(ONE_NODE)
    (undone,) = agent.round().undone
    assert CONSUMER in undone
    assert agent.names() == {"node-1", "node-1_numa0", "node-1_gpu"}
    assert agent.inventories("node-1").keys() == {"VCPU", "MEMORY_MB"}
    # It offers nothing any more.
    assert agent.inventories("node-1_gpu") == {"PGPU": Inventory(total=2, reserved=2)}

    recorder.forget()
    agent.round()
    assert recorder.writes == []
    agent.client.delete_allocations(CONSUMER)
    agent.start()
    assert agent.round().undone == ()
    assert agent.names() == {"node-1"}
