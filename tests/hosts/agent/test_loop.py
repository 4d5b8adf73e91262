"""An agent that keeps running: files change, Placement goes away, somebody asks it to hurry or to stop."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

import pytest

from moorage.client.errors import Unavailable
from moorage.client.placement import PlacementClient
from moorage.hosts.agent import loop
from moorage.hosts.agent.interruption import InterruptibleTransport, Interruption, Stopped
from moorage.hosts.agent.loop import Loop
from moorage.hosts.agent.refusal import AgentRefuses
from moorage.hosts.agent.round import Report
from moorage.hosts.agent.signs import Signs
from moorage.hosts.agent.watching import Look, Watch
from tests.hosts.agent.hosts import EXAMPLE, ONE_NODE, AgentOfHost
from tests.hosts.agent.transports import Recorder, Request
from tests.patience import eventually

FOR_EVER = 1_000_000.0


def signs_of(agent: AgentOfHost) -> Signs:
    return Signs(PlacementClient(agent.transport), lambda: agent.agent.is_with_moorage, agent.host, FOR_EVER)


@dataclass
class Running:
    interruption: Interruption
    ended: Future[None]

    def stop(self) -> None:
        self.interruption.stop()
        with pytest.raises(Stopped):
            self.ended.result(timeout=60)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadPoolExecutor]:
    monkeypatch.setattr(loop, "CHECK_SECONDS", 0.05)
    monkeypatch.setattr(loop, "_FIRST_PAUSE_SECONDS", 0.1)
    with ThreadPoolExecutor(1) as threads:
        yield threads


@pytest.fixture
def running(agent: AgentOfHost, threads: ThreadPoolExecutor) -> Iterator[Running]:
    """An agent whose next round by the clock never comes."""
    interruption = Interruption()
    watch = Watch([agent.files, agent.nodes])
    started = Running(
        interruption, threads.submit(Loop(agent.agent, interruption, watch.look, FOR_EVER, signs_of(agent)).run)
    )
    eventually(lambda: agent.names() == {"node-1"} and agent.traits("node-1"), "the first round")
    yield started
    if not started.ended.done():
        started.stop()


def has_cache(agent: AgentOfHost, total: int = 22) -> bool:
    found = agent.inventories("node-1").get("CUSTOM_LLC")
    return found is not None and found.total == total


def test_files_that_change_are_picked_up(agent: AgentOfHost, running: Running) -> None:
    agent.write("example.yaml", EXAMPLE)
    eventually(lambda: has_cache(agent))
    agent.write("example.yaml", EXAMPLE.replace("total: 22", "total: 100"))
    eventually(lambda: has_cache(agent, 100))
    agent.remove("example.yaml")
    eventually(lambda: not agent.inventories("node-1").keys() - {"VCPU", "MEMORY_MB"})
    agent.has(ONE_NODE.replace("VCPU: 8", "VCPU: 16"))
    eventually(lambda: agent.inventories("node-1")["VCPU"].total == 16)


def test_a_broken_change_keeps_the_last_good_state_and_is_told_once(
    agent: AgentOfHost, running: Running, recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="moorage")
    agent.write("example.yaml", EXAMPLE)
    eventually(lambda: has_cache(agent))
    agent.write("example.yaml", EXAMPLE.replace("total: 22", "total: many").replace("min_unit: 1", "min_unit: -1"))
    eventually(lambda: "what it said before still holds" in caplog.text)
    recorder.forget()
    running.interruption.hurry()
    eventually(lambda: recorder.requests, "another round")
    problems = [record.message for record in caplog.records if record.message.startswith("example.yaml:")]
    assert len(problems) == 2
    assert caplog.text.count("what it said before still holds") == 1
    assert has_cache(agent)

    caplog.clear()
    agent.write("example.yaml", EXAMPLE.replace("total: 22", "total: 33"))
    eventually(lambda: has_cache(agent, 33))
    assert sum("This is over: example.yaml:" in record.message for record in caplog.records) == 2


def test_it_looks_at_once_when_it_is_told_to(agent: AgentOfHost, running: Running) -> None:
    uuid = agent.uuid("node-1")
    agent.client.put_traits(uuid, [], agent.client.traits(uuid).generation)
    assert agent.traits("node-1") == set()
    running.interruption.hurry()
    eventually(lambda: agent.traits("node-1") == {"COMPUTE_NODE", "HW_CPU_X86_AVX2"})


def test_it_tries_again_less_and_less_often_while_placement_is_away(
    agent: AgentOfHost, running: Running, recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="moorage")
    tries: list[Request] = []

    def fail(request: Request) -> None:
        tries.append(request)
        raise Unavailable("Nobody is at home.")

    recorder.before = fail
    agent.write("example.yaml", EXAMPLE)
    eventually(lambda: len(tries) >= 3, "the third try")
    assert sum(record.message.startswith("Nobody is at home.") for record in caplog.records) == 1
    recorder.before = lambda _: None
    eventually(lambda: has_cache(agent), "the end of the trouble")
    eventually(lambda: "It works again" in caplog.text)


def test_it_starts_while_placement_is_away(agent: AgentOfHost, threads: ThreadPoolExecutor, recorder: Recorder) -> None:
    tries: list[Request] = []

    def fail(request: Request) -> None:
        tries.append(request)
        raise Unavailable("Nobody is at home.")

    recorder.before = fail
    interruption = Interruption()
    ended = threads.submit(Loop(agent.agent, interruption, lambda: Look.SAME, FOR_EVER, signs_of(agent)).run)
    eventually(lambda: len(tries) >= 2, "the second try")
    recorder.before = lambda _: None
    eventually(lambda: agent.names() == {"node-1"})
    Running(interruption, ended).stop()


def test_a_moorage_is_told_how_rounds_end(
    agent: AgentOfHost, running: Running, recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    def told() -> list[tuple[str, str | None]]:
        signs = [request.content for request in recorder.requests if request.path == "/moorage/agents/host-a"]
        return [(sign["outcome"], sign["reason"]) for sign in signs]

    is_moorage = agent.agent.is_with_moorage
    expected: list[tuple[str, str | None]] = [("well", None)]
    eventually(lambda: told() == (expected if is_moorage else []), "the first sign")
    agent.has("nodes: 7")
    eventually(lambda: "The description of nodes cannot be used" in caplog.text)
    agent.has(ONE_NODE.replace("VCPU: 8", "VCPU: 16"))
    eventually(lambda: agent.inventories("node-1")["VCPU"].total == 16)
    eventually(lambda: len(told()) == (3 if is_moorage else 0), "the last sign")
    if is_moorage:
        assert [outcome for outcome, _ in told()] == ["well", "failed", "well"]
        assert "The description of nodes cannot be used" in str(told()[1][1])


def test_an_agent_that_refuses_to_begin_has_told_why(
    agent: AgentOfHost, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only Placement knows that a file contradicts what the host has."""
    monkeypatch.setattr(agent.agent, "check", lambda: None)
    agent.has(ONE_NODE.replace("VCPU: 8", "CUSTOM_NATIVE: 8"))
    agent.write("a.yaml", EXAMPLE.replace("CUSTOM_LLC", "CUSTOM_NATIVE"))
    with pytest.raises(AgentRefuses):
        Loop(agent.agent, Interruption(), lambda: Look.SAME, FOR_EVER, signs_of(agent)).run()
    signs = [request.content for request in recorder.requests if request.path == "/moorage/agents/host-a"]
    assert [sign["outcome"] for sign in signs] == (["failed"] if agent.agent.is_with_moorage else [])
    assert recorder.writes == [request for request in recorder.requests if request.path.startswith("/moorage/agents/")]


