"""What somebody uses is not taken away; the rest is."""

from __future__ import annotations

from collections.abc import Callable

from moorage.placement.model.inventory import Inventory
from tests.hosts.agent.hosts import EXAMPLE, ONE_NODE, WITH_DEVICES, AgentOfHost
from tests.hosts.agent.placements import allocate
from tests.hosts.agent.transports import Recorder

CONSUMER = "c0000000-0000-4000-8000-000000000001"

# The same machine as ONE_NODE, divided.
DIVIDED = """
    nodes:
      - name: node-1
        traits: [HW_CPU_X86_AVX2]
        children:
          - name: "{parent}_numa{}"
            count: 2
            first: 0
            inventories: {VCPU: 4, MEMORY_MB: 8192}
            traits: [HW_NUMA_ROOT]
"""


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


def test_a_host_in_use_is_divided_when_it_is_free(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.round()
    allocate(agent.client, CONSUMER, {agent.uuid("node-1"): {"VCPU": 6}})
    agent.has(DIVIDED)
    (undone,) = agent.round().undone
    assert undone == (
        f"node-1: VCPU is held by consumer {CONSUMER}; MEMORY_MB, VCPU should go over to node-1_numa0, node-1_numa1,"
        " and will once nobody holds any of it. Until then it is offered where it is, as before."
    )
    # Two processors are left, and no more are offered.
    assert agent.inventories("node-1") == {"VCPU": Inventory(8), "MEMORY_MB": Inventory(16384)}
    assert agent.inventories("node-1_numa0") == agent.inventories("node-1_numa1") == {}
    assert agent.candidates(resources="VCPU:2") == ["node-1"]
    assert agent.candidates(resources="VCPU:3") == []
    # What has nothing to do with that is done.
    assert agent.traits("node-1_numa0") == {"HW_NUMA_ROOT"}

    recorder.forget()
    assert agent.round().undone == (undone,)
    assert recorder.writes == []
    agent.start()
    assert agent.round().undone == (undone,)
    assert recorder.writes == []

    agent.client.delete_allocations(CONSUMER)
    assert agent.round().undone == ()
    assert agent.inventories("node-1") == {}
    assert agent.inventories("node-1_numa1") == {"VCPU": Inventory(4), "MEMORY_MB": Inventory(8192)}


def test_a_host_in_use_is_put_together_again_when_it_is_free(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.has(DIVIDED)
    agent.round()
    allocate(agent.client, CONSUMER, {agent.uuid("node-1_numa1"): {"MEMORY_MB": 1024}})
    agent.has(ONE_NODE)
    (undone,) = agent.round().undone
    assert undone.startswith(f"node-1_numa1: MEMORY_MB is held by consumer {CONSUMER}; MEMORY_MB, VCPU should go over")
    assert agent.inventories("node-1") == {}
    # Also the one that nobody uses, or the host would have less than it has.
    parts = [agent.inventories(name) for name in ("node-1_numa0", "node-1_numa1")]
    assert parts == [{"VCPU": Inventory(4), "MEMORY_MB": Inventory(8192)}] * 2

    recorder.forget()
    assert agent.round().undone == (undone,)
    assert recorder.writes == []
    agent.client.delete_allocations(CONSUMER)
    agent.start()
    assert agent.round().undone == ()
    assert agent.names() == {"node-1"}
    assert agent.inventories("node-1") == {"VCPU": Inventory(8), "MEMORY_MB": Inventory(16384)}


def test_a_class_in_use_that_a_file_gives_to_another_provider_goes_over_when_it_is_free(agent: AgentOfHost) -> None:
    agent.has(WITH_DEVICES)
    agent.write("example.yaml", EXAMPLE)
    agent.round()
    allocate(agent.client, CONSUMER, {agent.uuid("node-1"): {"CUSTOM_LLC": 2}})
    agent.write("example.yaml", EXAMPLE.replace("uuid: $COMPUTE_NODE", "name: node-1_numa1"))
    (undone,) = agent.round().undone
    assert "CUSTOM_LLC should go over to node-1_numa1" in undone
    assert agent.inventories("node-1")["CUSTOM_LLC"].reserved == 2
    assert agent.inventories("node-1_numa1") == {}
    assert "CUSTOM_P_STATE_ENABLED" in agent.traits("node-1_numa1")
    agent.client.delete_allocations(CONSUMER)
    assert agent.round().undone == ()
    assert agent.inventories("node-1").keys() == {"VCPU"}
    assert agent.inventories("node-1_numa1").keys() == {"CUSTOM_LLC"}


def test_another_device_of_the_same_class_does_not_wait(agent: AgentOfHost) -> None:
    agent.has(WITH_DEVICES)
    agent.round()
    allocate(agent.client, CONSUMER, {agent.uuid("node-1_gpu"): {"PGPU": 1}})
    agent.has(WITH_DEVICES.replace("node-1_gpu", "node-1_new_gpu"))
    (undone,) = agent.round().undone
    assert undone.startswith("node-1_gpu: PGPU is held")
    assert agent.candidates(resources="PGPU:1") == ["node-1_new_gpu"]
