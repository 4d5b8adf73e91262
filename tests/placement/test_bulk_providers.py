"""POST and GET /moorage/providers: many providers with all they have in one request, all or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine, create_engine

from tests.placement.rest import Api, Query, Reply
from tests.placement.rows import read_rows

PATH = "/moorage/providers"
EVERYTHING = "inventories,usages,traits,aggregates"
RACK, ROW = (str(UUID(int=number)) for number in (0xA, 0xB))
FAST, SAFE = "HW_CPU_X86_AVX", "HW_CPU_X86_SGX"


def uuid_of(name: str) -> str:
    """A UUID that reads the same in every test: that of its name."""
    return str(UUID(bytes=name.encode().ljust(16, b"\0")[:16]))


def item(name: str, parent: str | None = None, **parts: Any) -> dict[str, Any]:
    """A provider of a request; its parent is given by name."""
    return {"uuid": uuid_of(name), "name": name, "parent_provider_uuid": parent and uuid_of(parent), **parts}


def write(api: Api, *items: Mapping[str, Any]) -> dict[str, int]:
    """Write providers; their generations by name."""
    answer = api.post(PATH, {"providers": items})["providers"]
    assert [provider["uuid"] for provider in answer] == [wanted["uuid"] for wanted in items]
    return {wanted["name"]: provider["generation"] for wanted, provider in zip(items, answer, strict=True)}


def refused(api: Api, *items: Mapping[str, Any]) -> Reply:
    return api.send("POST", PATH, {"providers": items})


def read(api: Api, query: Query = None) -> dict[str, Any]:
    """Providers by name."""
    return {provider["name"]: provider for provider in api.get(PATH, query)["providers"]}


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

    def test_keep_what_is_in_use(self, api: Api, engine: Engine) -> None:
        api.allocate({uuid_of("host"): {"VCPU": 1}})
        before = read_rows(engine)
        reply = refused(api, item("new"), item("host", inventories={"DISK_GB": {"total": 4}}))
        assert (reply.status, reply.json["errors"][0]["code"]) == (409, "placement.inventory.inuse")
        assert before.differences(read_rows(engine)) == {}

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


def test_policy_is_enforced(api: Api) -> None:
    headers = {"x-auth-token": "somebody:project", "x-roles": "reader"}
    for method in ("GET", "POST"):
        assert api.send_raw(method, PATH, b"{}", headers=headers | {"content-type": "application/json"}).status == 403


# --- reading


@pytest.fixture
def cloud(api: Api) -> None:
    stock = {"VCPU": {"total": 8, "max_unit": 4}}
    write(
        api,
        item("host", inventories=stock, traits=[FAST], aggregates=[RACK]),
        item("cell", "host", inventories={"VCPU": {"total": 2}}, traits=[FAST, SAFE]),
        item("other", inventories=stock, aggregates=[RACK, ROW]),
        item("empty"),
    )
    api.allocate({uuid_of("host"): {"VCPU": 3}, uuid_of("cell"): {"VCPU": 1}})


def test_everything_of_a_provider_is_what_its_own_paths_say(api: Api, cloud: None) -> None:
    made = read(api, {"include": EVERYTHING})
    assert made.keys() == {"host", "cell", "other", "empty"}
    for provider in made.values():
        path = f"/resource_providers/{provider['uuid']}"
        shown = api.get(path)
        for field in ("uuid", "name", "generation", "parent_provider_uuid", "root_provider_uuid"):
            assert provider[field] == shown[field]
        for part in ("inventories", "usages", "traits"):
            assert provider[part] == api.get(f"{path}/{part}")[part]
        assert sorted(provider["aggregates"]) == sorted(api.get(f"{path}/aggregates")["aggregates"])


@pytest.mark.parametrize("include", ["inventories", "usages", "traits", "aggregates", "traits,usages", ""])
def test_only_what_is_asked_for_is_included(api: Api, cloud: None, include: str) -> None:
    plain = {"uuid", "name", "generation", "parent_provider_uuid", "root_provider_uuid"}
    expected = plain | {part for part in include.split(",") if part}
    assert all(provider.keys() == expected for provider in read(api, {"include": include}).values())


def test_what_to_include_may_be_said_in_several_parameters(api: Api, cloud: None) -> None:
    assert read(api, {"include": ["traits", "usages"]}) == read(api, {"include": "traits,usages"})


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, {"host", "cell", "other", "empty"}),
        ({"name": "host"}, {"host"}),
        ({"name": "nobody"}, set()),
        ({"uuid": uuid_of("cell")}, {"cell"}),
        ({"in_tree": uuid_of("cell")}, {"host", "cell"}),
        ({"in_tree": str(uuid4())}, set()),
        ({"member_of": RACK}, {"host", "other"}),
        ({"member_of": [RACK, ROW]}, {"other"}),
        ({"member_of": f"in:{RACK},{ROW}"}, {"host", "other"}),
        ({"member_of": f"!{ROW}"}, {"host", "cell", "empty"}),
        ({"required": FAST}, {"host", "cell"}),
        ({"required": f"{FAST},!{SAFE}"}, {"host"}),
        ({"required": f"in:{FAST},{SAFE}"}, {"host", "cell"}),
        ({"resources": "VCPU:2"}, {"host", "other"}),
        ({"resources": "VCPU:1", "required": FAST, "member_of": RACK}, {"host"}),
        ({"resources": "VCPU:5"}, set()),
    ],
)
def test_filters_are_those_of_the_list(api: Api, cloud: None, query: dict[str, object], names: set[str]) -> None:
    assert read(api, query).keys() == names
    listed = api.get("/resource_providers", query)["resource_providers"]
    assert {provider["name"] for provider in listed} == names


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"include": "everything"}, "everything"),
        ({"resources": "CUSTOM_NOTHING:1"}, "CUSTOM_NOTHING"),
        ({"required": "CUSTOM_NOTHING"}, "CUSTOM_NOTHING"),
        ({"member_of": "rack"}, "rack"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_bad_query_is_refused(api: Api, query: dict[str, object], said: str) -> None:
    reply = api.send("GET", PATH, query=query)
    assert reply.status == 400
    assert said in reply.detail
