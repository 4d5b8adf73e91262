"""POST /moorage/claims: a place is found and taken in one request."""

from __future__ import annotations

from collections import Counter
from typing import Any
from uuid import uuid4

import pytest

from moorage.db.database import Database
from moorage.placement.api.schemas.claims import LONGEST_QUERY
from moorage.placement.ledger import Ledger
from moorage.placement.model.allocation import Claim
from moorage.placement.model.errors import CapacityExceeded
from tests.placement.books import mistakes, oversold
from tests.placement.crew import Hand, together
from tests.placement.rest import PROJECT, USER, Api, Reply

PATH = "/moorage/claims"


def body(query: str, **more: object) -> dict[str, object]:
    return {"query": query, "project_id": PROJECT, "user_id": USER, "consumer_type": "INSTANCE", **more}


def ask(api: Api, query: str, **more: object) -> Reply:
    return api.send("POST", PATH, body(query, **more))


def claim(api: Api, query: str, **more: object) -> dict[str, Any]:
    answer: dict[str, Any] = api.post(PATH, body(query, **more))
    return answer


def place(api: Api, query: str, **more: object) -> str:
    """Where a claim for one provider ended up."""
    (uuid,) = claim(api, query, **more)["allocations"]
    return str(uuid)


def used(api: Api, provider: str) -> dict[str, int]:
    usages: dict[str, int] = api.get(f"/resource_providers/{provider}/usages")["usages"]
    return usages


# --- what is claimed


def test_a_claim_is_an_allocation_like_any_other(api: Api) -> None:
    host = api.create_provider("host", {"VCPU": 8, "MEMORY_MB": 1024})
    answer = claim(api, "resources=VCPU:2,MEMORY_MB:512")
    assert answer["allocations"] == {host: {"resources": {"VCPU": 2, "MEMORY_MB": 512}}}
    assert answer["mappings"] == {"": [host]}
    assert answer["attempts"] == 1
    held = api.get(f"/allocations/{answer['consumer_uuid']}")
    assert held["allocations"][host]["resources"] == {"VCPU": 2, "MEMORY_MB": 512}
    assert (held["project_id"], held["user_id"], held["consumer_type"]) == (PROJECT, USER, "INSTANCE")
    assert used(api, host) == {"VCPU": 2, "MEMORY_MB": 512}


def test_groups_are_mapped_to_those_who_serve_them(api: Api) -> None:
    host = api.create_provider("host", {"VCPU": 8})
    gpus = {api.create_provider(name, {"VGPU": 1}, parent=host) for name in ("gpu0", "gpu1")}
    answer = claim(api, "resources=VCPU:1&resources_A=VGPU:1&resources_B=VGPU:1&group_policy=isolate")
    assert answer["mappings"][""] == [host]
    assert {*answer["mappings"]["_A"], *answer["mappings"]["_B"]} == gpus
    assert answer["allocations"].keys() == {host, *gpus}


def test_a_query_may_be_written_as_it_stands_in_a_url(api: Api) -> None:
    host = api.create_provider("host", {"VCPU": 8}, traits=("CUSTOM_FAST",))
    api.create_provider("slow", {"VCPU": 8})
    assert place(api, "?resources=VCPU%3A1&required=CUSTOM_FAST&limit=5") == host


def test_a_consumer_may_be_named(api: Api) -> None:
    host = api.create_provider("host", {"VCPU": 8})
    consumer = str(uuid4())
    assert claim(api, "resources=VCPU:1", consumer_uuid=consumer)["consumer_uuid"] == consumer
    assert api.get(f"/allocations/{consumer}")["allocations"].keys() == {host}


def test_a_consumer_that_is_there_needs_its_generation(api: Api) -> None:
    host = api.create_provider("host", {"VCPU": 8})
    consumer = api.allocate({host: {"VCPU": 1}})
    for wrong in (None, 7):
        reply = ask(api, "resources=VCPU:2", consumer_uuid=consumer, consumer_generation=wrong)
        assert (reply.status, reply.json["errors"][0]["code"]) == (409, "placement.concurrent_update")
        assert used(api, host) == {"VCPU": 1}
    claim(api, "resources=VCPU:2", consumer_uuid=consumer, consumer_generation=1)
    assert used(api, host) == {"VCPU": 2}


