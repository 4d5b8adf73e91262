"""POST /moorage/providers with `delete`: many providers go in one request, beside others that come and change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine

from tests.placement.bulk import PATH, gone, item, read, refused, uuid_of, write
from tests.placement.rest import Api, Reply
from tests.placement.rows import read_rows

FAST = "HW_CPU_X86_AVX"
RACK = uuid_of("rack")


@pytest.fixture
def engine(empty_database: str) -> Iterator[Engine]:
    engine = create_engine(empty_database)
    yield engine
    engine.dispose()


@pytest.fixture(autouse=True)
def _cloud(api: Api) -> None:
    stock = {"VCPU": {"total": 8}}
    write(
        api,
        item("host", inventories=stock, traits=[FAST], aggregates=[RACK], origin={"host": "cn1"}),
        item("cell", "host", inventories=stock),
        item("device", "cell"),
        item("other", inventories=stock),
    )


def delete(api: Api, *names: str) -> list[str]:
    """Delete providers and nothing else; those that were deleted."""
    deleted: list[str] = api.post(PATH, {"delete": [gone(name) for name in names]})["deleted"]
    return deleted


def conflicts(reply: Reply) -> dict[str, str]:
    """Codes by provider."""
    assert reply.status == 409
    return {entry["uuid"]: entry["code"] for entry in reply.json["errors"][0]["providers"]}


@pytest.mark.parametrize("names", [("host", "cell", "device"), ("device", "host", "cell")])
def test_a_tree_goes_with_all_it_has(api: Api, names: tuple[str, ...], engine: Engine) -> None:
    assert sorted(delete(api, *names)) == sorted(map(uuid_of, names))
    assert read(api).keys() == {"other"}
    left = read_rows(engine).tables
    assert {table: len(left[table]) for table in ("resource_providers", "inventories", "provider_origins")} == {
        "resource_providers": 1,
        "inventories": 1,
        "provider_origins": 0,
    }
    assert not left["provider_traits"] | left["provider_aggregates"]


def test_who_is_gone_already_is_passed_over(api: Api) -> None:
    assert delete(api, "other", "nobody") == [uuid_of("other")]
    assert delete(api, "other", "nobody") == []


def test_a_thousand_go_in_one_request(api: Api) -> None:
    names = [f"{number:04}" for number in range(1000)]
    write(api, *(item(name, "0000" if name != "0000" else None, traits=[FAST]) for name in names))
    assert len(delete(api, *names)) == 1000
    assert read(api).keys() == {"host", "cell", "device", "other"}


def test_whoever_has_children_that_stay_stays(api: Api, engine: Engine) -> None:
    before = read_rows(engine)
    reply = refused(api, item("new"), delete=[gone("host"), gone("cell"), gone("other")])
    assert conflicts(reply) == {uuid_of("cell"): "placement.resource_provider.cannot_delete_parent"}
    assert uuid_of("cell") in reply.detail
    assert before.differences(read_rows(engine)) == {}


def test_whoever_is_in_use_stays(api: Api, engine: Engine) -> None:
    api.allocate({uuid_of("other"): {"VCPU": 1}})
    before = read_rows(engine)
    reply = refused(api, item("new"), delete=[gone("other"), gone("device")])
    assert conflicts(reply) == {uuid_of("other"): "placement.resource_provider.inuse"}
    assert before.differences(read_rows(engine)) == {}


def test_whoever_changed_meanwhile_stays(api: Api, engine: Engine) -> None:
    before = read_rows(engine)
    reply = refused(api, delete=[gone("other", generation=3), gone("device", generation=0)])
    assert conflicts(reply) == {uuid_of("other"): "placement.concurrent_update"}
    assert before.differences(read_rows(engine)) == {}
    write(api, delete=[gone("other", generation=0)])
    assert "other" not in read(api)


def test_children_may_move_away_before(api: Api) -> None:
    write(api, item("device", "other"), delete=[gone("host"), gone("cell")])
    assert read(api).keys() == {"device", "other"}
    assert read(api)["device"]["root_provider_uuid"] == uuid_of("other")


@pytest.mark.parametrize("heir", ["new", "host"])
def test_a_name_goes_to_an_heir(api: Api, heir: str) -> None:
    write(api, item(heir) | {"name": "other"}, delete=[gone("other")])
    assert read(api)["other"]["uuid"] == uuid_of(heir)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"providers": [item("host", "other")], "delete": [gone("other")]}, "does not exist"),
        ({"providers": [item("new", "other")], "delete": [gone("other")]}, "does not exist"),
        ({"providers": [item("other")], "delete": [gone("other")]}, uuid_of("other")),
        ({"delete": [gone("other"), gone("other")]}, uuid_of("other")),
        ({"delete": []}, "nobody"),
        ({}, "nobody"),
        ({"delete": [uuid_of("other")]}, "object"),
        ({"delete": [{"uuid": "other"}]}, "'other' is not a 'uuid'"),
        ({"delete": [{"generation": 1}]}, "'uuid' is a required property"),
        ({"delete": [gone("other", colour="red")]}, "colour"),
        ({"delete": [gone("other", generation="0")]}, "'0' is not of type 'integer'"),
        ({"delete": None}, "None is not of type 'array'"),
        ({"delete": [gone("other")], "create_names": 1}, "1 is not of type 'boolean'"),
    ],
)
def test_a_request_with_a_mistake_changes_nothing(api: Api, engine: Engine, body: dict[str, Any], said: str) -> None:
    before = read_rows(engine)
    reply = api.send("POST", PATH, body)
    assert reply.status == 400
    assert said in reply.detail
    assert before.differences(read_rows(engine)) == {}
