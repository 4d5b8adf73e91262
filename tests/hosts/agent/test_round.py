"""Rounds of an agent with real Placements."""

from __future__ import annotations

from tests.hosts.agent.hosts import EXAMPLE, AgentOfHost
from tests.hosts.agent.transports import Recorder


def test_the_documents_own_example(agent: AgentOfHost) -> None:
    agent.write("example.yaml", EXAMPLE)
    assert agent.round().undone == ()
    wanted = {"resources": "CUSTOM_LLC:2", "required": "CUSTOM_P_STATE_ENABLED"}
    assert agent.candidates(**wanted) == ["node-1"]

    agent.write("example.yaml", EXAMPLE.replace("total: 22", "total: 3"))
    agent.round()
    assert agent.candidates(**wanted) == []
    assert agent.client.inventories(agent.uuid("node-1")).inventories["CUSTOM_LLC"].total == 3

    agent.remove("example.yaml")
    agent.round()
    assert agent.client.inventories(agent.uuid("node-1")).inventories.keys() == {"VCPU", "MEMORY_MB"}
    assert agent.client.traits(agent.uuid("node-1")).traits == {"COMPUTE_NODE", "HW_CPU_X86_AVX2"}


def test_a_round_with_nothing_to_do_writes_nothing(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.write("example.yaml", EXAMPLE)
    agent.round()
    recorder.forget()
    report = agent.round()
    assert report.done == ()
    assert recorder.writes == []
    assert len(recorder.reads) <= 2
