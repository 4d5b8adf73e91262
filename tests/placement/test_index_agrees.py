"""While several processes write everything there is to write, the indexes of all others say what the tables say."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from moorage.db.database import Database
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.records import Record
from moorage.placement.index.search import Order, search
from moorage.placement.index_sync import IndexSync
from moorage.placement.model.query import CandidateQuery, RequestGroup
from moorage.placement.store import view
from tests.placement.books import mistakes
from tests.placement.crew import PATIENCE_SECONDS, Hand, together
from tests.placement.rest import Api, Reply, allocation_body

pytestmark = pytest.mark.every_database

WRITERS, READERS = 4, 4
# Each hand works for so long, and longer where the machine is so busy that it has not done this much by then.
LEAST_WRITES, LEAST_COMPARISONS = 13, 3
SECONDS = {"sqlite": 4.0, "postgresql": 8.0, "mariadb": 8.0}

HOSTS = [str(UUID(int=0x100 + number)) for number in range(14)]
CONSUMERS = [str(UUID(int=0x200 + number)) for number in range(10)]
AGGREGATES = [str(UUID(int=0x300 + number)) for number in range(3)]
CLASSES = ("VCPU", "MEMORY_MB", "CUSTOM_GOLD")
TRAITS = ("HW_CPU_X86_AVX", "MISC_SHARES_VIA_AGGREGATE", "CUSTOM_FAST")
EVERYTHING = {"include": "inventories,usages,traits,aggregates"}


# --- writing

Write = Callable[[Api, random.Random], Reply]


def _some(chance: random.Random, items: list[str] | tuple[str, ...]) -> list[str]:
    return chance.sample(items, chance.randint(0, len(items)))


def _inventories(chance: random.Random) -> dict[str, dict[str, int]]:
    return {name: {"total": chance.randint(4, 20)} for name in _some(chance, CLASSES)}


def _generation(api: Api, uuid: str) -> int:
    reply = api.send("GET", f"/resource_providers/{uuid}")
    return int(reply.json["generation"]) if reply.status == 200 else 0


def create(api: Api, chance: random.Random) -> Reply:
    uuid, parent = chance.choice(HOSTS), chance.choice([None, *HOSTS])
    return api.send(
        "POST", "/resource_providers", {"name": f"n{uuid[-3:]}", "uuid": uuid, "parent_provider_uuid": parent}
    )


def change(api: Api, chance: random.Random) -> Reply:
    uuid, parent = chance.choice(HOSTS), chance.choice([None, *HOSTS])
    name = f"{chance.choice('mn')}{uuid[-3:]}"
    return api.send("PUT", f"/resource_providers/{uuid}", {"name": name, "parent_provider_uuid": parent})


def remove(api: Api, chance: random.Random) -> Reply:
    return api.send("DELETE", f"/resource_providers/{chance.choice(HOSTS)}")


def furnish(api: Api, chance: random.Random) -> Reply:
    """Replace inventories, traits or aggregates."""
    uuid = chance.choice(HOSTS)
    kind, content = chance.choice(
        [
            ("inventories", _inventories(chance)),
            ("traits", _some(chance, TRAITS)),
            ("aggregates", _some(chance, AGGREGATES)),
        ]
    )
    body = {kind: content, "resource_provider_generation": _generation(api, uuid)}
    return api.send("PUT", f"/resource_providers/{uuid}/{kind}", body)


def allocate(api: Api, chance: random.Random) -> Reply:
    consumer = chance.choice(CONSUMERS)
    held = api.get(f"/allocations/{consumer}")
    amounts = {
        uuid: {chance.choice(CLASSES): chance.randint(1, 3)} for uuid in chance.sample(HOSTS, chance.randint(1, 2))
    }
    return api.send("PUT", f"/allocations/{consumer}", allocation_body(amounts, held.get("consumer_generation")))


def allocate_many(api: Api, chance: random.Random) -> Reply:
    body = {}
    for consumer in chance.sample(CONSUMERS, 2):
        held = api.get(f"/allocations/{consumer}")
        amounts = {chance.choice(HOSTS): {"VCPU": 1}} if chance.random() < 0.7 else {}
        body[consumer] = allocation_body(amounts, held.get("consumer_generation"))
    return api.send("POST", "/allocations", body)


def release(api: Api, chance: random.Random) -> Reply:
    return api.send("DELETE", f"/allocations/{chance.choice(CONSUMERS)}")


def claim(api: Api, chance: random.Random) -> Reply:
    owner = {"project_id": "project", "user_id": "user", "consumer_type": "INSTANCE"}
    consumer = chance.choice(CONSUMERS)
    strategy = chance.choice(["spread", "pack"])
    body = {"query": "resources=VCPU:1", "consumer_uuid": consumer, "strategy": strategy, **owner}
    return api.send("POST", "/moorage/claims", body)


def write_many(api: Api, chance: random.Random) -> Reply:
    items = [
        {
            "uuid": uuid,
            "name": f"n{uuid[-3:]}",
            "parent_provider_uuid": chance.choice([None, chance.choice(HOSTS)]),
            "traits": _some(chance, TRAITS),
            "inventories": _inventories(chance),
        }
        for uuid in chance.sample(HOSTS, 4)
    ]
    return api.send("POST", "/moorage/providers", {"providers": items})


def reshape(api: Api, chance: random.Random) -> Reply:
    uuid = chance.choice(HOSTS)
    inventories = {uuid: {"inventories": _inventories(chance), "resource_provider_generation": _generation(api, uuid)}}
    return api.send("POST", "/reshaper", {"inventories": inventories, "allocations": {}})


def make_name(api: Api, chance: random.Random) -> Reply:
    kind = chance.choice(["traits", "resource_classes"])
    return api.send(chance.choice(["PUT", "DELETE"]), f"/{kind}/CUSTOM_{chance.randrange(3)}")


WRITES: Mapping[Write, int] = {
    create: 4,
    change: 3,
    remove: 2,
    furnish: 6,
    allocate: 6,
    allocate_many: 2,
    release: 2,
    claim: 3,
    write_many: 1,
    reshape: 1,
    make_name: 1,
}


# --- what the index and the tables say


def told(record: Record) -> dict[str, Any]:
    """A provider as GET /moorage/providers tells it, inventories in short."""
    provider = record.provider
    return {
        "uuid": provider.uuid,
        "name": provider.name,
        "generation": provider.generation,
        "parent_provider_uuid": provider.parent_uuid,
        "root_provider_uuid": provider.root_uuid,
        "inventories": {name: stock.inventory.total for name, stock in record.stocks.items()},
        "usages": {name: stock.used for name, stock in record.stocks.items()},
        "traits": list(record.traits),
        "aggregates": list(record.aggregates),
    }


def answered(api: Api) -> dict[str, dict[str, Any]]:
    """What a worker's index says of every provider."""
    providers = api.get("/moorage/providers", EVERYTHING)["providers"]
    for provider in providers:
        provider["inventories"] = {name: fields["total"] for name, fields in provider["inventories"].items()}
    return {provider["uuid"]: provider for provider in providers}


