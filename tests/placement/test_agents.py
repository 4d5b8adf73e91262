"""Signs of life of agents: what they tell, how they are by the clock of the service, and that no copy hears of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine

from moorage.db.database import Database
from moorage.placement.index.hosts_without_agent import hosts_without_agent
from moorage.placement.model.agent import Outcome, Sign, State, late_at, seconds_between_signs
from moorage.placement.store import agents
from tests.placement.bulk import item, write
from tests.placement.crew import Hand, together
from tests.placement.index.clouds import cloud_of, provider
from tests.placement.rest import Api
from tests.placement.rows import read_rows

PATH = "/moorage/agents"
TOLD: dict[str, Any] = {"version": "1.2.3", "interval": 60, "outcome": "well", "reason": None, "providers": 3}
NOW = 1_800_000_000


@pytest.fixture
def engine(empty_database: str) -> Iterator[Engine]:
    engine = create_engine(empty_database)
    yield engine
    engine.dispose()


def told(name: str = "cn1", *, interval: float | None = 60.0, outcome: Outcome = Outcome.WELL) -> Sign:
    return Sign(name, "1.2.3", interval, outcome, None if outcome is Outcome.WELL else "Something is wrong.", 3)


def keep(database: Database, *signs: Sign, at: int = NOW) -> None:
    database.tidy(lambda connection: agents.keep(connection, signs, at))


def states(database: Database, at: int = NOW) -> dict[str, State]:
    _, found = database.read(lambda connection: agents.overview(connection, at))
    return {agent.sign.name: agent.state for agent in found}


# --- when an agent is missed


class TestLateness:
    @pytest.mark.parametrize(
        ("interval", "seconds"), [(60.0, 180), (1.0, 180), (59.9, 180), (60.1, 181), (100.0, 300), (86_400.0, 259_200)]
    )
    def test_comes_after_three_intervals_and_three_minutes_at_least(self, interval: float, seconds: int) -> None:
        assert late_at(NOW, interval) == NOW + seconds

    def test_never_comes_to_an_agent_that_does_not_look_again(self) -> None:
        assert late_at(NOW, None) is None

    def test_leaves_time_for_a_sign_that_is_lost(self) -> None:
        for interval in (1.0, 60.0, 600.0):
            missed = late_at(0, interval)
            assert missed is not None
            assert missed > 2 * seconds_between_signs(interval)


@pytest.mark.every_database
class TestTheStore:
    def test_has_one_row_for_each_agent_with_what_it_told_last(self, database: Database) -> None:
        keep(database, told("cn1", outcome=Outcome.FAILED), told("cn2"))
        keep(database, told("cn1"), at=NOW + 7)
        counts, found = database.read(lambda connection: agents.overview(connection, NOW + 10))
        assert [(agent.sign, agent.seen_at, agent.age_seconds) for agent in found] == [
            (told("cn1"), NOW + 7, 3),
            (told("cn2"), NOW, 10),
        ]
        assert counts == {state: 2 if state is State.WELL else 0 for state in State}

    def test_gives_everything_back_as_it_was(self, database: Database) -> None:
        signs = [
            Sign("ü" * 255, "v" * 64, 0.1 + 0.2, Outcome.INCOMPLETE, "🚢" * 500, 2**31 - 1),
            Sign("a", "1", None, Outcome.WELL),
        ]
        keep(database, *signs)
        _, found = database.read(lambda connection: agents.overview(connection, NOW))
        assert sorted((agent.sign for agent in found), key=lambda sign: sign.name, reverse=True) == signs

    def test_tells_names_apart_by_every_byte(self, database: Database) -> None:
        keep(database, told("cn1"), told("CN1"), told("cn1 "))
        assert states(database).keys() == {"cn1", "CN1", "cn1 "}

    def test_knows_the_state_of_each_at_any_time(self, database: Database) -> None:
        keep(
            database,
            told("well"),
            told("incomplete", outcome=Outcome.INCOMPLETE),
            told("failing", outcome=Outcome.FAILED),
            told("failing, then late", outcome=Outcome.FAILED),
            told("slow", interval=600.0),
            told("once", interval=None),
            told("stopped while it failed", interval=None, outcome=Outcome.FAILED),
        )
        at_first = {
            "failing": State.FAILING,
            "failing, then late": State.FAILING,
            "incomplete": State.INCOMPLETE,
            "slow": State.WELL,
            "well": State.WELL,
            "once": State.STOPPED,
            "stopped while it failed": State.STOPPED,
        }
        assert states(database, NOW) == at_first
        assert states(database, NOW + 180) == at_first
        late = dict.fromkeys(("failing", "failing, then late", "incomplete", "well"), State.LATE)
        assert states(database, NOW + 181) == at_first | late
        assert states(database, NOW + 1801) == at_first | late | {"slow": State.LATE}

    def test_lists_the_most_urgent_first(self, database: Database) -> None:
        keep(database, told("late"), at=NOW - 1000)
        keep(
            database,
            told("b", interval=None),
            told("d"),
            told("c"),
            told("f", outcome=Outcome.FAILED),
            told("e", outcome=Outcome.INCOMPLETE),
        )
        assert list(states(database)) == ["late", "f", "e", "c", "d", "b"]
        wanted = (State.WELL, State.LATE)
        _, few = database.read(lambda connection: agents.overview(connection, NOW, wanted, limit=2))
        assert [agent.sign.name for agent in few] == ["late", "c"]

    def test_is_not_confused_by_a_clock_that_was_put_back(self, database: Database) -> None:
        keep(database, told())
        _, [agent] = database.read(lambda connection: agents.overview(connection, NOW - 3600))
        assert (agent.state, agent.age_seconds) == (State.WELL, 0)

    def test_forgets(self, database: Database) -> None:
        keep(database, told("cn1"), told("cn2"))
        assert database.tidy(lambda connection: agents.forget(connection, "cn1"))
        assert not database.tidy(lambda connection: agents.forget(connection, "cn1"))
        assert states(database).keys() == {"cn2"}

    def test_counts_ten_thousand_and_shows_fifty_of_them(self, database: Database) -> None:
        keep(database, *(told(f"cn{number:05}") for number in range(10_000)))
        counts, found = database.read(lambda connection: agents.overview(connection, NOW + 1000, limit=50))
        assert counts[State.LATE] == 10_000
        assert len(found) == 50


# --- over the API


class TestAnAgent:
    def test_is_seen_after_it_told(self, api: Api) -> None:
        before = int(time.time())
        assert api.send("PUT", f"{PATH}/cn1", TOLD).status == 204
        [seen] = api.get(PATH)["agents"]
        assert seen | {"seen_at": None, "age_seconds": None} == {
            "name": "cn1",
            "state": "well",
            **TOLD,
            "seen_at": None,
            "age_seconds": None,
        }
        assert before <= _seconds(seen["seen_at"]) <= int(time.time())
        assert 0 <= seen["age_seconds"] <= int(time.time()) - before

    def test_tells_again_in_place_of_what_it_told(self, api: Api) -> None:
        api.put(f"{PATH}/cn1", TOLD)
        api.put(f"{PATH}/cn1", TOLD | {"outcome": "failed", "reason": "The disk is full."})
        [seen] = api.get(PATH)["agents"]
        assert (seen["state"], seen["reason"]) == ("failing", "The disk is full.")

    def test_needs_to_tell_little(self, api: Api) -> None:
        api.put(f"{PATH}/cn1", {"version": "1", "interval": None, "outcome": "well"})
        [seen] = api.get(PATH)["agents"]
        assert (seen["state"], seen["reason"], seen["providers"]) == ("stopped", None, None)

    def test_may_have_any_name(self, api: Api) -> None:
        for name in ("host.example.org", "Ünï 🚢", "' OR 1=1 --", "%2F", "n" * 255):
            api.put(f"{PATH}/{name}", TOLD)
            [seen] = api.get(PATH)["agents"]
            assert seen["name"] == name
            api.delete(f"{PATH}/{name}")

    def test_is_forgotten_once(self, api: Api) -> None:
        api.put(f"{PATH}/cn1", TOLD)
        api.delete(f"{PATH}/cn1")
        again = api.send("DELETE", f"{PATH}/cn1")
        assert again.status == 404
        assert "No agent cn1 has left a sign of life" in again.detail
        assert api.get(PATH)["agents"] == []

    def test_changes_no_provider_and_moves_no_feed(self, api: Api, engine: Engine) -> None:
        write(api, item("cn1", inventories={"VCPU": {"total": 8}}))
        before = read_rows(engine)
        api.put(f"{PATH}/cn1", TOLD)
        api.put(f"{PATH}/cn1", TOLD | {"providers": 4})
        assert before.differences(read_rows(engine)).keys() == {"agents"}
        api.delete(f"{PATH}/cn1")
        assert before.differences(read_rows(engine)) == {}

    def test_speaks_the_same_format_at_every_microversion(self, api: Api) -> None:
        api.at("1.0").put(f"{PATH}/cn1", TOLD)
        assert api.at("1.0").get(PATH)["counts"] == api.get(PATH)["counts"]


class TestTheList:
    @pytest.fixture(autouse=True)
    def _agents(self, api: Api, database: Database) -> None:
        now = int(time.time())
        keep(database, told("late-1"), told("late-2"), at=now - 1000)
        api.put(f"{PATH}/broken", TOLD | {"outcome": "failed", "reason": "No."})
        api.put(f"{PATH}/waiting", TOLD | {"outcome": "incomplete", "reason": "In use."})
        api.put(f"{PATH}/good", TOLD)
        api.put(f"{PATH}/gone", TOLD | {"interval": None})

    def names(self, api: Api, **query: object) -> list[str]:
        return [agent["name"] for agent in api.get(PATH, query)["agents"]]

    def test_has_all_of_them_and_counts_them(self, api: Api) -> None:
        assert self.names(api) == ["late-1", "late-2", "broken", "waiting", "good", "gone"]
        assert api.get(PATH)["counts"] == {"late": 2, "failing": 1, "incomplete": 1, "well": 1, "stopped": 1}

    def test_may_be_cut_off_while_all_are_counted(self, api: Api) -> None:
        assert self.names(api, limit=3) == ["late-1", "late-2", "broken"]
        assert sum(api.get(PATH, {"limit": 1})["counts"].values()) == 6

    def test_may_be_of_some_states(self, api: Api) -> None:
        assert self.names(api, state="failing,late", limit=10) == ["late-1", "late-2", "broken"]
        assert self.names(api, state="stopped") == ["gone"]

    def test_ends_where_the_right_to_see_it_does(self, api: Api) -> None:
        headers = {"x-auth-token": "somebody:project", "x-roles": "reader", "content-type": "application/json"}
        for method, path in (("GET", PATH), ("PUT", f"{PATH}/cn1"), ("DELETE", f"{PATH}/good")):
            assert api.send_raw(method, path, b"{}", headers=headers).status == 403
        assert len(self.names(api)) == 6

    @pytest.mark.parametrize(
        "query",
        [
            {"state": "dead"},
            {"state": ""},
            {"state": "late,"},
            {"state": "late\n"},
            {"limit": 0},
            {"limit": -1},
            {"limit": "٣"},
            {"limit": "1_0"},
            {"limit": "9" * 30},
            {"marker": "x"},
        ],
    )
    def test_refuses_questions_that_it_does_not_know(self, api: Api, query: dict[str, object]) -> None:
        assert api.send("GET", PATH, query=query).status == 400


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": ""},
        {"version": "v" * 65},
        {"version": None},
        {"interval": 0},
        {"interval": -60},
        {"interval": 2**31},
        {"interval": "60"},
        {"interval": True},
        {"outcome": "late"},
        {"outcome": None},
        {"reason": ""},
        {"reason": "r" * 501},
        {"reason": "\0"},
        {"reason": ["no"]},
        {"providers": -1},
        {"providers": 1.5},
        {"providers": 2**31},
        {"seen_at": "2020-01-01T00:00:00Z"},
        {"name": "cn2"},
    ],
    ids=str,
)
def test_what_no_agent_would_tell_is_refused(api: Api, wrong: dict[str, object]) -> None:
    reply = api.send("PUT", f"{PATH}/cn1", TOLD | wrong)
    assert reply.status == 400
    assert reply.detail
    assert api.get(PATH)["agents"] == []


@pytest.mark.parametrize("missing", ["version", "interval", "outcome"])
def test_what_every_agent_must_tell_is_asked_for(api: Api, missing: str) -> None:
    body = {name: value for name, value in TOLD.items() if name != missing}
    assert api.send("PUT", f"{PATH}/cn1", body).status == 400


def test_a_name_that_is_too_long_is_refused(api: Api) -> None:
    assert api.send("PUT", f"{PATH}/{'n' * 256}", TOLD).status == 400
    assert api.send("DELETE", f"{PATH}/{'n' * 256}").status == 404


# --- who is looked after


def test_hosts_without_an_agent_are_counted(api: Api) -> None:
    write(
        api,
        item("kept", traits=["COMPUTE_NODE"], origin={"host": "cn1"}),
        item("kept-card", "kept", origin={"host": "cn1"}),
        item("alone", traits=["COMPUTE_NODE"]),
        item("part", "alone", traits=["COMPUTE_NODE"]),
        item("pool"),
    )
    overview = api.get(PATH)
    assert (overview["kept_providers"], overview["hosts_without_agent"]) == (2, 1)


def test_a_provider_that_is_gone_by_now_keeps_no_host() -> None:
    assert hosts_without_agent(cloud_of(provider("one", traits=["COMPUTE_NODE"])), {1, 17}) == 0
    assert hosts_without_agent(cloud_of(provider("one", traits=["COMPUTE_NODE"])), {17}) == 1
    assert hosts_without_agent(cloud_of(), set()) == 0


# --- many at once


def tell_often(hand: Hand, number: int) -> list[int]:
    """Tell under a name of one's own and under one that all others use, too."""
    statuses: list[int] = []
    for _ in range(10):
        hand.wait_for_all()
        names = (f"cn{number}", "everybody")
        statuses += [hand.api.send("PUT", f"{PATH}/{name}", TOLD | {"providers": number}).status for name in names]
    return statuses


@pytest.mark.every_database
def test_agents_that_tell_at_the_same_moment_are_all_heard_also_under_one_name(empty_database: str, api: Api) -> None:
    hands = 8
    assert {status for each in together(empty_database, tell_often, range(hands)) for status in each} == {204}
    found = {agent["name"]: agent["providers"] for agent in api.get(PATH)["agents"]}
    assert found.pop("everybody") in range(hands)
    assert found == {f"cn{number}": number for number in range(hands)}


def forget_and_tell(hand: Hand, method: str) -> set[int]:
    statuses = set()
    for _ in range(10):
        hand.wait_for_all()
        statuses.add(hand.api.send(method, f"{PATH}/cn1", TOLD if method == "PUT" else None).status)
    return statuses


@pytest.mark.every_database
def test_who_is_forgotten_while_it_tells_is_there_or_not(empty_database: str, api: Api) -> None:
    telling, forgetting, *_ = together(empty_database, forget_and_tell, ["PUT", "DELETE", "PUT", "DELETE"])
    assert telling == {204}
    assert forgetting <= {204, 404}
    assert len(api.get(PATH)["agents"]) <= 1


def _seconds(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())