# --- where


@pytest.fixture
def hosts(api: Api) -> dict[str, str]:
    """Three hosts that are empty, half full and almost full, by name."""
    hosts = {name: api.create_provider(name, {"VCPU": 10}) for name in ("empty", "half", "most")}
    api.allocate({hosts["half"]: {"VCPU": 5}})
    api.allocate({hosts["most"]: {"VCPU": 8}})
    return hosts


def test_spread_takes_the_emptiest(api: Api, hosts: dict[str, str]) -> None:
    assert place(api, "resources=VCPU:1", strategy="spread") == hosts["empty"]
    assert place(api, "resources=VCPU:1") == hosts["empty"]  # unless told otherwise


def test_pack_takes_the_fullest_that_has_room(api: Api, hosts: dict[str, str]) -> None:
    places = [place(api, "resources=VCPU:1", strategy="pack") for _ in range(4)]
    assert places == [hosts["most"], hosts["most"], hosts["half"], hosts["half"]]
    assert place(api, "resources=VCPU:6", strategy="pack") == hosts["empty"]


def test_the_scarcest_resource_decides_how_full_a_host_is(api: Api) -> None:
    crammed = api.create_provider("crammed", {"VCPU": 10, "MEMORY_MB": 100})
    even = api.create_provider("even", {"VCPU": 10, "MEMORY_MB": 100})
    api.allocate({crammed: {"VCPU": 1, "MEMORY_MB": 90}})
    api.allocate({even: {"VCPU": 5, "MEMORY_MB": 50}})
    assert place(api, "resources=VCPU:1,MEMORY_MB:1", strategy="spread") == even
    assert place(api, "resources=VCPU:1,MEMORY_MB:1", strategy="pack") == crammed


def test_a_tree_counts_as_a_whole(api: Api) -> None:
    full, free = (api.create_provider(name) for name in ("full", "free"))
    cells = {
        root: [api.create_provider(f"{root}-{n}", {"VCPU": 4}, parent=root) for n in (0, 1)] for root in (full, free)
    }
    api.allocate({cells[full][0]: {"VCPU": 4}})
    assert place(api, "resources=VCPU:1", strategy="spread") in cells[free]
    assert place(api, "resources=VCPU:1", strategy="pack") == cells[full][1]


def test_chance_decides_among_equals(api: Api) -> None:
    hosts = [api.create_provider(f"host-{number}", {"VCPU": 1000}) for number in range(4)]
    places = Counter(place(api, "resources=VCPU:1", strategy="pack") for _ in range(40))
    assert places.keys() == set(hosts)  # by chance not: less than once in 20,000 times
    assert places.total() == 40


def test_every_claim_finds_the_last_places(api: Api) -> None:
    hosts = [api.create_provider(f"host-{number}", {"VCPU": 1}) for number in range(20)]
    assert {place(api, "resources=VCPU:1") for _ in hosts} == set(hosts)
    assert ask(api, "resources=VCPU:1").status == 409


# --- refusals


def test_where_nothing_fits_the_answer_says_where_to_learn_why(api: Api) -> None:
    host = api.create_provider("host", {"VCPU": 2})
    reply = ask(api, "resources=VCPU:3")
    assert reply.status == 409
    assert "/moorage/allocation_candidates/explain" in reply.detail
    assert used(api, host) == {"VCPU": 0}


def test_a_class_that_nobody_has_fits_nowhere(api: Api) -> None:
    assert ask(api, "resources=VCPU:1").status == 409
    api.create_provider("host", {"MEMORY_MB": 2})
    assert ask(api, "resources=VCPU:1").status == 409


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "resources"),
        ("resources=VCPU", "VCPU"),
        ("resources=CUSTOM_NOTHING:1", "CUSTOM_NOTHING"),
        ("resources=VCPU:1&required=CUSTOM_NOTHING", "CUSTOM_NOTHING"),
        ("resources=VCPU:1&colour=red", "colour"),
        ("resources1=VCPU:1&resources2=VCPU:1", "group_policy"),
        ("resources=VCPU:1&in_tree=%FF", "Invalid query string parameters"),
    ],
)
def test_a_bad_query_is_refused(api: Api, query: str, said: str) -> None:
    reply = ask(api, query)
    assert reply.status == 400
    assert said in reply.detail