def stored(database: Database) -> dict[str, dict[str, Any]]:
    """What the tables say of every provider."""
    return {record.provider.uuid: told(record) for record in database.read(view.all_records)}


def compare_answers(api: Api, database: Database) -> list[str]:
    """A provider that was the same before and after an answer must be in it just so.

    Revisions never come back to what they were, so equal records say that nothing happened in between.
    """
    before = {record.provider.uuid: record for record in database.read(view.all_records)}
    answer = answered(api)
    summaries = api.get("/allocation_candidates", {"resources": "VCPU:1"})["provider_summaries"]
    after = {record.provider.uuid: record for record in database.read(view.all_records)}
    wrong = []
    for uuid, record in before.items():
        if after.get(uuid) != record:
            continue
        if answer.get(uuid) != told(record):
            wrong.append(f"{uuid} is {told(record)} and the index says {answer.get(uuid)}")
        shown = {name: figures["used"] for name, figures in summaries.get(uuid, {}).get("resources", {}).items()}
        if uuid in summaries and shown != told(record)["usages"]:
            wrong.append(f"{uuid} is used {told(record)['usages']} and candidates say {shown}")
    return wrong


def compare_in_one_snapshot(index_sync: IndexSync, database: Database) -> list[str]:
    """An index that follows the feed within a snapshot must be what the snapshot holds."""
    index_sync.current()

    def compare(connection: Any) -> list[str]:
        index_sync._follow(connection)
        known = {record.provider.id: record for record in index_sync._cloud.all_records()}
        there = {record.provider.id: record for record in view.all_records(connection)}
        return [
            f"{there.get(key)} is known as {known.get(key)}"
            for key in known.keys() | there.keys()
            if known.get(key) != there.get(key)
        ]

    return database.read(compare)


