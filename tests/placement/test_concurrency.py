"""Many clients of many processes write to few providers at once: the books stay right, and nobody is refused wrongly.

`pytest -rP` shows how many requests of each kind were answered how, and how fast.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import uuid4

import pytest

from moorage.db.database import Database
from tests.placement.books import mistakes, oversold
from tests.placement.crew import PATIENCE_SECONDS, Hand, together
from tests.placement.rest import Amounts, Api, Reply, allocation_body

pytestmark = pytest.mark.every_database

HANDS = 8

NO_ROOM = "409 placement.undefined_code"
CHANGED_MEANWHILE = "409 placement.concurrent_update"

Note = Callable[[str, object], None]


@pytest.fixture
def database(empty_database: str) -> Iterator[Database]:
    """For the auditor, beside the applications."""
    database = Database(empty_database)
    yield database
    database.dispose()


def outcome(reply: Reply) -> str:
    """A status, and the code that tells errors of one status apart."""
    return f"{reply.status} {reply.json['errors'][0]['code']}" if reply.status >= 400 else str(reply.status)


def report(note: Note, title: str, seconds: float, outcomes: Counter[str]) -> None:
    counts = ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items()))
    figures = f"{outcomes.total() / seconds:.0f} per second: {counts}"
    note(title, figures)
    print(f"{title}: {figures}")  # noqa: T201 - what -rP shows


# --- claims alone


class Share(NamedTuple):
    """What one hand claims, one after the other, each for a consumer of its own."""

    providers: Sequence[str]
    amount: int


class Claimed(NamedTuple):
    outcomes: Counter[str]
    seconds: float


def claim_all(hand: Hand, share: Share) -> Claimed:
    began = time.perf_counter()
    outcomes: Counter[str] = Counter()
    for provider in share.providers:
        body = allocation_body({provider: {"VCPU": share.amount}})
        outcomes[outcome(hand.api.send("PUT", f"/allocations/{uuid4()}", body))] += 1
    return Claimed(outcomes, time.perf_counter() - began)


def test_claims_by_different_consumers_succeed_exactly_while_there_is_room(
    empty_database: str, database: Database, api: Api, record_property: Note
) -> None:
    claims_of_each_hand, amount = 20, 3
    capacity = HANDS * claims_of_each_hand * amount
    providers = [api.create_provider(name, {"VCPU": capacity}) for name in ("east", "west")]

    fitting = together(empty_database, claim_all, [Share(providers * claims_of_each_hand, amount)] * HANDS)
    outcomes = sum((claimed.outcomes for claimed in fitting), Counter[str]())
    report(record_property, "claims", max(claimed.seconds for claimed in fitting), outcomes)
    assert outcomes == {"204": len(providers) * capacity // amount}

    too_many = together(empty_database, claim_all, [Share(providers, amount)] * HANDS)
    assert sum((claimed.outcomes for claimed in too_many), Counter[str]()) == {NO_ROOM: len(providers) * HANDS}
    for provider in providers:
        assert api.get(f"/resource_providers/{provider}/usages")["usages"] == {"VCPU": capacity}
    assert database.read(mistakes) == []


# --- everything at once


class Cloud(NamedTuple):
    """What the clients write to."""

    roots: Sequence[str]
    children: Sequence[str]
    shared_consumers: Sequence[str]

    @property
    def providers(self) -> Sequence[str]:
        return [*self.roots, *self.children]


@dataclass
class Client:
    """Does this and that as the API wants it done, on consumers of its own and on shared ones."""

    api: Api
    cloud: Cloud
    random: random.Random
    outcomes: Counter[str] = field(default_factory=Counter)
    # Generations and amounts.
    own_consumers: dict[str, tuple[int, Amounts]] = field(default_factory=dict)

    def act(self) -> None:
        actions = [self.claim, self.contend, self.resize, self.set_traits, self.set_aggregates, self.reparent]
        if self.own_consumers:
            actions += [self.claim, self.replace, self.hand_over, self.release]
        self.random.choice(actions)()

    def send(self, action: str, method: str, path: str, body: object = None) -> str:
        answered = outcome(self.api.send(method, path, body))
        self.outcomes[f"{action} {answered}"] += 1
        return answered

    # Consumers

    def claim(self) -> None:
        uuid, amounts = str(uuid4()), self.some_amounts()
        if self.send("claim", "PUT", f"/allocations/{uuid}", allocation_body(amounts)) == "204":
            self.own_consumers[uuid] = 1, amounts

    def replace(self) -> None:
        uuid, generation, _ = self.some_own_consumer()
        amounts = self.some_amounts()
        if self.send("replace", "PUT", f"/allocations/{uuid}", allocation_body(amounts, generation)) == "204":
            self.own_consumers[uuid] = generation + 1, amounts

    def hand_over(self) -> None:
        """As in a migration: from now on another consumer holds what this one held, without room for both."""
        uuid, generation, amounts = self.some_own_consumer()
        successor = str(uuid4())
        body = {uuid: allocation_body({}, generation), successor: allocation_body(amounts)}
        self.send("hand over", "POST", "/allocations", body)
        del self.own_consumers[uuid]
        self.own_consumers[successor] = 1, amounts

    def release(self) -> None:
        uuid, _, _ = self.some_own_consumer()
        self.send("release", "DELETE", f"/allocations/{uuid}")
        del self.own_consumers[uuid]

    def contend(self) -> None:
        uuid = self.random.choice(self.cloud.shared_consumers)
        generation = self.api.get(f"/allocations/{uuid}").get("consumer_generation")
        self.send("contend", "PUT", f"/allocations/{uuid}", allocation_body(self.some_amounts(), generation))

    def some_own_consumer(self) -> tuple[str, int, Amounts]:
        uuid = self.random.choice(list(self.own_consumers))
        return uuid, *self.own_consumers[uuid]

    def some_amounts(self) -> Amounts:
        providers = self.random.sample(self.cloud.providers, self.random.choice([1, 1, 2]))
        return {uuid: {"VCPU": self.random.randint(1, 4), "MEMORY_MB": 256} for uuid in providers}

    # Providers

    def resize(self) -> None:
        self.change_provider("resize", "inventories/MEMORY_MB", {"total": self.random.randint(1000, 9000)})

    def set_traits(self) -> None:
        self.change_provider(
            "traits", "traits", {"traits": self.random.sample(["HW_CPU_X86_AVX", "HW_CPU_X86_SSE"], 1)}
        )

    def set_aggregates(self) -> None:
        self.change_provider("aggregates", "aggregates", {"aggregates": [str(uuid4())]})

    def change_provider(self, action: str, part: str, content: dict[str, object]) -> None:
        """Read the generation, write with it, and begin again while others are faster."""
        path = f"/resource_providers/{self.random.choice(self.cloud.providers)}"
        answered = CHANGED_MEANWHILE
        while answered == CHANGED_MEANWHILE:
            known = {"resource_provider_generation": self.api.get(path)["generation"]}
            answered = self.send(action, "PUT", f"{path}/{part}", known | content)

    def reparent(self) -> None:
        child, root = self.random.choice(self.cloud.children), self.random.choice(self.cloud.roots)
        self.send("reparent", "PUT", f"/resource_providers/{child}", {"name": child, "parent_provider_uuid": root})


# All that may happen. A consumer that is one's own changes only by oneself, handing over and giving back needs no room,
# and VCPU are never made fewer.
POSSIBLE = {
    *("claim 204", f"claim {NO_ROOM}"),
    *("replace 204", f"replace {NO_ROOM}"),
    *("contend 204", f"contend {NO_ROOM}", f"contend {CHANGED_MEANWHILE}"),
    *("hand over 204", "release 204"),
    *("resize 200", f"resize {CHANGED_MEANWHILE}"),
    *("traits 200", f"traits {CHANGED_MEANWHILE}"),
    *("aggregates 200", f"aggregates {CHANGED_MEANWHILE}"),
    "reparent 200",
}


SUCCESSES = sorted(kind for kind in POSSIBLE if not kind.partition(" 409")[1])


class Shift(NamedTuple):
    cloud: Cloud
    seed: int
    seconds: float


def work_shift(hand: Hand, shift: Shift) -> Counter[str]:
    client = Client(hand.api, shift.cloud, random.Random(shift.seed))
    # What each hand goes on for beyond its time, so that everything succeeds at least once.
    due = set(SUCCESSES[shift.seed :: HANDS])
    began = time.monotonic()
    while (passed := time.monotonic() - began) < shift.seconds or (
        due - client.outcomes.keys() and passed < PATIENCE_SECONDS
    ):
        client.act()
    return client.outcomes


def test_the_books_are_right_at_every_moment(
    empty_database: str, database: Database, api: Api, record_property: Note
) -> None:
    stock = {"VCPU": 40, "MEMORY_MB": 8000}
    roots = [api.create_provider(name, stock) for name in ("east", "west", "north")]
    children = [api.create_provider(name, stock, parent=roots[0]) for name in ("numa0", "numa1")]
    cloud = Cloud(roots, children, [str(uuid4()) for _ in range(3)])
    seconds = 6.0

    audits = 0
    with ThreadPoolExecutor() as threads:
        shifts = [Shift(cloud, seed, seconds) for seed in range(HANDS)]
        working = threads.submit(together, empty_database, work_shift, shifts)
        while not working.done():
            assert database.read(mistakes) == []
            assert database.read(lambda connection: oversold(connection, "VCPU")) == []
            audits += 1
            time.sleep(0.1)
    assert database.read(mistakes) == []

    outcomes = sum(working.result(), Counter[str]())
    report(record_property, f"writes of all kinds, audited {audits} times", seconds, outcomes)
    assert set(outcomes) <= POSSIBLE
    assert outcomes.keys() >= set(SUCCESSES)