def test_a_query_has_a_greatest_length(api: Api) -> None:
    host = api.create_provider("host", {"VCPU": 8}, traits=("CUSTOM_FAST",))
    query = "resources=VCPU:1"
    padding = "&required=CUSTOM_FAST"
    query += padding * ((LONGEST_QUERY - len(query)) // len(padding))
    assert place(api, query) == host
    reply = ask(api, query + padding)
    assert reply.status == 400
    assert "is too long" in reply.detail


@pytest.mark.parametrize(
    "wrong",
    [
        {"strategy": "random"},
        {"consumer_uuid": "me"},
        {"consumer_type": "instance"},
        {"consumer_generation": "1"},
        {"project_id": ""},
        {"colour": "red"},
    ],
)
def test_a_bad_body_is_refused(api: Api, wrong: dict[str, object]) -> None:
    assert ask(api, "resources=VCPU:1", **wrong).status == 400


@pytest.mark.parametrize("missing", ["query", "project_id", "user_id", "consumer_type"])
def test_an_incomplete_body_is_refused(api: Api, missing: str) -> None:
    reply = api.send("POST", PATH, {key: value for key, value in body("resources=VCPU:1").items() if key != missing})
    assert reply.status == 400
    assert missing in reply.detail


def test_policy_is_enforced(api: Api) -> None:
    headers = {"x-auth-token": "somebody:project", "x-roles": "reader", "content-type": "application/json"}
    assert api.send_raw("POST", PATH, b"{}", headers=headers).status == 403


# --- races

HANDS = 8


def lose(monkeypatch: pytest.MonkeyPatch, races: int) -> None:
    """Let so many claims find their places taken."""
    claim, left = Ledger.claim, [None] * races

    def losing(ledger: Ledger, wanted: Claim) -> None:
        if not left:
            claim(ledger, wanted)
            return
        left.pop()
        raise CapacityExceeded("VCPU", *wanted.amounts)

    monkeypatch.setattr(Ledger, "claim", losing)


@pytest.mark.parametrize("limit", ["", "&limit=1", "&limit=1000"])
def test_whoever_loses_a_race_tries_the_next_place(api: Api, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    for number in range(20):
        api.create_provider(f"host-{number}", {"VCPU": 1})
    lose(monkeypatch, 15)
    assert claim(api, f"resources=VCPU:1{limit}")["attempts"] == 16


def test_whoever_loses_all_races_is_told_that_others_were_faster(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(2):
        api.create_provider(f"host-{number}", {"VCPU": 1})
    lose(monkeypatch, 1000)
    reply = ask(api, "resources=VCPU:1")
    assert (reply.status, reply.json["errors"][0]["code"]) == (409, "placement.concurrent_update")
    assert "Others were faster: 6 candidates" in reply.detail  # it has looked three times
    assert "No candidate fits" not in reply.detail


def claim_until_refused(hand: Hand, query: str) -> tuple[int, list[int]]:
    """How many claims succeeded, and how those ended that did not; the first that did not is the last."""
    succeeded = 0
    while (status := ask(hand.api, query).status) == 200:
        succeeded += 1
    return succeeded, [status]


@pytest.mark.every_database
@pytest.mark.parametrize(("hosts", "size"), [(40, 1), (4, 12), (1, 40)])
def test_as_many_claims_succeed_as_there_are_places(
    empty_database: str, database: Database, api: Api, hosts: int, size: int
) -> None:
    providers = [api.create_provider(f"host-{number}", {"VCPU": size}) for number in range(hosts)]
    outcomes = together(empty_database, claim_until_refused, ["resources=VCPU:1"] * HANDS)
    assert sum(succeeded for succeeded, _ in outcomes) == hosts * size
    assert [refusal for _, refusals in outcomes for refusal in refusals] == [409] * HANDS
    assert all(used(api, provider) == {"VCPU": size} for provider in providers)
    assert database.read(mistakes) == []
    assert database.read(lambda connection: oversold(connection, "VCPU")) == []
