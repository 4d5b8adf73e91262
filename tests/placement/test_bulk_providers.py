"""POST /moorage/providers: many providers with all they have in one request, all or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine, create_engine

from tests.placement.bulk import PATH, item, read, refused, uuid_of, write
from tests.placement.rest import Api
from tests.placement.rows import read_rows

EVERYTHING = "inventories,usages,traits,aggregates"
RACK, ROW = (str(UUID(int=number)) for number in (0xA, 0xB))
FAST, SAFE = "HW_CPU_X86_AVX", "HW_CPU_X86_SGX"


@pytest.fixture
def engine(empty_database: str) -> Iterator[Engine]:
    engine = create_engine(empty_database)
    yield engine
    engine.dispose()


# --- new providers


def test_providers_are_made_with_all_they_have(api: Api) -> None:
    inventories = {"VCPU": {"total": 8, "allocation_ratio": 4.0}, "MEMORY_MB": {"total": 1024, "reserved": 24}}
    assert write(api, item("host", inventories=inventories, traits=[FAST], aggregates=[RACK]), item("bare")) == {
        "host": 0,
        "bare": 0,
    }
    path = f"/resource_providers/{uuid_of('host')}"
    written = api.get(f"{path}/inventories")["inventories"]
    assert (written["VCPU"]["total"], written["VCPU"]["allocation_ratio"]) == (8, 4.0)
    assert written["MEMORY_MB"]["reserved"] == 24
    assert api.get(f"{path}/usages")["usages"] == {"VCPU": 0, "MEMORY_MB": 0}
    assert api.get(f"{path}/traits")["traits"] == [FAST]
    assert api.get(f"{path}/aggregates")["aggregates"] == [RACK]
    assert api.get(f"/resource_providers/{uuid_of('bare')}/inventories")["inventories"] == {}


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_trees_are_made_in_whatever_order_they_are_written(api: Api, order: tuple[int, ...]) -> None:
    tree = (item("host"), item("cell", "host"), item("gpu", "cell"), item("other"))
    write(api, *(tree[number] for number in order))
    made = read(api)
    assert {name: provider["parent_provider_uuid"] for name, provider in made.items()} == {
        "host": None,
        "cell": uuid_of("host"),
        "gpu": uuid_of("cell"),
        "other": None,
    }
    assert {name for name, it in made.items() if it["root_provider_uuid"] == uuid_of("host")} == {"host", "cell", "gpu"}


def test_a_tree_may_grow_below_a_provider_that_is_there(api: Api) -> None:
    write(api, item("host"), item("cell", "host"))
    write(api, item("function", "device"), item("device", "cell"))
    assert read(api)["function"]["root_provider_uuid"] == uuid_of("host")


def test_what_was_made_can_be_claimed_at_once(api: Api) -> None:
    write(api, item("host", inventories={"VCPU": {"total": 2}}))
    api.allocate({uuid_of("host"): {"VCPU": 2}})
    assert read(api, {"include": "usages"})["host"]["usages"] == {"VCPU": 2}


def test_two_thousand_providers_are_one_request(api: Api) -> None:
    names = [f"{number:04}" for number in range(2000)]
    hosts = [
        item(name, name[:2] + "00" if name[2:] != "00" else None, inventories={"VCPU": {"total": 8}}, traits=[FAST])
        for name in reversed(names)
    ]
    write(api, *hosts)
    made = read(api, {"include": EVERYTHING})
    assert len(made) == 2000
    assert {provider["root_provider_uuid"] for provider in made.values()} == {uuid_of(f"{n:02}00") for n in range(20)}
    assert all(
        provider["traits"] == [FAST] and provider["inventories"]["VCPU"]["total"] == 8 for provider in made.values()
    )
    assert write(api, *(host | {"inventories": {"VCPU": {"total": 9}}} for host in hosts[:100])) == {
        host["name"]: 1 for host in hosts[:100]
    }


# --- known providers


class TestKnownProviders:
    @pytest.fixture(autouse=True)
    def _two_hosts(self, api: Api) -> None:
        stock = {"VCPU": {"total": 8}, "DISK_GB": {"total": 10}}
        write(
            api, item("host", inventories=stock, traits=[FAST], aggregates=[RACK]), item("cell", "host"), item("other")
        )

    def test_get_what_is_given_instead_of_what_they_had(self, api: Api) -> None:
        write(api, item("host", inventories={"VCPU": {"total": 4}}, traits=[SAFE], aggregates=[ROW]))
        host = read(api, {"include": EVERYTHING})["host"]
        assert host["inventories"].keys() == {"VCPU"}
        assert host["inventories"]["VCPU"]["total"] == 4
        assert (host["traits"], host["aggregates"]) == ([SAFE], [ROW])

    def test_keep_what_is_not_mentioned(self, api: Api) -> None:
        before = read(api, {"include": EVERYTHING})["host"]
        assert write(api, item("host")) == {"host": before["generation"]}
        assert read(api, {"include": EVERYTHING})["host"] == before

    def test_keep_their_parent_if_it_is_not_mentioned(self, api: Api) -> None:
        write(api, {"uuid": uuid_of("cell"), "name": "cell", "traits": [SAFE]})
        assert read(api)["cell"]["parent_provider_uuid"] == uuid_of("host")

    def test_may_be_emptied(self, api: Api) -> None:
        write(api, item("host", inventories={}, traits=[], aggregates=[]))
        host = read(api, {"include": EVERYTHING})["host"]
        assert (host["inventories"], host["traits"], host["aggregates"]) == ({}, [], [])

    def test_may_be_renamed_and_moved_with_all_below_them(self, api: Api) -> None:
        write(api, item("host", "other") | {"name": "renamed"})
        made = read(api)
        assert made["renamed"]["parent_provider_uuid"] == uuid_of("other")
        assert made["cell"]["root_provider_uuid"] == uuid_of("other")

    def test_may_move_below_a_new_one(self, api: Api) -> None:
        write(api, item("host", "rack"), item("rack"))
        assert read(api)["cell"]["root_provider_uuid"] == uuid_of("rack")

    @pytest.mark.parametrize("order", [(0, 1), (1, 0)])
    def test_may_be_turned_upside_down(self, api: Api, order: tuple[int, int]) -> None:
        turned = (item("host", "cell"), item("cell"))
        write(api, *(turned[number] for number in order))
        assert read(api)["host"]["root_provider_uuid"] == uuid_of("cell")

    @pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
    def test_pass_their_names_on(self, api: Api, order: tuple[int, int, int]) -> None:
        """A new one gets the name of one that gets the name of another, which gets a new name."""
        passed = (item("host") | {"name": "other"}, item("other") | {"name": "moved"}, item("new") | {"name": "host"})
        write(api, *(passed[number] for number in order))
        uuids = {name: provider["uuid"] for name, provider in read(api).items()}
        assert uuids == {
            "host": uuid_of("new"),
            "other": uuid_of("host"),
            "moved": uuid_of("other"),
            "cell": uuid_of("cell"),
        }

    def test_are_left_alone_if_nothing_changes(self, api: Api, engine: Engine) -> None:
        stock = {"VCPU": {"total": 8}, "DISK_GB": {"total": 10}}
        before = read_rows(engine)
        same = item("host", inventories=stock, traits=[FAST], aggregates=[RACK], generation=0)
        assert write(api, same, item("cell", "host")) == {"host": 0, "cell": 0}
        assert before.differences(read_rows(engine)) == {}

    @pytest.mark.parametrize(
        "part",
        [{"inventories": {"VCPU": {"total": 8}}}, {"inventories": {}, "traits": [], "aggregates": []}, {"traits": []}],
        ids=["one", "all", "another"],
    )
    def test_have_another_generation_if_something_changes(self, api: Api, part: dict[str, Any]) -> None:
        assert write(api, item("host", **part)) == {"host": 1}

    def test_tell_the_generation_to_go_on_with(self, api: Api) -> None:
        generations = write(api, item("host", inventories={"VCPU": {"total": 4}}, traits=[SAFE], aggregates=[]))
        assert generations == {"host": api.get(f"/resource_providers/{uuid_of('host')}")["generation"]}
        assert write(api, item("host", traits=[FAST], generation=generations["host"])) == {
            "host": generations["host"] + 1
        }

    def test_of_another_generation_are_left_alone(self, api: Api, engine: Engine) -> None:
        before = read_rows(engine)
        reply = refused(api, item("new"), item("host", traits=[], generation=7))
        assert (reply.status, reply.json["errors"][0]["code"]) == (409, "placement.concurrent_update")
        assert uuid_of("host") in reply.detail
        assert before.differences(read_rows(engine)) == {}

    def test_that_should_not_be_there_are_left_alone(self, api: Api, engine: Engine) -> None:
        before = read_rows(engine)
        reply = refused(api, item("new", generation=None), item("host", traits=[], generation=None))
        assert (reply.status, reply.json["errors"][0]["code"]) == (409, "placement.concurrent_update")
        assert [each["uuid"] for each in reply.json["errors"][0]["providers"]] == [uuid_of("host")]
        assert before.differences(read_rows(engine)) == {}
        assert write(api, item("new", generation=None)) == {"new": 0}

    def test_that_should_be_there_are_not_made_anew(self, api: Api, engine: Engine) -> None:
        before = read_rows(engine)
        reply = refused(api, item("gone", generation=3))
        assert (reply.status, reply.json["errors"][0]["code"]) == (409, "placement.concurrent_update")
        assert "actual: null, given: 3" in reply.detail
        assert before.differences(read_rows(engine)) == {}

    def test_keep_what_is_in_use(self, api: Api, engine: Engine) -> None:
        api.allocate({uuid_of("host"): {"VCPU": 1}})
        before = read_rows(engine)
        reply = refused(api, item("new"), item("host", inventories={"DISK_GB": {"total": 4}}))
        assert (reply.status, reply.json["errors"][0]["code"]) == (409, "placement.inventory.inuse")
        assert before.differences(read_rows(engine)) == {}

    def test_that_are_in_the_way_are_named_all_at_once(self, api: Api, engine: Engine) -> None:
        api.allocate({uuid_of("host"): {"VCPU": 1, "DISK_GB": 1}})
        before = read_rows(engine)
        reply = refused(api, item("host", inventories={}), item("cell", "host"), item("other", generation=7))
        (error,) = reply.json["errors"]
        assert (reply.status, error["code"]) == (409, "placement.inventory.inuse")
        used, changed = error["providers"]
        assert (used["uuid"], used["code"]) == (uuid_of("host"), "placement.inventory.inuse")
        assert sorted(used["resource_classes"]) == ["DISK_GB", "VCPU"]
        assert (changed["uuid"], changed["code"]) == (uuid_of("other"), "placement.concurrent_update")
        assert "actual: 0, given: 7" in changed["detail"]
        assert before.differences(read_rows(engine)) == {}

    def test_that_are_in_the_way_are_few_in_the_sentence(self, api: Api) -> None:
        names = [f"{number:02}" for number in range(20)]
        write(api, *(item(name) for name in names))
        reply = refused(api, *(item(name, generation=7) for name in names))
        assert len(reply.json["errors"][0]["providers"]) == 20
        assert reply.detail.rstrip().endswith("And 15 more.")

    def test_and_new_ones_may_come_in_one_request(self, api: Api) -> None:
        assert write(api, item("new", "host"), item("host", traits=[])) == {"new": 0, "host": 1}


# --- refusals


@pytest.mark.parametrize(
    ("items", "status", "said"),
    [
        ([item("a", "b"), item("b", "a")], 400, "loop"),
        ([item("a", "a")], 400, "loop"),
        ([item("a", "b"), item("b", "c"), item("c", "a"), item("d")], 400, "loop"),
        ([item("a", "nobody")], 400, uuid_of("nobody")),
        ([item("host", "cell")], 400, "loop"),
        ([item("host", "nobody")], 400, "does not exist"),
        ([item("a", inventories={"CUSTOM_NOTHING": {"total": 1}})], 400, "CUSTOM_NOTHING"),
        ([item("host", inventories={"CUSTOM_NOTHING": {"total": 1}})], 400, "CUSTOM_NOTHING"),
        ([item("a", traits=["CUSTOM_NOTHING"])], 400, "CUSTOM_NOTHING"),
        ([item("host", traits=["CUSTOM_NOTHING"])], 400, "CUSTOM_NOTHING"),
        ([item("a", inventories={"VCPU": {"total": 1, "reserved": 2}})], 400, "reserved"),
        ([item("a", inventories={"VCPU": {"total": 0}})], 400, "minimum"),
        ([item("a", aggregates=["rack"])], 400, "rack"),
        ([item("a", colour="red")], 400, "colour"),
        ([item("a") | {"uuid": "a"}], 400, "uuid"),
        ([item("a") | {"name": ""}], 400, "name"),
        ([item("a"), item("a")], 400, uuid_of("a")),
        ([item("a"), item("b") | {"name": "a"}], 400, "name a"),
        ([item("a", origin={})], 400, "host"),
        ([item("a", origin="cn1")], 400, "cn1"),
        ([item("a") | {"name": "host"}], 409, "host"),
        ([item("host") | {"name": "other"}], 409, "other"),
        ([], 400, "providers"),
    ],
)
def test_a_request_with_one_mistake_changes_nothing(
    api: Api, engine: Engine, items: list[dict[str, Any]], status: int, said: str
) -> None:
    write(api, item("host"), item("cell", "host"), item("other"))
    before = read_rows(engine)
    reply = refused(api, item("innocent", inventories={"VCPU": {"total": 1}}), *items) if items else refused(api)
    assert reply.status == status
    assert said in reply.detail
    assert before.differences(read_rows(engine)) == {}


@pytest.mark.parametrize(
    ("items", "facts"),
    [
        (
            [item("a", inventories={"CUSTOM_NOTHING": {"total": 1}}), item("b", traits=["CUSTOM_B", "CUSTOM_A"])],
            [
                {"uuid": uuid_of("a"), "resource_classes": ["CUSTOM_NOTHING"]},
                {"uuid": uuid_of("b"), "traits": ["CUSTOM_A", "CUSTOM_B"]},
            ],
        ),
        (
            [item(name, inventories={"VCPU": {"total": 1, "reserved": 2}}) for name in ("a", "b")],
            [{"uuid": uuid_of(name), "resource_classes": ["VCPU"]} for name in ("a", "b")],
        ),
        ([item("a", "b"), item("b", "a"), item("c")], [{"uuid": uuid_of("a")}, {"uuid": uuid_of("b")}]),
        ([item("a", "nobody"), item("b")], [{"uuid": uuid_of("a")}]),
        ([item("a"), item("b") | {"name": "host"}], [{"uuid": uuid_of("b")}]),
        ([item("host", "nobody"), item("b")], [{"uuid": uuid_of("host")}]),
        ([item("host", "host"), item("b")], [{"uuid": uuid_of("host")}]),
        ([item("host") | {"name": "other"}, item("b")], [{"uuid": uuid_of("host")}]),
    ],
    ids=["names", "capacity", "loop", "parent", "name", "known parent", "known loop", "known name"],
)
def test_a_refusal_says_who_is_in_the_way(api: Api, items: list[dict[str, Any]], facts: list[dict[str, Any]]) -> None:
    write(api, item("host"), item("other"))
    told = refused(api, *items).json["errors"][0]["providers"]
    assert all(entry.pop("detail") and entry.pop("code").startswith("placement.") for entry in told)
    assert told == facts


# --- names


def test_custom_names_are_made_if_asked_for(api: Api) -> None:
    stock = {"CUSTOM_LLC": {"total": 22}, "VCPU": {"total": 1}}
    write(api, item("a", inventories=stock, traits=["CUSTOM_P_STATE_ENABLED", FAST]), create_names=True)
    write(api, item("b", inventories=stock, traits=["CUSTOM_P_STATE_ENABLED"]))
    query = {"resources": "CUSTOM_LLC:2", "required": "CUSTOM_P_STATE_ENABLED"}
    assert read(api, query).keys() == {"a", "b"}


def test_custom_names_that_exist_are_not_made_again(api: Api, engine: Engine) -> None:
    same = item("a", inventories={"CUSTOM_LLC": {"total": 22}}, traits=["CUSTOM_P_STATE_ENABLED"])
    write(api, same, create_names=True)
    before = read_rows(engine)
    write(api, same, create_names=True)
    assert before.differences(read_rows(engine)) == {}


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"traits": ["HW_NOTHING"]}, "HW_NOTHING"),
        ({"traits": ["CUSTOM_"]}, "CUSTOM_"),
        ({"traits": ["CUSTOM_lower"]}, "CUSTOM_lower"),
        ({"traits": ["custom_lower"]}, "custom_lower"),
        ({"inventories": {"NOTHING": {"total": 1}}}, "NOTHING"),
        ({"inventories": {f"CUSTOM_{'A' * 249}": {"total": 1}}}, "CUSTOM_AAA"),
    ],
)
def test_what_can_be_no_custom_name_is_not_made(api: Api, engine: Engine, parts: dict[str, Any], said: str) -> None:
    before = read_rows(engine)
    reply = refused(api, item("a", traits=["CUSTOM_FINE"]), item("b", **parts), create_names=True)
    assert reply.status == 400
    assert said in reply.detail
    assert before.differences(read_rows(engine)) == {}


def test_policy_is_enforced(api: Api) -> None:
    headers = {"x-auth-token": "somebody:project", "x-roles": "reader"}
    for method in ("GET", "POST"):
        assert api.send_raw(method, PATH, b"{}", headers=headers | {"content-type": "application/json"}).status == 403