# --- all at once


class Task(NamedTuple):
    url: str
    seconds: float
    seed: int
    reads: bool


class Report(NamedTuple):
    requests: int
    failures: list[str]
    never: list[str]
    comparisons: int
    wrong: list[str]
    at_the_end: dict[str, dict[str, Any]]
    candidates: list[str]


QUERY = CandidateQuery((RequestGroup("", {"VCPU": 1}), RequestGroup("1", {"MEMORY_MB": 1})))


def candidates_of(cloud: Cloud) -> list[str]:
    choices = search(cloud, QUERY, Order()).choices
    return sorted(" ".join(cloud.record(slot).provider.uuid for slot in choice) for choice in choices)


def candidates_answered(api: Api) -> list[str]:
    query = {"resources": "VCPU:1", "resources1": "MEMORY_MB:1"}
    found = api.get("/allocation_candidates", query)["allocation_requests"]
    return sorted(" ".join([*item["mappings"][""], *item["mappings"]["1"]]) for item in found)


def work(hand: Hand, task: Task) -> Report:
    chance = random.Random(task.seed)
    database = Database(task.url)
    index_sync = IndexSync(database)
    requests = comparisons = 0
    failures: list[str] = []
    wrong: list[str] = []
    # Many writes are refused, as chance has it. For each kind there is a writer that goes on until one has succeeded.
    due = [] if task.reads else list(WRITES)[task.seed :: WRITERS]
    least = LEAST_COMPARISONS if task.reads else LEAST_WRITES
    began = time.monotonic()
    while (passed := time.monotonic() - began) < task.seconds or (
        (due or requests + comparisons < least) and passed < PATIENCE_SECONDS / 2
    ):
        if task.reads:
            comparisons += 1
            wrong += compare_answers(hand.api, database)
            wrong += compare_in_one_snapshot(index_sync, database)
            time.sleep(chance.random() * 0.05)
        else:
            weights = [weight + 5 * (write in due) for write, weight in WRITES.items()]
            (write,) = chance.choices(list(WRITES), weights)
            reply = write(hand.api, chance)
            requests += 1
            if reply.status < 300 and write in due:
                due.remove(write)
            if reply.status >= 500:
                failures.append(f"{write.__name__}: {reply.status} {reply.content.decode()}")
    hand.wait_for_all()
    never = [write.__name__ for write in due]
    report = Report(
        requests, failures, never, comparisons, wrong[:5], answered(hand.api), candidates_answered(hand.api)
    )
    database.dispose()
    return report


def test_indexes_and_tables_agree_at_every_moment_and_in_the_end(empty_database: str, api: Api) -> None:
    for kind, name in (("resource_classes", "CUSTOM_GOLD"), ("traits", "CUSTOM_FAST")):
        api.put(f"/{kind}/{name}")
    inventories = {name: {"total": 20} for name in CLASSES}
    providers = [{"uuid": uuid, "name": f"n{uuid[-3:]}", "inventories": inventories} for uuid in HOSTS]
    api.post("/moorage/providers", {"providers": providers})
    database = Database(empty_database)
    seconds = SECONDS[database.dialect]
    tasks = [Task(empty_database, seconds, seed, seed >= WRITERS) for seed in range(WRITERS + READERS)]
    reports = together(empty_database, work, tasks)

    assert [failure for report in reports for failure in report.failures] == []
    assert [write for report in reports for write in report.never] == []  # refused every time
    assert [mistake for report in reports for mistake in report.wrong] == []
    assert sum(report.requests for report in reports) >= WRITERS * LEAST_WRITES
    assert sum(report.comparisons for report in reports) >= READERS * LEAST_COMPARISONS
    end = stored(database)
    made_anew = candidates_of(IndexSync(database).current())
    for report in reports:
        assert report.at_the_end == end
        assert report.candidates == made_anew
    assert answered(api) == end
    assert database.read(mistakes) == []
    database.dispose()
