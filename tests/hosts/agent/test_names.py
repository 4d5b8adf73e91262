"""Resource classes, traits and names of providers that are missing, unknown or taken."""

from __future__ import annotations

from moorage.hosts.provider_config.interpretation import MAX_NAMES
from moorage.hosts.provider_tree import Provider
from tests.hosts.agent.hosts import EXAMPLE, STRANGER, WITH_DEVICES, AgentOfHost, Given
from tests.hosts.agent.transports import Recorder


def test_a_standard_trait_that_placement_lacks_is_left_out(agent: AgentOfHost, recorder: Recorder) -> None:
    traits = frozenset({"HW_CPU_X86_AVX2", "HW_CPU_TELEPATHY"})
    agent.start(driver=Given(Provider(STRANGER, "node-1", traits=traits)))
    (remark,) = agent.round().remarks
    assert remark == "Placement does not have the standard trait HW_CPU_TELEPATHY, so it is left out."
    assert agent.traits("node-1") == {"HW_CPU_X86_AVX2"}
    recorder.forget()
    agent.round()
    assert recorder.writes == []


def test_a_custom_trait_that_somebody_deleted_is_made_again(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.write("example.yaml", EXAMPLE)
    agent.round()
    agent.remove("example.yaml")
    agent.round()
    version = {"openstack-api-version": "placement 1.39"}
    assert recorder.send("DELETE", "/traits/CUSTOM_P_STATE_ENABLED", headers=version).status == 204
    agent.write("example.yaml", EXAMPLE)
    assert agent.round().undone == ()
    assert "CUSTOM_P_STATE_ENABLED" in agent.traits("node-1")


def test_a_name_that_a_provider_elsewhere_has_is_not_taken_from_it(agent: AgentOfHost, recorder: Recorder) -> None:
    agent.client.create_provider(STRANGER, "somebody")
    agent.client.create_provider("7a1a1d4e-1d43-4f0e-9c5b-3f0d3a2b1c01", "node-1_gpu", STRANGER)
    agent.has(WITH_DEVICES)
    report = agent.round()
    assert report.undone == ()
    (remark,) = report.remarks
    assert "'node-1_gpu'" in remark
    assert agent.names() >= {"node-1_gpu", "node-1_numa0", "node-1_numa1"}
    assert len(agent.names()) == 6
    recorder.forget()
    agent.round()
    assert recorder.writes == []


def test_very_many_traits(agent: AgentOfHost, recorder: Recorder) -> None:
    names = [f"CUSTOM_NUMBER_{number}" for number in range(MAX_NAMES if agent.client.is_moorage() else 1001)]
    agent.write("many.yaml", EXAMPLE.replace("- CUSTOM_P_STATE_ENABLED", f"[{', '.join(names)}]"))
    assert agent.round().undone == ()
    assert agent.traits("node-1") == {"COMPUTE_NODE", "HW_CPU_X86_AVX2", *names}
    recorder.forget()
    agent.round()
    assert recorder.writes == []
    agent.remove("many.yaml")
    assert agent.round().undone == ()
    assert agent.traits("node-1") == {"COMPUTE_NODE", "HW_CPU_X86_AVX2"}
