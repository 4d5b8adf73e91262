"""An agent that is killed at any step and started again ends in the state that it was after.

Every request that writes is once the one that the agent does not get to send, and once the one whose answer it does not
get to see. Between them nothing changes, so these are all the states that an agent can leave behind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from moorage.client.placement import PlacementClient
from moorage.client.transport import Transport
from tests.hosts.agent.hosts import EXAMPLE, AgentOfHost
from tests.hosts.agent.placements import empty
from tests.hosts.agent.transports import READS, Recorder, Request

BEFORE = """
    nodes:
      - name: node-1
        inventories: {VCPU: 8, CUSTOM_OLD: 2}
        traits: [HW_CPU_X86_AVX2]
        aggregates: [0d6f2f60-2f0c-4a9a-8f5e-3c6f0b0c7d11]
        children:
          - name: node-1_gpu1
            inventories: {PGPU: 1}
          - name: node-1_gpu2
            inventories: {PGPU: 1}
"""
# A device has moved to a new provider, another one is gone, and everything of the node is different.
AFTER = """
    nodes:
      - name: node-1
        inventories: {VCPU: 16}
        traits: [HW_CPU_X86_AVX512F]
        aggregates: [0d6f2f60-2f0c-4a9a-8f5e-3c6f0b0c7d12]
        children:
          - name: node-1_numa0
            traits: [HW_NUMA_ROOT]
            children:
              - name: node-1_gpu1
                inventories: {PGPU: 1}
"""
OTHER_FILE = EXAMPLE.replace("CUSTOM_LLC", "CUSTOM_CACHE").replace("CUSTOM_P_STATE_ENABLED", "CUSTOM_TURBO")


class Killed(BaseException):
    """Nothing in an agent can handle it."""


def state_of(client: PlacementClient) -> dict[str, Any]:
    """All that Placement holds, in terms that do not depend on the way there."""
    providers = client.providers()
    names = {provider.uuid: provider.name for provider in providers}
    return {
        provider.name: {
            "parent": names.get(provider.parent_uuid or ""),
            "inventories": dict(client.inventories(provider.uuid).inventories),
            "traits": client.traits(provider.uuid).traits,
            "aggregates": client.aggregates(provider.uuid).aggregates,
        }
        for provider in providers
    }


def prepare(agent: AgentOfHost) -> None:
    """A host in step, with something of somebody else's, that is about to change."""
    agent.has(BEFORE)
    agent.write("example.yaml", EXAMPLE)
    agent.round()
    client, uuid = agent.client, agent.uuid("node-1")
    client.ensure_traits(["CUSTOM_THEIRS"])
    found = client.traits(uuid)
    client.put_traits(uuid, found.traits | {"CUSTOM_THEIRS"}, found.generation)
    client.create_provider("7a1a1d4e-1d43-4f0e-9c5b-3f0d3a2b1c00", "reservation", uuid)
    agent.has(AFTER)
    agent.remove("example.yaml")
    agent.write("other.yaml", OTHER_FILE)


@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_at_any_write(
    agent_on: Callable[[str], AgentOfHost], transport: Transport, recorder: Recorder, moment: str
) -> None:
    undisturbed = agent_on("undisturbed")
    prepare(undisturbed)
    recorder.forget()
    undisturbed.start()
    undisturbed.round()
    number_of_writes = len(recorder.writes)
    wanted = state_of(undisturbed.client)
    assert wanted.keys() == {"node-1", "node-1_numa0", "node-1_gpu1", "reservation"}
    assert wanted["node-1_gpu1"]["parent"] == "node-1_numa0"
    assert wanted["node-1"]["traits"] == {"COMPUTE_NODE", "HW_CPU_X86_AVX512F", "CUSTOM_TURBO", "CUSTOM_THEIRS"}
    assert wanted["node-1"]["inventories"].keys() == {"VCPU", "CUSTOM_CACHE"}

    assert number_of_writes == (1 if undisturbed.client.is_moorage() else 9)
    for number in range(1, number_of_writes + 1):
        empty(transport)
        agent = agent_on(f"killed-{moment}-{number}")
        prepare(agent)
        agent.start()
        setattr(recorder, moment, kill_at_write(number))
        with pytest.raises(Killed):
            agent.round()
        setattr(recorder, moment, lambda _: None)
        agent.start()
        agent.round()
        assert state_of(agent.client) == wanted, f"killed {moment} write {number}"

        # It also knows afterwards what is its own: taking all that away leaves just what others did.
        agent.has("nodes: []")
        agent.remove("other.yaml")
        agent.start()
        agent.round()
        rest = state_of(agent.client)
        assert rest.keys() == {"node-1", "reservation"}, f"killed {moment} write {number}"
        assert rest["node-1"]["traits"] == {"CUSTOM_THEIRS"}
        assert rest["node-1"]["inventories"] == {}
        assert rest["node-1"]["aggregates"] == set()


def kill_at_write(number: int) -> Callable[[Request], None]:
    writes = 0

    def count(request: Request) -> None:
        nonlocal writes
        writes += request.method not in READS
        if writes >= number:
            raise Killed

    return count
