"""Requests about the same many providers at the same moment, and claims between them: each is done whole, or not."""

from __future__ import annotations

import random
from typing import Any
from uuid import uuid4

import pytest

from moorage.db.database import Database
from tests.placement.books import mistakes
from tests.placement.bulk import PATH, gone, item, read, uuid_of, write
from tests.placement.crew import Hand, together
from tests.placement.rest import Api, allocation_body

pytestmark = pytest.mark.every_database

HANDS = 8
ROUNDS = 5
NAMES = [f"node-{number}" for number in range(12)]
STOCK = {"VCPU": {"total": 100}}


def shuffled(seed: int) -> list[str]:
    """The names in an order of one's own, so that locks taken in the order of the request would lock each other out."""
    return random.Random(seed).sample(NAMES, len(NAMES))


def take_over(hand: Hand, number: int) -> list[int]:
    """Claim all nodes for a host of one's own, knowing them as they were before the round; the statuses."""
    statuses = []
    for generation in range(ROUNDS):
        hand.wait_for_all()
        origin = {"host": f"cn{number}-{generation}", "made": True}
        items = [item(name, generation=generation, origin=origin) for name in shuffled(number)]
        statuses.append(hand.api.send("POST", PATH, {"providers": items}).status)
    return statuses


def test_one_agent_takes_providers_over_and_the_others_learn_of_it(empty_database: str, api: Api) -> None:
    write(api, *(item(name) for name in NAMES))
    for statuses in zip(*together(empty_database, take_over, range(HANDS)), strict=True):
        assert sorted(statuses) == [200] + [409] * (HANDS - 1)
    found = read(api, {"include": "origin"})
    assert {provider["generation"] for provider in found.values()} == {ROUNDS}
    assert len({provider["origin"]["host"] for provider in found.values()}) == 1


def make_the_same(hand: Hand, number: int) -> list[int]:
    """Write the same new providers, with names that nobody has made yet; the statuses."""
    statuses = []
    for turn in range(ROUNDS):
        hand.wait_for_all()
        stock = {f"CUSTOM_CLASS_{turn}": {"total": 1}}
        items = [
            item(f"{turn} {name}", inventories=stock, traits=[f"CUSTOM_{turn}"], origin={"host": "cn1"})
            for name in shuffled(number)
        ]
        statuses.append(hand.api.send("POST", PATH, {"providers": items, "create_names": True}).status)
    return statuses


def test_the_same_providers_and_names_are_made_once(empty_database: str, api: Api, database: Database) -> None:
    for statuses in together(empty_database, make_the_same, range(HANDS)):
        assert statuses == [200] * ROUNDS
    found = read(api, {"include": "inventories,traits,origin"})
    assert len(found) == ROUNDS * len(NAMES)
    assert {provider["generation"] for provider in found.values()} == {0}
    assert database.read(mistakes) == []


def quarrel(hand: Hand, number: int) -> list[int]:
    """Claim, take inventories away, give them back, remove and make again, all on the same nodes; the statuses."""
    chance = random.Random(number)
    statuses = []
    for _ in range(ROUNDS * 4):
        names = chance.sample(NAMES, 4)
        if number % 2:
            body: Any = allocation_body({uuid_of(names[0]): {"VCPU": 1}})
            statuses.append(hand.api.send("PUT", f"/allocations/{uuid4()}", body).status)
            continue
        items = [
            item(name, inventories=chance.choice([STOCK, STOCK, STOCK, {}]), origin={"host": f"cn{number}"})
            for name in names
        ]
        doomed = [gone(name) for name in names[:2]] if chance.random() < 0.3 else []
        body = {"providers": items[len(doomed) :], "delete": doomed}
        statuses.append(hand.api.send("POST", PATH, body).status)
    return statuses


def test_claims_and_changes_of_many_leave_the_books_right(empty_database: str, api: Api, database: Database) -> None:
    write(api, *(item(name, inventories=STOCK) for name in NAMES))
    statuses = {status for by_hand in together(empty_database, quarrel, range(HANDS)) for status in by_hand}
    assert statuses <= {200, 204, 400, 409}
    assert {200, 204} <= statuses
    assert database.read(mistakes) == []
