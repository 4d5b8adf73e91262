"""Requests that cannot all succeed, sent at the same moment: as many succeed as one after the other would."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple
from uuid import UUID, uuid4

import pytest

from moorage.db.database import Database
from tests.placement.books import mistakes
from tests.placement.crew import Hand, together
from tests.placement.rest import NEWEST, PROJECT, USER, Api, allocation_body

pytestmark = pytest.mark.every_database

HANDS = 8
ROUNDS = 6


class Request(NamedTuple):
    method: str
    path: str
    body: object = None
    version: str = NEWEST


def send_in_step(hand: Hand, requests: Sequence[Request]) -> list[int]:
    """Send one request after the other, each at the same moment as the other hands send theirs; the statuses."""
    statuses = []
    for request in requests:
        api = hand.api.at(request.version)
        hand.wait_for_all()
        statuses.append(api.send(request.method, request.path, request.body).status)
    return statuses


def race(url: str, rounds: Sequence[Sequence[Request]]) -> list[list[int]]:
    """The statuses of each round's requests, which were sent at the same moment."""
    by_hand = together(url, send_in_step, list(zip(*rounds, strict=True)))
    return [list(statuses) for statuses in zip(*by_hand, strict=True)]


# --- the same thing, made several times

HOST = str(UUID(int=1))
CAPACITY = 100


def make_host(api: Api) -> None:
    api.post("/resource_providers", {"name": "host", "uuid": HOST})
    api.put(
        f"/resource_providers/{HOST}/inventories",
        {"inventories": {"VCPU": {"total": CAPACITY}}, "resource_provider_generation": 0},
    )


def same_provider_name(number: int) -> Request:
    return Request("POST", "/resource_providers", {"name": f"host-{number}", "uuid": str(uuid4())})


def same_provider_uuid(number: int) -> Request:
    return Request("POST", "/resource_providers", {"name": str(uuid4()), "uuid": str(UUID(int=100 + number))})


def same_trait(number: int) -> Request:
    return Request("PUT", f"/traits/CUSTOM_{number}")


def same_resource_class(number: int) -> Request:
    return Request("PUT", f"/resource_classes/CUSTOM_{number}")


def same_new_resource_class(number: int) -> Request:
    return Request("POST", "/resource_classes", {"name": f"CUSTOM_{number}"})


def same_new_consumer(number: int) -> Request:
    return Request("PUT", f"/allocations/{UUID(int=200 + number)}", allocation_body({HOST: {"VCPU": 1}}))


@pytest.mark.parametrize(
    ("request_of_round", "first", "others"),
    [
        (same_provider_name, 200, 409),
        (same_provider_uuid, 200, 409),
        (same_trait, 201, 204),
        (same_resource_class, 201, 204),
        (same_new_resource_class, 201, 409),
        (same_new_consumer, 204, 409),
    ],
)
def test_one_is_first_and_the_others_find_it_done(
    empty_database: str,
    database: Database,
    api: Api,
    request_of_round: Callable[[int], Request],
    first: int,
    others: int,
) -> None:
    make_host(api)
    rounds = [[request_of_round(number) for _ in range(HANDS)] for number in range(ROUNDS)]
    for statuses in race(empty_database, rounds):
        assert sorted(statuses) == sorted([first] + [others] * (HANDS - 1))
    assert database.read(mistakes) == []


def whatever_is_there(consumer: str, amount: int) -> Request:
    """A claim from before microversion 1.28, which does not say what it knows of the consumer."""
    allocations = {HOST: {"resources": {"VCPU": amount}}}
    body = {"allocations": allocations, "project_id": PROJECT, "user_id": USER}
    return Request("PUT", f"/allocations/{consumer}", body, "1.27")


