"""Somebody else writes at the same time, or Placement is away for a while."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from uuid import uuid4

import pytest

from moorage.client.errors import BadRequest, Refused, ServerError, Unauthorized, Unavailable
from moorage.hosts.provider_tree import Provider
from moorage.placement.model.inventory import Inventory
from tests.hosts.agent.hosts import EXAMPLE, ONE_NODE, STRANGER, WITH_DEVICES, AgentOfHost, Given
from tests.hosts.agent.transports import READS, Recorder, Request


def add_trait(agent: AgentOfHost, trait: str) -> None:
    uuid = agent.uuid("node-1")
    agent.client.ensure_traits([trait])
    found = agent.client.traits(uuid)
    agent.client.put_traits(uuid, found.traits | {trait}, found.generation)


def first_write(recorder: Recorder, interfere: Callable[[], object]) -> Callable[[Request], None]:
    """Something happens just before the next request of the agent that writes."""

    def watch(request: Request) -> None:
        if request.method not in READS:
            recorder.before = lambda _: None
            interfere()

    return watch


def test_a_change_between_reading_and_writing_is_not_lost(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.round()
    agent.write("example.yaml", EXAMPLE)
    recorder.before = first_write(recorder, lambda: add_trait(agent, "CUSTOM_THEIRS"))
    assert agent.round().undone == ()
    assert agent.traits("node-1") >= {"CUSTOM_THEIRS", "CUSTOM_P_STATE_ENABLED"}
    assert "CUSTOM_LLC" in agent.inventories("node-1")


def test_somebody_who_writes_all_the_time_holds_up_a_round_but_not_for_ever(
    agent: AgentOfHost, recorder: Recorder
) -> None:
    agent.round()
    agent.has(ONE_NODE.replace("VCPU: 8", "VCPU: 4"))
    numbers = iter(range(1000))
    busy = False

    def interfere(request: Request) -> None:
        nonlocal busy
        if request.method not in READS and not busy:
            busy = True
            add_trait(agent, f"CUSTOM_THEIRS_{next(numbers)}")
            busy = False

    recorder.before = interfere
    (undone,) = agent.round().undone
    assert undone.startswith("node-1: Placement refuses the change: ")
    recorder.before = lambda _: None
    assert agent.round().undone == ()
    assert agent.inventories("node-1")["VCPU"].total == 4
    assert "CUSTOM_THEIRS_0" in agent.traits("node-1")


def test_a_node_that_somebody_else_creates_meanwhile_is_adopted(agent: AgentOfHost, recorder: Recorder) -> None:
    recorder.before = first_write(recorder, lambda: agent.client.create_provider(STRANGER, "node-1"))
    assert agent.round().undone == ()
    assert agent.uuid("node-1") == STRANGER
    assert agent.inventories("node-1").keys() == {"VCPU", "MEMORY_MB"}


def test_a_provider_that_somebody_deletes_meanwhile_is_made_again(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.round()
    agent.write("example.yaml", EXAMPLE)
    recorder.before = first_write(recorder, lambda: agent.client.delete_provider(agent.uuid("node-1")))
    assert agent.round().undone == ()
    assert "CUSTOM_LLC" in agent.inventories("node-1")


def test_a_trait_that_somebody_else_sets_at_that_moment_is_theirs(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.round()
    agent.write("example.yaml", EXAMPLE)

    def interfere(request: Request) -> None:
        if request.method not in READS and request.path.endswith(("/traits", "/moorage/providers")):
            recorder.before = lambda _: None
            add_trait(agent, "CUSTOM_P_STATE_ENABLED")

    recorder.before = interfere
    assert agent.round().undone == ()
    agent.remove("example.yaml")
    agent.start()
    assert agent.round().undone == ()
    assert "CUSTOM_P_STATE_ENABLED" in agent.traits("node-1")
    assert "CUSTOM_LLC" not in agent.inventories("node-1")


def test_a_node_that_somebody_else_creates_at_that_moment_is_theirs(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.start(driver=Given(Provider(STRANGER, "node-1", inventories={"VCPU": Inventory(8)})))
    recorder.before = first_write(recorder, lambda: agent.client.create_provider(STRANGER, "node-1"))
    assert agent.round().undone == ()
    agent.start(driver=Given())
    agent.round()
    assert agent.names() == {"node-1"}
    assert agent.inventories("node-1") == {}


def test_what_a_refused_change_would_have_added_is_not_remembered(agent: AgentOfHost, recorder: Recorder) -> None:
    """Whatever the reason, and also if the agent gives up before somebody else comes."""
    agent.round()
    agent.write("example.yaml", EXAMPLE)

    def refuse(request: Request) -> None:
        if request.method not in READS and request.path.endswith(("/traits", "/moorage/providers")):
            raise BadRequest("", 400, detail="no")

    recorder.before = refuse
    assert agent.round().undone
    recorder.before = lambda _: None
    agent.remove("example.yaml")
    add_trait(agent, "CUSTOM_P_STATE_ENABLED")
    agent.start()
    agent.round()
    assert "CUSTOM_P_STATE_ENABLED" in agent.traits("node-1")


def test_a_provider_that_is_moved_below_another_root_is_still_ours(agent: AgentOfHost) -> None:
    agent.has(WITH_DEVICES)
    agent.round()
    agent.client.create_provider(STRANGER, "elsewhere")
    gpu = agent.uuid("node-1_gpu")
    agent.client.update_provider(gpu, "node-1_gpu", STRANGER)
    agent.has(ONE_NODE)
    assert agent.round().undone == ()
    assert agent.names() == {"node-1", "elsewhere"}


def test_a_provider_that_the_host_has_is_fetched_back(agent: AgentOfHost) -> None:
    agent.has(WITH_DEVICES)
    agent.round()
    agent.client.create_provider(STRANGER, "elsewhere")
    agent.client.update_provider(agent.uuid("node-1_gpu"), "node-1_gpu", STRANGER)
    assert agent.round().undone == ()
    gpu = agent.client.provider(agent.uuid("node-1_gpu"))
    assert gpu is not None
    assert gpu.parent_uuid == agent.uuid("node-1_numa0")


def make_anew(agent: AgentOfHost) -> None:
    """Somebody deletes the node and makes one with the same UUID, name and generation, but another content."""
    client, uuid = agent.client, agent.uuid("node-1")
    generation = client.traits(uuid).generation
    client.delete_provider(uuid)
    client.create_provider(uuid, "node-1")
    for number in range(generation):
        client.put_traits(uuid, [] if number % 2 else ["HW_NUMA_ROOT"], number)
    assert client.traits(uuid).generation == generation


def test_a_provider_made_anew_with_the_same_generation_is_noticed_at_the_latest_after_a_while(
    agent: AgentOfHost, recorder: Recorder
) -> None:
    agent.round()
    make_anew(agent)
    recorder.forget()
    for _ in range(60):
        agent.round()
    assert agent.inventories("node-1").keys() == {"VCPU", "MEMORY_MB"}
    assert agent.traits("node-1") >= {"COMPUTE_NODE", "HW_CPU_X86_AVX2"}


def test_a_provider_made_anew_is_noticed_at_once_when_the_agent_is_told_to_look(agent: AgentOfHost) -> None:
    agent.round()
    make_anew(agent)
    agent.agent.look_afresh()
    agent.round()
    assert agent.inventories("node-1").keys() == {"VCPU", "MEMORY_MB"}


def test_what_is_wrong_with_one_node_does_not_hold_up_the_others(agent: AgentOfHost) -> None:
    good = [Provider(str(uuid4()), f"good-{number}", inventories={"VCPU": Inventory(8)}) for number in range(5)]
    bad = Provider(str(uuid4()), "bad", inventories={"VCPU": Inventory(total=2, reserved=3)})
    agent.start(driver=Given(*good[:3], bad, *good[3:]))
    (undone,) = agent.round().undone
    assert undone.startswith("bad: Placement refuses the change: ")
    assert all(agent.inventories(node.name) for node in good)


def test_a_placement_that_is_away_and_comes_back(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.round()
    agent.write("example.yaml", EXAMPLE)

    def fail(_: Request) -> None:
        raise Unavailable("nobody is at home.")

    recorder.before = fail
    with pytest.raises(Unavailable):
        agent.round()
    recorder.before = lambda _: None
    assert agent.round().undone == ()
    assert "CUSTOM_LLC" in agent.inventories("node-1")


def test_a_request_that_is_refused_as_a_whole_is_taken_apart(agent: AgentOfHost) -> None:
    good = [Provider(str(uuid4()), f"good-{number}", inventories={"VCPU": Inventory(8)}) for number in range(5)]
    agent.start(driver=Given(*good[:3], Provider(str(uuid4()), "x" * 201), *good[3:]))
    (undone,) = agent.round().undone
    assert undone.startswith("xxx")
    assert all(agent.inventories(node.name) for node in good)


def test_a_change_to_one_of_many_nodes_costs_few_more_requests(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.has("nodes: [{name: 'node-{}', count: 30, inventories: {VCPU: 8}}]")
    agent.round()
    agent.has("nodes: [{name: 'node-{}', count: 30, inventories: {VCPU: 4}}]")
    uuid = agent.uuid("node-1")

    def interfere(request: Request) -> None:
        if request.method not in READS and (agent.client.is_moorage() or uuid in request.path):
            recorder.before = lambda _: None
            add_trait(agent, "CUSTOM_THEIRS")

    recorder.before = interfere
    recorder.forget()
    assert agent.round().undone == ()
    assert "CUSTOM_THEIRS" in agent.traits("node-1")
    ours = [request for request in recorder.writes if "CUSTOM_THEIRS" not in str(request.content) + request.path]
    # All of them, all but the one that somebody has changed, and that one again; elsewhere that one again.
    assert len(ours) == (3 if agent.client.is_moorage() else 31)


def test_whoever_has_the_name_of_a_node_is_not_taken_for_it_in_any_round(
    agent: AgentOfHost, recorder: Recorder
) -> None:
    """The node is there under its UUID with another name, and its own name is somebody else's."""
    node = str(uuid4())
    agent.client.create_provider(node, "old-name")
    agent.client.create_provider(STRANGER, "node-1")
    agent.start(driver=Given(Provider(node, "node-1", inventories={"VCPU": Inventory(8)})))
    for _ in range(3):
        (remark,) = agent.round().remarks
        assert remark.startswith(f"The name 'node-1' of the provider {node} belongs to another provider in Placement")
        assert agent.inventories("node-1") == {}
        assert agent.inventories("old-name").keys() == {"VCPU"}
    recorder.forget()
    agent.round()
    assert recorder.writes == []

    agent.client.delete_provider(STRANGER)
    assert agent.round().remarks == ()
    assert agent.uuid("node-1") == node


