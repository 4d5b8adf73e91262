"""Signs of life that an agent leaves: how often, what they say, and that nothing hinges on them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from moorage import __version__
from moorage.client.errors import Refused, Unavailable
from moorage.client.placement import AgentDetails, PlacementClient
from moorage.client.transport import Response
from moorage.hosts.agent.refusal import AgentRefuses
from moorage.hosts.agent.round import Report
from moorage.hosts.agent.signs import Signs, one_line
from moorage.hosts.drivers.driver import DriverError
from tests.hosts.agent.hosts import EXAMPLE, AgentOfHost
from tests.hosts.agent.placements import allocate
from tests.hosts.agent.transports import Recorder, Request

CONSUMER = "c0000000-0000-4000-8000-000000000001"
DONE = Report(providers=3)
UNDONE = Report(undone=("cn1: VCPU is held by somebody.\nAnd so on.", "Something else."), providers=3)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Anybody:
    """Remembers what it is told, and answers with a status."""

    def __init__(self) -> None:
        self.status = 204
        self.requests: list[Request] = []

    def send(self, method: str, path: str, **rest: Any) -> Response:
        self.requests.append(Request(method, path, tuple(rest["query"]), rest["content"]))
        return Response(self.status, {}, b"")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def told() -> Anybody:
    return Anybody()


@pytest.fixture
def signs_every(told: Anybody, clock: Clock) -> Callable[[float | None], Signs]:
    return lambda interval: Signs(PlacementClient(told), lambda: True, "cn1", interval, clock)


def outcomes(told: Anybody) -> list[str]:
    return [request.content["outcome"] for request in told.requests]


# --- what is told


def test_a_sign_says_who_and_how(signs_every: Callable[[float | None], Signs], told: Anybody) -> None:
    signs_every(30.0).after(DONE)
    assert told.requests == [
        Request(
            "PUT",
            "/moorage/agents/cn1",
            (),
            {"version": __version__, "interval": 30.0, "outcome": "well", "reason": None, "providers": 3},
        )
    ]


def test_it_says_in_one_line_what_is_wrong(signs_every: Callable[[float | None], Signs], told: Anybody) -> None:
    signs = signs_every(60.0)
    signs.after(UNDONE)
    signs.failed(AgentRefuses(["a.yaml: This is wrong.", "b.yaml: And this."]))
    assert [(request.content["outcome"], request.content["reason"]) for request in told.requests] == [
        ("incomplete", "cn1: VCPU is held by somebody."),
        ("failed", "a.yaml: This is wrong."),
    ]
    # What it kept before, it still keeps.
    assert told.requests[-1].content["providers"] == 3


def test_an_error_without_words_is_told_by_its_name(
    signs_every: Callable[[float | None], Signs], told: Anybody
) -> None:
    signs_every(60.0).failed(ZeroDivisionError())
    assert told.requests[-1].content["reason"] == "ZeroDivisionError"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", None),
        (" \n\0 ", None),
        ("One.\nTwo.", "One."),
        ("\n  One. \r\nTwo.", "One. "),
        ("a\0b", "ab"),
        ("file \udcff", "file ?"),
        ("x" * 500, "x" * 500),
        ("x" * 501, "x" * 499 + "…"),
    ],
)
def test_reasons_are_what_placement_keeps(text: str, line: str | None) -> None:
    assert one_line(text) == line


# --- how often


@pytest.mark.parametrize(
    ("interval", "rounds_every", "signs_in_an_hour"),
    [(1.0, 1.0, 66), (60.0, 60.0, 60), (60.0, 54.0, 66), (600.0, 600.0, 6)],
)
def test_signs_are_sparse(
    signs_every: Callable[[float | None], Signs],
    told: Anybody,
    clock: Clock,
    interval: float,
    rounds_every: float,
    signs_in_an_hour: int,
) -> None:
    signs = signs_every(interval)
    began = clock.now
    while clock.now < began + 3600:
        signs.after(DONE)
        clock.now += rounds_every
    assert abs(len(told.requests) - signs_in_an_hour) <= 1


def test_what_changes_is_told_at_once(
    signs_every: Callable[[float | None], Signs], told: Anybody, clock: Clock
) -> None:
    signs = signs_every(60.0)
    trouble = DriverError("The host cannot be examined.")
    for ending in (DONE, trouble, trouble, DriverError("Something else."), UNDONE, UNDONE, DONE):
        if isinstance(ending, Report):
            signs.after(ending)
        else:
            signs.failed(ending)
        clock.now += 1
    assert outcomes(told) == ["well", "failed", "incomplete", "well"]


def test_while_placement_is_away_nobody_is_told(
    signs_every: Callable[[float | None], Signs], told: Anybody, clock: Clock
) -> None:
    signs = signs_every(60.0)
    signs.after(DONE)
    for _ in range(5):
        clock.now += 60
        signs.failed(Unavailable("Nobody is at home."))
    signs.stopped()
    assert outcomes(told) == ["well"]


def test_who_stops_is_not_waited_for(signs_every: Callable[[float | None], Signs], told: Anybody) -> None:
    signs = signs_every(60.0)
    signs.after(UNDONE)
    signs.stopped()
    first, last = (request.content for request in told.requests)
    assert last == first | {"interval": None}


def test_who_stops_before_it_told_anything_says_nothing(
    signs_every: Callable[[float | None], Signs], told: Anybody
) -> None:
    signs_every(60.0).stopped()
    assert told.requests == []


# --- when it is not taken


@pytest.mark.parametrize("status", [400, 403, 404])
def test_a_refusal_is_said_once_and_when_it_is_over(
    signs_every: Callable[[float | None], Signs],
    told: Anybody,
    clock: Clock,
    caplog: pytest.LogCaptureFixture,
    status: int,
) -> None:
    caplog.set_level(logging.INFO, logger="moorage")
    signs = signs_every(60.0)
    told.status = status
    for _ in range(3):
        signs.after(DONE)
        clock.now += 60
    [warning] = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert warning.startswith(f"Placement takes no signs of life of this agent ({status})")
    told.status = 204
    signs.after(DONE)
    assert [record.message for record in caplog.records][-1].startswith("This is over: Placement takes no signs")
    assert len(told.requests) == 4


def test_a_refusal_is_not_tried_again_and_again(
    signs_every: Callable[[float | None], Signs], told: Anybody, clock: Clock
) -> None:
    signs = signs_every(1.0)
    told.status = 404
    for _ in range(50):
        signs.after(DONE)
        clock.now += 1
    assert len(told.requests) == 1


@pytest.mark.parametrize("status", [429, 502, 503])
def test_a_placement_that_just_went_away_is_no_news(
    signs_every: Callable[[float | None], Signs], told: Anybody, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    caplog.set_level(logging.INFO, logger="moorage")
    told.status = status
    signs_every(60.0).after(DONE)
    assert caplog.records == []


# --- with real Placements


def signs_of(agent: AgentOfHost) -> Signs:
    return Signs(PlacementClient(agent.transport), lambda: agent.agent.is_with_moorage, agent.host, 60.0)


def seen(agent: AgentOfHost) -> AgentDetails:
    [found] = agent.client.agents().agents
    return found


def test_moorage_sees_the_agent_and_upstream_gets_no_request_more(agent: AgentOfHost, recorder: Recorder) -> None:
    signs = signs_of(agent)
    agent.write("example.yaml", EXAMPLE)
    report = agent.round()
    recorder.forget()
    signs.after(report)
    signs.failed(Refused("No.", 409))
    signs.stopped()
    if not agent.agent.is_with_moorage:
        assert recorder.requests == []
        return
    assert [str(request) for request in recorder.requests] == ["PUT /moorage/agents/host-a"] * 3
    found = seen(agent)
    assert (found.name, found.version, found.state, found.reason) == ("host-a", __version__, "stopped", "No.")
    assert (found.providers, found.interval) == (1, None)


def test_a_round_that_has_to_leave_something_is_incomplete(agent: AgentOfHost) -> None:
    signs = signs_of(agent)
    agent.write("example.yaml", EXAMPLE)
    agent.round()
    allocate(agent.client, CONSUMER, {agent.uuid("node-1"): {"CUSTOM_LLC": 2}})
    agent.remove("example.yaml")
    report = agent.round()
    assert report.undone
    signs.after(report)
    if not agent.agent.is_with_moorage:
        return
    found = seen(agent)
    assert found.state == "incomplete"
    assert found.reason is not None
    assert found.reason.startswith("node-1: CUSTOM_LLC is held by consumer")


def test_nobody_is_asked_what_placement_is_only_to_tell(agent: AgentOfHost, recorder: Recorder) -> None:
    signs_of(agent).failed(DriverError("The host cannot be examined."))
    assert recorder.requests == []


def test_the_number_of_providers_is_of_those_that_it_keeps(agent_on: Callable[[str], AgentOfHost]) -> None:
    one, other = agent_on("host-a"), agent_on("host-b")
    one.has("nodes: [{name: 'a-{}', count: 3, inventories: {VCPU: 8}}]")
    other.has("nodes: [{name: b, inventories: {VCPU: 8}, children: [{name: b-gpu, inventories: {PGPU: 1}}]}]")
    assert [one.round().providers, other.round().providers, one.round().providers] == [3, 2, 3]
    one.has("nodes: []")
    assert one.round().providers == 0
