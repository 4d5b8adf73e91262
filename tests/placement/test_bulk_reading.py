"""GET /moorage/providers: many providers with all they have in one answer."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from tests.placement.bulk import PATH, item, read, uuid_of, write
from tests.placement.rest import Api

EVERYTHING = "inventories,usages,traits,aggregates"
RACK, ROW = (str(UUID(int=number)) for number in (0xA, 0xB))
FAST, SAFE = "HW_CPU_X86_AVX", "HW_CPU_X86_SGX"


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