def test_old_claims_of_the_same_new_consumer_are_each_judged(empty_database: str, database: Database, api: Api) -> None:
    make_host(api)
    # Whoever is first, each of the others replaces what it finds.
    amounts, answers = [1, CAPACITY + 1] * (HANDS // 2), [204, 409] * (HANDS // 2)
    consumers = [str(UUID(int=300 + number)) for number in range(ROUNDS)]
    rounds = [[whatever_is_there(consumer, amount) for amount in amounts] for consumer in consumers]
    for statuses in race(empty_database, rounds):
        assert statuses == answers
    for consumer in consumers:
        assert api.get(f"/allocations/{consumer}")["allocations"][HOST]["resources"] == {"VCPU": 1}
    assert database.read(mistakes) == []


# --- trees


def under(parent: str | None, provider: str) -> Request:
    return Request("PUT", f"/resource_providers/{provider}", {"name": provider, "parent_provider_uuid": parent})


@pytest.mark.parametrize("size", [2, 3])
def test_moves_that_would_make_a_circle_together_do_not(
    empty_database: str, database: Database, api: Api, size: int
) -> None:
    circles = [[api.create_provider(str(uuid4())) for _ in range(size)] for _ in range(ROUNDS)]
    rounds = [[under(circle[number - 1], circle[number]) for number in range(size)] for circle in circles]
    for statuses in race(empty_database, rounds):
        assert sorted(statuses) == [200] * (size - 1) + [400]
    assert database.read(mistakes) == []


def test_children_of_a_provider_that_moves_come_along(empty_database: str, database: Database, api: Api) -> None:
    east, west = (api.create_provider(name) for name in ("east", "west"))
    top = api.create_provider("top", parent=east)
    middle = api.create_provider("middle", parent=top)

    def child(parent: str) -> Request:
        return Request("POST", "/resource_providers", {"name": str(uuid4()), "parent_provider_uuid": parent})

    rounds = [
        [under((west, east)[number % 2], top), *(child(parent) for parent in (top, middle) * 3)]
        for number in range(ROUNDS)
    ]
    for statuses in race(empty_database, rounds):
        assert statuses == [200] * 7
    assert database.read(mistakes) == []
    tree = api.get("/resource_providers", {"in_tree": east})["resource_providers"]
    assert len(tree) == 3 + 6 * ROUNDS


# --- removing what somebody begins to use


def new_provider(api: Api) -> str:
    return api.create_provider(str(uuid4()), {"VCPU": 8})


def new_custom_name(api: Api, kind: str) -> str:
    name = f"CUSTOM_{uuid4().hex.upper()}"
    api.put(f"/{kind}/{name}")
    return name


def claim_on(provider: str) -> Request:
    return Request("PUT", f"/allocations/{uuid4()}", allocation_body({provider: {"VCPU": 1}}))


def provider_and_child(api: Api) -> list[Request]:
    uuid = new_provider(api)
    child = {"name": str(uuid4()), "parent_provider_uuid": uuid}
    return [Request("DELETE", f"/resource_providers/{uuid}"), Request("POST", "/resource_providers", child)]


def provider_and_claim(api: Api) -> list[Request]:
    uuid = new_provider(api)
    return [Request("DELETE", f"/resource_providers/{uuid}"), claim_on(uuid)]


def inventory_and_claim(api: Api) -> list[Request]:
    uuid = new_provider(api)
    return [Request("DELETE", f"/resource_providers/{uuid}/inventories/VCPU"), claim_on(uuid)]


def trait_and_provider(api: Api) -> list[Request]:
    uuid, name = new_provider(api), new_custom_name(api, "traits")
    body = {"traits": [name], "resource_provider_generation": 1}
    return [Request("DELETE", f"/traits/{name}"), Request("PUT", f"/resource_providers/{uuid}/traits", body)]


def resource_class_and_inventory(api: Api) -> list[Request]:
    uuid, name = new_provider(api), new_custom_name(api, "resource_classes")
    body = {"inventories": {name: {"total": 1}}, "resource_provider_generation": 1}
    path = f"/resource_providers/{uuid}/inventories"
    return [Request("DELETE", f"/resource_classes/{name}"), Request("PUT", path, body)]


@pytest.mark.parametrize(
    ("removal_and_use", "removed", "used"),
    [
        (provider_and_child, [204, 400], [409, 200]),
        (provider_and_claim, [204, 400], [409, 204]),
        (inventory_and_claim, [204, 409], [409, 204]),
        (trait_and_provider, [204, 400], [409, 200]),
        (resource_class_and_inventory, [204, 400], [409, 200]),
    ],
)
def test_a_thing_is_either_removed_or_used(
    empty_database: str,
    database: Database,
    api: Api,
    removal_and_use: Callable[[Api], list[Request]],
    removed: list[int],
    used: list[int],
) -> None:
    for statuses in race(empty_database, [removal_and_use(api) for _ in range(ROUNDS)]):
        assert statuses in (removed, used)
    assert database.read(mistakes) == []
