"""Origins: what agents of hosts note down about providers, at a path of their own and in requests about many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine

from tests.placement.bulk import PATH, gone, item, read, refused, uuid_of, write
from tests.placement.rest import Api
from tests.placement.rows import read_rows

FAST = "HW_CPU_X86_AVX"
RACK = uuid_of("rack")
HOST = f"/resource_providers/{uuid_of('host')}"
ORIGIN = f"{PATH}/{uuid_of('host')}/origin"

NOTE: dict[str, Any] = {
    "host": "cn1",
    "made": True,
    "inventories": {"VCPU": "driver:linux", "CUSTOM_LLC": "file:10-cache.yaml"},
    "traits": {FAST: "driver:linux"},
    "aggregates": {RACK: "driver:linux"},
}
BARE: dict[str, Any] = {"host": "cn1", "made": False, "inventories": {}, "traits": {}, "aggregates": {}}


@pytest.fixture
def engine(empty_database: str) -> Iterator[Engine]:
    engine = create_engine(empty_database)
    yield engine
    engine.dispose()


@pytest.fixture(autouse=True)
def _cloud(api: Api) -> None:
    write(api, item("host", inventories={"VCPU": {"total": 8}}, traits=[FAST]), item("cell", "host"), item("other"))


def put(api: Api, generation: int = 0, **note: Any) -> int:
    """Leave a note with the host; its generation afterwards."""
    body = (note or NOTE) | {"resource_provider_generation": generation}
    number: int = api.put(ORIGIN, body)["resource_provider_generation"]
    return number


def generation_of(api: Api) -> int:
    number: int = api.get(HOST)["generation"]
    return number


def noted(api: Api, name: str = "host") -> Any:
    return read(api, {"include": "origin"})[name]["origin"]


# --- at its own path


class TestTheOriginOfAProvider:
    def test_is_given_back_as_it_was_left(self, api: Api) -> None:
        answer = api.put(ORIGIN, NOTE | {"resource_provider_generation": 0})
        assert answer == NOTE | {"resource_provider_generation": 1}
        assert api.get(ORIGIN) == answer

    def test_needs_no_more_than_a_host(self, api: Api) -> None:
        put(api, host="cn1")
        assert api.get(ORIGIN) == BARE | {"resource_provider_generation": 1}

    def test_is_replaced_as_a_whole(self, api: Api) -> None:
        put(api, put(api), host="cn1", traits={FAST: "file:b.yaml"})
        assert api.get(ORIGIN) == BARE | {"traits": {FAST: "file:b.yaml"}, "resource_provider_generation": 2}

    def test_is_not_there_before_somebody_leaves_it(self, api: Api) -> None:
        reply = api.send("GET", ORIGIN)
        assert reply.status == 404
        assert f"{uuid_of('host')} has no origin" in reply.detail

    def test_can_be_taken_away_as_often_as_one_likes(self, api: Api) -> None:
        put(api)
        for _ in range(2):
            api.delete(ORIGIN)
            assert api.send("GET", ORIGIN).status == 404
            assert generation_of(api) == 2

    @pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
    def test_of_nobody_is_not_found(self, api: Api, method: str) -> None:
        body = NOTE | {"resource_provider_generation": 0} if method == "PUT" else None
        reply = api.send(method, f"{PATH}/{uuid_of('nobody')}/origin", body)
        assert reply.status == 404
        assert uuid_of("nobody") in reply.detail

    def test_speaks_the_same_format_at_every_microversion(self, api: Api) -> None:
        put(api.at("1.0"))
        assert api.at("1.0").get(ORIGIN) == api.get(ORIGIN)

    def test_changes_nothing_that_the_provider_has(self, api: Api) -> None:
        everything = {"include": "inventories,usages,traits,aggregates"}
        before = read(api, everything)["host"]
        put(api)
        assert read(api, everything)["host"] == before | {"generation": 1}

    def test_knows_aggregates_in_every_spelling(self, api: Api) -> None:
        put(api, host="cn1", aggregates={RACK.upper().replace("-", ""): "driver:linux"})
        assert api.get(ORIGIN)["aggregates"] == {RACK: "driver:linux"}

    def test_may_be_long(self, api: Api) -> None:
        traits = {f"CUSTOM_{number:04}_{'A' * 243}": f"file:{'ü' * 200}" for number in range(5000)}
        put(api, host="ü" * 255, traits=traits)
        assert api.get(ORIGIN)["traits"] == traits

    @pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
    def test_is_guarded(self, api: Api, method: str) -> None:
        headers = {"x-auth-token": "somebody:project", "x-roles": "reader", "content-type": "application/json"}
        assert api.send_raw(method, ORIGIN, b"{}", headers=headers).status == 403


# --- who was first


def test_the_generation_moves_only_if_the_origin_changes(api: Api) -> None:
    assert put(api, 0) == 1
    assert put(api, 1) == 1
    assert put(api, 1, host="cn2") == 2
    assert generation_of(api) == 2


def test_an_agent_that_did_not_see_another_take_the_provider_over_is_refused(api: Api, engine: Engine) -> None:
    seen = put(api)
    put(api, seen, host="cn2")
    before = read_rows(engine)
    again = api.send("PUT", ORIGIN, NOTE | {"resource_provider_generation": seen})
    many = refused(api, item("host", traits=[], origin=NOTE, generation=seen))
    removal = refused(api, delete=[gone("host", generation=seen)])
    for reply in (again, many, removal):
        assert (reply.status, reply.json["errors"][0]["code"]) == (409, "placement.concurrent_update")
        assert f"{uuid_of('host')}: actual: 2, given: 1" in reply.detail
    assert before.differences(read_rows(engine)) == {}


def test_an_agent_that_did_not_see_the_provider_change_is_refused(api: Api) -> None:
    api.put(f"{HOST}/traits", {"traits": [], "resource_provider_generation": 0})
    assert api.send("PUT", ORIGIN, NOTE | {"resource_provider_generation": 0}).status == 409


# --- with the provider


def test_it_stays_whatever_becomes_of_the_provider(api: Api) -> None:
    generation = put(api)
    api.put(HOST, {"name": "renamed", "parent_provider_uuid": uuid_of("other")})
    api.put(f"{HOST}/inventories", {"inventories": {}, "resource_provider_generation": generation})
    api.put(f"{HOST}/traits", {"traits": [], "resource_provider_generation": generation + 1})
    write(api, item("host", inventories={"VCPU": {"total": 1}}, traits=[FAST]), item("cell"))
    api.allocate({uuid_of("host"): {"VCPU": 1}})
    assert api.get(ORIGIN) == NOTE | {"resource_provider_generation": generation_of(api)}


def test_it_goes_with_the_provider(api: Api, engine: Engine) -> None:
    write(api, item("cell", "host", origin=NOTE))
    api.delete(f"/resource_providers/{uuid_of('cell')}")
    assert read_rows(engine).tables["provider_origins"] == frozenset()
    write(api, item("cell", "host"))
    assert noted(api, "cell") is None


# --- in requests about many


class TestManyOrigins:
    def test_come_with_new_providers(self, api: Api) -> None:
        assert write(api, item("new", origin=NOTE), item("bare")) == {"new": 0, "bare": 0}
        assert (noted(api, "new"), noted(api, "bare")) == (NOTE, None)

    def test_come_to_known_providers_with_all_they_have(self, api: Api) -> None:
        stock = {"VCPU": {"total": 4}}
        assert write(api, item("host", inventories=stock, traits=[], aggregates=[RACK], origin=NOTE)) == {"host": 1}
        assert api.get(ORIGIN) == NOTE | {"resource_provider_generation": 1}

    def test_stay_if_they_are_not_mentioned(self, api: Api) -> None:
        put(api)
        assert write(api, item("host", inventories={})) == {"host": 2}
        assert noted(api) == NOTE

    def test_go_if_they_are_null(self, api: Api) -> None:
        put(api)
        assert write(api, item("host", origin=None), item("other", origin=None)) == {"host": 2, "other": 0}
        assert noted(api) is None

    def test_move_the_generation_only_if_they_change(self, api: Api) -> None:
        assert write(api, item("host", origin=NOTE)) == {"host": 1}
        assert write(api, item("host", origin=NOTE)) == {"host": 1}
        assert write(api, item("host", origin=BARE)) == {"host": 2}

    def test_are_not_written_if_anything_is_refused(self, api: Api, engine: Engine) -> None:
        api.allocate({uuid_of("host"): {"VCPU": 1}})
        before = read_rows(engine)
        assert refused(api, item("other", origin=NOTE), item("host", inventories={}, origin=NOTE)).status == 409
        assert before.differences(read_rows(engine)) == {}

    def test_are_written_and_read_by_the_thousand(self, api: Api) -> None:
        names = [f"{number:04}" for number in range(1200)]
        notes = {name: NOTE | {"host": f"cn{name[:2]}"} for name in names}
        write(api, *(item(name, origin=note) for name, note in notes.items()))
        found = read(api, {"include": "origin"})
        assert {name: found[name]["origin"] for name in names} == notes
        assert read(api, {"origin_host": "cn03"}).keys() == {name for name in names if name.startswith("03")}
        write(api, *(item(name, origin=BARE if name < "06" else None) for name in names))
        assert read(api, {"origin_host": "cn1"}).keys() == {name for name in names if name < "06"}


# --- finding


@pytest.fixture
def hosts(api: Api) -> None:
    write(
        api,
        item("host", origin=NOTE),
        item("cell", "host", traits=[FAST], origin=NOTE),
        item("other", origin={"host": "cn2"}),
        item("spelled", origin={"host": "CN1"}),
        item("spaced", origin={"host": "cn1 "}),
        item("foreign", "host"),
    )


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"origin_host": "cn1"}, {"host", "cell"}),
        ({"origin_host": "cn2"}, {"other"}),
        ({"origin_host": "CN1"}, {"spelled"}),
        ({"origin_host": "cn1 "}, {"spaced"}),
        ({"origin_host": "nobody"}, set()),
        ({"origin_host": "cn1", "required": FAST}, {"host", "cell"}),
        ({"origin_host": "cn1", "resources": "VCPU:1"}, {"host"}),
        ({"origin_host": "cn1", "name": "other"}, set()),
        ({"origin_host": "cn2", "in_tree": uuid_of("host")}, set()),
        ({"origin_host": "cn1", "in_tree": uuid_of("cell")}, {"host", "cell"}),
        ({"in_tree": uuid_of("cell")}, {"host", "cell", "foreign"}),
        ({"in_tree_of_host": "cn1"}, {"host", "cell", "foreign"}),
        ({"in_tree_of_host": "cn2"}, {"other"}),
        ({"in_tree_of_host": "nobody"}, set()),
        ({"in_tree_of_host": "cn1", "required": FAST}, {"host", "cell"}),
        ({"in_tree_of_host": "cn1", "origin_host": "cn1"}, {"host", "cell"}),
        ({"in_tree_of_host": "cn1", "origin_host": "cn2"}, set()),
    ],
)
def test_providers_are_found_by_the_host_that_keeps_them(
    api: Api, hosts: None, query: dict[str, object], names: set[str]
) -> None:
    assert read(api, query).keys() == names


def test_origins_are_shown_only_if_asked_for(api: Api, hosts: None) -> None:
    plain = {"uuid", "name", "generation", "parent_provider_uuid", "root_provider_uuid"}
    assert read(api, {"origin_host": "cn1"})["host"].keys() == plain
    assert read(api, {"include": "origin"})["host"].keys() == plain | {"origin"}


def test_standard_paths_know_nothing_of_origins(api: Api, hosts: None) -> None:
    assert {link["rel"] for link in api.get(HOST)["links"]} == {
        *("self", "inventories", "usages", "aggregates", "traits", "allocations")
    }
    assert api.send("GET", "/resource_providers", query={"origin_host": "cn1"}).status == 400


@pytest.mark.parametrize("parameter", ["origin_host", "in_tree_of_host"])
@pytest.mark.parametrize("host", ["", "a" * 256])
def test_a_host_that_cannot_be_is_refused(api: Api, parameter: str, host: str) -> None:
    reply = api.send("GET", PATH, query={parameter: host})
    assert reply.status == 400
    assert parameter in reply.detail


# --- what an origin may say


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"host": None}, ("None is not of type 'string'", "['host']")),
        ({"host": ""}, ("''", "['host']")),
        ({"host": "a" * 256}, ("is too long", "['host']")),
        ({"host": "a\0"}, ("NUL",)),
        ({"made": "yes"}, ("'yes' is not of type 'boolean'", "['made']")),
        ({"made": None}, ("None is not of type 'boolean'", "['made']")),
        ({"inventories": ["VCPU"]}, ("is not of type 'object'", "['inventories']")),
        ({"inventories": {"vcpu": "driver:linux"}}, ("'vcpu' does not match '^[A-Z0-9_]+$'", "['inventories']")),
        ({"inventories": {"A" * 256: "driver:linux"}}, ("is too long", "['inventories']")),
        ({"inventories": {"": "driver:linux"}}, ("'' does not match", "['inventories']")),
        ({"inventories": {"VCPU": "linux"}}, ("'linux' does not match '^(driver|file):", "['inventories']['VCPU']")),
        ({"inventories": {"VCPU": "file:"}}, ("'file:' does not match", "['inventories']['VCPU']")),
        ({"inventories": {"VCPU": f"file:{'a' * 201}"}}, ("does not match", "['inventories']['VCPU']")),
        ({"inventories": {"VCPU": "file:a\nb"}}, ("does not match", "['inventories']['VCPU']")),
        ({"inventories": {"VCPU": "file:a\n"}}, ("does not match", "file:a")),
        ({"inventories": {"VCPU": None}}, ("None is not of type 'string'", "['inventories']['VCPU']")),
        ({"traits": {"a b": "driver:linux"}}, ("'a b' does not match", "['traits']")),
        ({"traits": {f"CUSTOM_{n}": "driver:a" for n in range(5001)}}, ("has too many properties", "['traits']")),
        ({"aggregates": {"rack": "driver:linux"}}, ("'rack' is not a 'uuid'", "['aggregates']")),
        ({"aggregates": {"-" * 36: "driver:linux"}}, ("is not a 'uuid'", "['aggregates']")),
        ({"aggregates": {RACK: "rack"}}, ("'rack' does not match", f"['aggregates']['{RACK}']")),
        ({"colour": "red"}, ("'colour' was unexpected",)),
    ],
)
def test_a_wrong_origin_is_refused_and_told_why(
    api: Api, engine: Engine, wrong: dict[str, Any], said: tuple[str, ...]
) -> None:
    before = read_rows(engine)
    alone = api.send("PUT", ORIGIN, NOTE | wrong | {"resource_provider_generation": 0})
    for reply in (alone, refused(api, item("new"), item("host", origin=NOTE | wrong))):
        assert reply.status == 400
        assert all(text in reply.detail for text in said)
    assert before.differences(read_rows(engine)) == {}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (NOTE, "'resource_provider_generation' is a required property"),
        (NOTE | {"resource_provider_generation": None}, "None is not of type 'integer'"),
        ({"resource_provider_generation": 0}, "'host' is a required property"),
        ([], "[] is not of type 'object'"),
        (None, "Malformed JSON"),
    ],
)
def test_a_wrong_body_is_refused(api: Api, body: object, said: str) -> None:
    content = {"content-type": "application/json"}
    reply = api.send_raw("PUT", ORIGIN, b"", headers=content) if body is None else api.send("PUT", ORIGIN, body)
    assert reply.status == 400
    assert said in reply.detail
