"""Rounds of an agent: what it brings to Placement, what it takes away again, and what it leaves alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moorage.hosts.agent.refusal import AgentRefuses
from moorage.hosts.drivers.driver import NativeProviders
from moorage.hosts.drivers.static.driver import StaticDriver
from tests.hosts.agent.hosts import EXAMPLE, ONE_NODE, STRANGER, WITH_DEVICES, AgentOfHost
from tests.hosts.agent.transports import Recorder


def test_the_documents_own_example(agent: AgentOfHost) -> None:
    agent.write("example.yaml", EXAMPLE)
    assert agent.round().undone == ()
    wanted = {"resources": "CUSTOM_LLC:2", "required": "CUSTOM_P_STATE_ENABLED"}
    assert agent.candidates(**wanted) == ["node-1"]

    agent.write("example.yaml", EXAMPLE.replace("total: 22", "total: 3"))
    agent.round()
    assert agent.candidates(**wanted) == []
    assert agent.inventories("node-1")["CUSTOM_LLC"].total == 3

    agent.remove("example.yaml")
    agent.round()
    assert agent.inventories("node-1").keys() == {"VCPU", "MEMORY_MB"}
    assert agent.traits("node-1") == {"COMPUTE_NODE", "HW_CPU_X86_AVX2"}


def test_a_round_with_nothing_to_do_writes_nothing(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.write("example.yaml", EXAMPLE)
    agent.round()
    recorder.forget()
    assert agent.round().done == ()
    assert recorder.writes == []
    assert len(recorder.reads) == 1


def test_a_new_agent_in_the_place_of_one_that_is_done_writes_nothing(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.write("example.yaml", EXAMPLE)
    agent.round()
    agent.start()
    recorder.forget()
    agent.round()
    assert recorder.writes == []


def test_what_others_gave_a_provider_stays(agent: AgentOfHost) -> None:
    agent.write("example.yaml", EXAMPLE)
    agent.round()
    client, uuid = agent.client, agent.uuid("node-1")
    client.ensure_traits(["CUSTOM_THEIRS"])
    client.ensure_resource_classes(["CUSTOM_THEIRS"])
    found = client.traits(uuid)
    generation = client.put_traits(uuid, found.traits | {"CUSTOM_THEIRS"}, found.generation)
    stock = client.inventories(uuid).inventories
    generation = client.put_inventories(uuid, {**stock, "CUSTOM_THEIRS": stock["VCPU"]}, generation)
    aggregate = "0d6f2f60-2f0c-4a9a-8f5e-3c6f0b0c7d11"
    client.put_aggregates(uuid, [aggregate], generation)

    agent.remove("example.yaml")
    agent.has(ONE_NODE.replace("VCPU: 8", "VCPU: 4"))
    agent.round()
    assert agent.inventories("node-1").keys() == {"VCPU", "MEMORY_MB", "CUSTOM_THEIRS"}
    assert agent.traits("node-1") == {"COMPUTE_NODE", "HW_CPU_X86_AVX2", "CUSTOM_THEIRS"}
    assert client.aggregates(uuid).aggregates == {aggregate}


def test_a_trait_that_somebody_else_had_set_stays_when_the_file_goes(agent: AgentOfHost) -> None:
    agent.round()
    uuid = agent.uuid("node-1")
    agent.client.ensure_traits(["CUSTOM_P_STATE_ENABLED"])
    found = agent.client.traits(uuid)
    agent.client.put_traits(uuid, found.traits | {"CUSTOM_P_STATE_ENABLED"}, found.generation)
    agent.write("example.yaml", EXAMPLE)
    agent.round()
    agent.remove("example.yaml")
    agent.round()
    assert "CUSTOM_P_STATE_ENABLED" in agent.traits("node-1")
    assert "CUSTOM_LLC" not in agent.inventories("node-1")


def test_a_node_that_is_in_placement_under_its_name_is_adopted(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.client.create_provider(STRANGER, "node-1")
    agent.write("example.yaml", EXAMPLE)
    agent.round()
    assert agent.uuid("node-1") == STRANGER
    assert agent.inventories("node-1").keys() == {"VCPU", "MEMORY_MB", "CUSTOM_LLC"}
    recorder.forget()
    agent.round()
    assert recorder.writes == []
    assert len(recorder.reads) <= 2

    # It was there before the agent came, and stays when the host has it no more.
    agent.has("nodes: []")
    agent.round()
    assert agent.uuid("node-1") == STRANGER
    assert agent.inventories("node-1") == {}


def test_what_vanished_is_deleted_and_what_moved_is_moved(agent: AgentOfHost) -> None:
    agent.has(WITH_DEVICES)
    agent.round()
    gpu = agent.uuid("node-1_gpu")
    agent.has(
        """
        nodes:
          - name: node-1
            inventories: {VCPU: 8}
            children:
              - name: node-1_numa1
                children:
                  - name: node-1_gpu
                    inventories: {PGPU: 1}
        """
    )
    agent.round()
    assert agent.names() == {"node-1", "node-1_numa1", "node-1_gpu"}
    moved = agent.client.provider(agent.uuid("node-1_gpu"))
    assert moved is not None
    assert moved.parent_uuid == agent.uuid("node-1_numa1")
    assert moved.uuid == gpu
    agent.has("nodes: []")
    agent.round()
    assert agent.names() == set()


def test_children_that_others_made_stay_and_so_does_what_they_are_below(agent: AgentOfHost) -> None:
    agent.has(WITH_DEVICES)
    agent.round()
    agent.client.create_provider(STRANGER, "reservation", agent.uuid("node-1_numa0"))
    agent.has(ONE_NODE)
    agent.round()
    assert agent.names() == {"node-1", "node-1_numa0", "reservation"}
    agent.has("nodes: []")
    agent.round()
    assert agent.names() == {"node-1", "node-1_numa0", "reservation"}
    assert agent.inventories("node-1") == {}

    agent.client.delete_provider(STRANGER)
    agent.round()
    assert agent.names() == set()


def test_a_file_may_add_to_a_child_that_others_made(agent: AgentOfHost) -> None:
    agent.round()
    agent.client.create_provider(STRANGER, "reservation", agent.uuid("node-1"))
    agent.write("example.yaml", EXAMPLE.replace("uuid: $COMPUTE_NODE", "name: reservation"))
    assert agent.round().remarks == ()
    assert agent.inventories("reservation").keys() == {"CUSTOM_LLC"}
    agent.remove("example.yaml")
    agent.round()
    assert agent.inventories("reservation") == {}
    assert agent.traits("reservation") == set()


def test_a_record_for_a_provider_that_is_yet_to_come(agent: AgentOfHost) -> None:
    agent.write("example.yaml", EXAMPLE.replace("uuid: $COMPUTE_NODE", "name: reservation"))
    (remark,) = agent.round().remarks
    assert "example.yaml, line 6" in remark
    assert "'reservation'" in remark
    agent.client.create_provider(STRANGER, "reservation", agent.uuid("node-1"))
    assert agent.round().remarks == ()
    assert agent.inventories("reservation").keys() == {"CUSTOM_LLC"}


# --- files that contradict the host or each other


def test_a_class_that_the_host_reports_stops_the_agent_only_at_its_start(
    agent: AgentOfHost, recorder: Recorder
) -> None:
    node = ONE_NODE.replace("VCPU: 8", "VCPU: 8, CUSTOM_LLC: 1")
    agent.has(node)
    agent.write("example.yaml", EXAMPLE)
    with pytest.raises(AgentRefuses, match=r"^example.yaml, line 6: the host itself reports CUSTOM_LLC"):
        agent.agent.check()
    with pytest.raises(AgentRefuses, match="CUSTOM_LLC"):
        agent.round()
    assert recorder.writes == []

    agent.has(ONE_NODE)
    agent.round()
    agent.has(node)
    (remark,) = agent.round().remarks
    assert "CUSTOM_LLC" in remark
    assert agent.inventories("node-1")["CUSTOM_LLC"].total == 1
    assert "CUSTOM_P_STATE_ENABLED" in agent.traits("node-1")


def test_a_provider_named_twice_stops_the_agent_only_at_its_start(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.round()
    agent.write("a.yaml", EXAMPLE.replace("uuid: $COMPUTE_NODE", "name: node-1"))
    agent.write("b.yaml", EXAMPLE.replace("$COMPUTE_NODE", agent.uuid("node-1")).replace("22", "33"))
    (remark,) = agent.round().remarks
    assert "a.yaml" in remark
    assert agent.inventories("node-1")["CUSTOM_LLC"].total == 33
    agent.start()
    recorder.forget()
    with pytest.raises(AgentRefuses, match=r"a\.yaml.*b\.yaml"):
        agent.round()
    assert recorder.writes == []


# --- a part of the host


def test_only_some_nodes(agent: AgentOfHost, recorder: Recorder) -> None:
    two = "nodes: [{name: node-1, inventories: {VCPU: 8}}, {name: node-2, inventories: {VCPU: 8}}]"
    agent.has(two)
    agent.start(only=frozenset({"node-2"}))
    agent.round()
    assert agent.names() == {"node-2"}
    agent.start()
    agent.round()
    assert agent.names() == {"node-1", "node-2"}
    agent.has(two.replace("VCPU: 8", "VCPU: 4"))
    agent.start(only=frozenset({"node-1"}))
    agent.round()
    assert agent.inventories("node-1")["VCPU"].total == 4
    assert agent.inventories("node-2")["VCPU"].total == 8
    # What it knows about the rest is not forgotten.
    agent.has("nodes: []")
    agent.start()
    agent.round()
    assert agent.names() == set()


def test_a_node_that_the_host_does_not_have(agent: AgentOfHost) -> None:
    agent.start(only=frozenset({"node-7"}))
    with pytest.raises(AgentRefuses, match=r"^This host has no node node-7; it has: node-1\.$"):
        agent.round()


def test_what_is_odd_about_the_host_is_told(agent: AgentOfHost) -> None:
    class Odd(StaticDriver):
        def read(self) -> NativeProviders:
            return replace(super().read(), remarks=("This host is odd.",))

    agent.start(driver=Odd(agent.nodes))
    assert agent.round().remarks == ("This host is odd.",)
    assert agent.round().undone == ()
