"""Many nodes at once: requests are counted, since time depends on the machine. `pytest -rP` shows how long it took."""

from __future__ import annotations

import time
from collections import Counter

from moorage.hosts.agent.round import Report
from tests.hosts.agent.hosts import EXAMPLE, AgentOfHost
from tests.hosts.agent.transports import Recorder

FLEET = """
    nodes:
      - name: rack-{:04}
        count: 1000
        inventories: {VCPU: 64, MEMORY_MB: 262144}
        traits: [HW_CPU_X86_AVX2]
"""


def test_a_thousand_nodes_come_into_step(agent: AgentOfHost, recorder: Recorder) -> None:
    is_moorage = agent.client.is_moorage()
    # Upstream needs a request for everything, and takes minutes for a thousand nodes on SQLite.
    nodes = 1000 if is_moorage else 40
    agent.has(FLEET.replace("1000", str(nodes)))
    agent.write("example.yaml", EXAMPLE)

    recorder.forget()
    assert timed(agent, recorder, f"{nodes} new nodes").undone == ()
    writes = Counter(request.path.rpartition("/")[2] for request in recorder.writes)
    if is_moorage:
        assert writes == {"providers": 1}
    else:
        names = {"CUSTOM_LLC": 1, "CUSTOM_P_STATE_ENABLED": 1}
        assert writes == {**names, "resource_providers": nodes, "traits": nodes, "inventories": nodes}
    # What kind of Placement it is (two questions, if it is not a Moorage), what it has, and which names it knows (again
    # before the missing ones are made).
    assert len(recorder.reads) <= (5 if is_moorage else 7)

    recorder.forget()
    timed(agent, recorder, "nothing changed")
    assert [request.method for request in recorder.requests] == ["GET"]

    agent.write("example.yaml", EXAMPLE.replace("total: 22", "total: 44"))
    recorder.forget()
    timed(agent, recorder, "a file changed")
    assert len(recorder.writes) == (1 if is_moorage else nodes)
    assert len(recorder.reads) == 1

    agent.has("nodes: []")
    agent.remove("example.yaml")
    recorder.forget()
    assert timed(agent, recorder, "all gone").undone == ()
    assert len(recorder.writes) == (1 if is_moorage else nodes)
    assert agent.client.providers() == ()


def timed(agent: AgentOfHost, recorder: Recorder, what: str) -> Report:
    begun = time.monotonic()
    report = agent.round()
    print(f"{what}: {time.monotonic() - begun:.1f} s, {len(recorder.requests)} requests")  # noqa: T201 - what -rP shows
    return report