def test_another_cause_of_trouble_is_told_as_well(
    agent: AgentOfHost, running: Running, recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="moorage")
    reasons = ["Nobody is at home.", "Nobody is at home.", "The door is locked.", "Nobody is at home."]
    tries: list[Request] = []

    def fail(request: Request) -> None:
        tries.append(request)
        raise Unavailable(reasons[min(len(tries), len(reasons)) - 1])

    recorder.before = fail
    agent.write("example.yaml", EXAMPLE)
    eventually(lambda: len(tries) >= len(reasons), "the fourth try")
    running.stop()
    warnings = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert [warning.partition(" (")[0] for warning in warnings if "GET" in warning] == [
        "Nobody is at home.",
        "The door is locked.",
    ]


def test_it_stops_before_the_next_request(agent: AgentOfHost, recorder: Recorder) -> None:
    interruption = Interruption()
    agent.transport = InterruptibleTransport(recorder, interruption.require_going_on)
    agent.start()
    agent.round()
    agent.write("example.yaml", EXAMPLE)
    agent.has("nodes: [{name: 'node-{}', count: 3, inventories: {VCPU: 8}}]")
    recorder.forget()
    recorder.after = lambda _: interruption.stop()
    with pytest.raises(Stopped):
        agent.round()
    assert len(recorder.requests) == 1