def test_a_device_that_is_in_another_tree_under_another_name_is_found_there(
    agent: AgentOfHost, recorder: Recorder
) -> None:
    device = str(uuid4())
    agent.client.create_provider(STRANGER, "shelf")
    agent.client.create_provider(device, "spare", STRANGER)
    node = Provider(str(uuid4()), "node-1", inventories={"VCPU": Inventory(8)})
    gpu = Provider(device, "node-1_gpu", node.uuid, inventories={"PGPU": Inventory(1)})
    agent.start(driver=Given(node, gpu))
    assert agent.round().undone == ()
    found = agent.client.provider_named("node-1_gpu")
    assert found
    assert (found.uuid, found.parent_uuid) == (device, node.uuid)
    assert agent.inventories("node-1_gpu").keys() == {"PGPU"}
    recorder.forget()
    agent.round()
    assert recorder.writes == []


def test_a_placement_that_stumbles_is_not_asked_over_and_over(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.has("nodes: [{name: 'node-{}', count: 30, inventories: {VCPU: 8}}]")

    def fail(request: Request) -> None:
        if request.method == "POST":
            raise ServerError("POST was refused (500).", 500)

    recorder.before = fail
    if agent.client.is_moorage():
        with pytest.raises(Refused):
            agent.round()
        assert len(recorder.writes) == 1
    else:
        assert len(agent.round().undone) == 30
        assert len(recorder.writes) == 2 * 30
    recorder.before = lambda _: None
    assert agent.round().undone == ()
    assert len(agent.names()) == 30


def test_a_credential_that_is_refused_in_the_middle(agent: AgentOfHost, recorder: Recorder) -> None:
    """What was done until then is known to be the agent's own."""
    agent.write("example.yaml", EXAMPLE)
    count = 0

    def fail(request: Request) -> None:
        nonlocal count
        count += request.path.startswith(("/resource_providers", "/moorage")) and request.method not in READS
        if count >= 2:
            raise Unauthorized("PUT was refused (401).", 401)

    recorder.before = fail
    with suppress(Unauthorized):
        agent.round()
    recorder.before = lambda _: None
    assert agent.names() == {"node-1"}
    agent.has("nodes: []")
    agent.remove("example.yaml")
    agent.start()
    assert agent.round().undone == ()
    assert agent.names() == set()