def test_what_was_done_until_it_stopped_is_known(agent: AgentOfHost, recorder: Recorder) -> None:
    interruption = Interruption()
    agent.transport = InterruptibleTransport(recorder, interruption.require_going_on)
    agent.start()
    agent.write("example.yaml", EXAMPLE)

    def stop_after_the_first_provider(request: Request) -> None:
        if request.method == "POST":
            interruption.stop()

    recorder.after = stop_after_the_first_provider
    with suppress(Stopped):
        agent.round()
    assert agent.client.provider_named("node-1")
    recorder.after = lambda _: None
    interruption.stopping = False
    agent.has("nodes: []")
    agent.remove("example.yaml")
    agent.start()
    agent.round()
    assert agent.names() == set()


@pytest.mark.parametrize(
    ("files", "problems"),
    [
        ({"a.yaml": "nonsense", "b.yaml": "nonsense"}, 2),
        ({"a.yaml": EXAMPLE.replace("CUSTOM_LLC", "CUSTOM_NATIVE")}, 1),
    ],
    ids=["broken files", "a conflict"],
)
def test_it_does_not_start_with_files_that_are_wrong(
    agent: AgentOfHost, recorder: Recorder, files: dict[str, str], problems: int
) -> None:
    agent.has(ONE_NODE.replace("VCPU: 8", "CUSTOM_NATIVE: 8"))
    for name, content in files.items():
        agent.write(name, content)
    with pytest.raises(AgentRefuses) as refused:
        Loop(agent.agent, Interruption(), lambda: Look.SAME, FOR_EVER, signs_of(agent)).run()
    assert len(refused.value.problems) == problems
    assert recorder.requests == []


def test_a_host_that_cannot_be_examined_is_a_reason_not_to_start(agent: AgentOfHost) -> None:
    agent.nodes.unlink()
    with pytest.raises(AgentRefuses, match="cannot be read: No such file"):
        Loop(agent.agent, Interruption(), lambda: Look.SAME, FOR_EVER, signs_of(agent)).run()


def test_a_host_that_cannot_be_examined_later_keeps_what_it_had(
    agent: AgentOfHost, running: Running, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="moorage")
    agent.has("nodes: 7")
    eventually(lambda: "The description of nodes cannot be used" in caplog.text)
    assert agent.inventories("node-1").keys() == {"VCPU", "MEMORY_MB"}
    agent.has(ONE_NODE.replace("VCPU: 8", "VCPU: 16"))
    eventually(lambda: agent.inventories("node-1")["VCPU"].total == 16)


@pytest.mark.parametrize(
    ("looks", "rounds"),
    [
        ([Look.SAME] * 15, [0, 10]),
        ([*[Look.SAME] * 9, *[Look.MOVING] * 3, Look.CHANGED, *[Look.SAME] * 5], [0, 12]),
        ([*[Look.SAME] * 9, *[Look.MOVING] * 3, *[Look.SAME] * 6], [0, 12]),
        ([*[Look.SAME] * 5, *[Look.MOVING] * 35], [0, 25]),
    ],
    ids=["nothing", "a change", "a change that is taken back", "changes without end"],
)
def test_a_round_that_is_due_waits_until_nobody_writes_files(
    agent: AgentOfHost, monkeypatch: pytest.MonkeyPatch, looks: list[Look], rounds: list[int]
) -> None:
    """One look each second, and a round each ten seconds."""
    monkeypatch.setattr("random.uniform", lambda *_: 1.0)
    now = -1.0
    begun: list[float] = []
    coming = iter(looks)

    def look() -> Look:
        nonlocal now
        now += 1
        found = next(coming, None)
        if found is None:
            raise Stopped
        return found

    def no_pause(_seconds: float) -> None:
        pass

    def begin() -> Report:
        begun.append(max(0.0, now))
        return Report()

    interruption = Interruption()
    monkeypatch.setattr(interruption, "wait", no_pause)
    monkeypatch.setattr(agent.agent, "round", begin)
    with pytest.raises(Stopped):
        Loop(agent.agent, interruption, look, 10, signs_of(agent), lambda: max(0.0, now)).run()
    assert begun == rounds
