"""Random histories of the ledger, compared step by step with a model of its rules, and with its own books."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import Engine, create_engine, select

from moorage.placement.store.tables import inventories, metadata, resource_classes, resource_providers
from tests.placement.books import mistakes
from tests.placement.ledger_model import Claim, Holdings, Inventory, Ledger, Reshaping
from tests.placement.rest import NEWEST, Api
from tests.placement.rows import Rows, read_rows
from tests.properties import effort

pytestmark = pytest.mark.every_database

PROVIDERS = ("north", "east", "south", "west")
CONSUMERS = ("ann", "bob", "eve")
CLASSES = ("VCPU", "DISK_GB")
TRAITS = ("HW_CPU_X86_AVX", "HW_CPU_X86_AVX2")
AGGREGATES = ("rack1", "rack2")
UNKNOWN_CLASS, UNKNOWN_TRAIT = "CUSTOM_NOBODY_KNOWS", "CUSTOM_NOBODY_HAS"

providers = st.sampled_from(PROVIDERS)
consumers = st.sampled_from(CONSUMERS)
parents = st.sampled_from([None, *PROVIDERS])
# One in many is wrong, so that most histories get somewhere.
classes = st.sampled_from([*CLASSES * 8, UNKNOWN_CLASS])
traits = st.frozensets(st.sampled_from([*TRAITS * 8, UNKNOWN_TRAIT]))
stale = st.sampled_from([0] * 9 + [1, -1])

amounts = st.dictionaries(st.tuples(providers, classes), st.integers(1, 6), max_size=3)
offers = st.builds(
    Inventory,
    total=st.integers(4, 12),
    reserved=st.sampled_from([0, 0, 1, 4]),
    min_unit=st.sampled_from([1, 1, 1, 2]),
    max_unit=st.sampled_from([12, 12, 3]),
    step_size=st.sampled_from([1, 1, 1, 2]),
    allocation_ratio=st.sampled_from([1.0, 1.0, 2.0, 0.5]),
)
stocks = st.dictionaries(classes, offers, max_size=2)


class LedgerMachine(RuleBasedStateMachine):
    """Every history happens in a part of the ledger of its own: its names stand for fresh UUIDs."""

    def __init__(self, api: Api, engine: Engine) -> None:
        super().__init__()
        self.api = api
        self.engine = engine
        self.ids = {name: str(uuid4()) for name in (*PROVIDERS, *CONSUMERS, *AGGREGATES)}
        self.model = Ledger(frozenset(CLASSES), frozenset(TRAITS))
        self.rows = read_rows(engine)

    # --- providers and trees

    @initialize(offer=offers)
    def begin_with_two_providers(self, offer: Inventory) -> None:
        for name in PROVIDERS[:2]:
            self.create_provider(name, None)
            self.put_inventories(name, 0, dict.fromkeys(CLASSES, offer))

    @rule(name=providers, parent=parents)
    def create_provider(self, name: str, parent: str | None) -> None:
        body = {"name": self.ids[name], "uuid": self.ids[name], "parent_provider_uuid": self.id_of(parent)}
        expected = 400 if parent == name else self.model.create_provider(name, parent)
        self.write("POST", "/resource_providers", body, expected)

    @rule(name=providers, parent=parents, version=st.sampled_from(["1.36", "1.37", "1.39"]))
    def move_provider(self, name: str, parent: str | None, version: str) -> None:
        body = {"name": self.ids[name], "parent_provider_uuid": self.id_of(parent)}
        self.write("PUT", self.path(name), body, self.model.move_provider(name, parent, version), version)

    @rule(name=providers)
    def delete_provider(self, name: str) -> None:
        self.write("DELETE", self.path(name), None, self.model.delete_provider(name))

    # --- what providers have

    @rule(name=providers, stale=stale, wanted=stocks)
    def put_inventories(self, name: str, stale: int, wanted: Mapping[str, Inventory]) -> None:
        generation = self.generation(name) + stale
        body = {"inventories": rendered(wanted), "resource_provider_generation": generation}
        expected = self.model.put_inventories(name, generation, wanted)
        self.write("PUT", self.path(name, "inventories"), body, expected)

    @rule(name=providers, resource_class=classes, offer=offers)
    def post_inventory(self, name: str, resource_class: str, offer: Inventory) -> None:
        body = {"resource_class": resource_class, **asdict(offer)}
        expected = self.model.post_inventory(name, resource_class, offer)
        self.write("POST", self.path(name, "inventories"), body, expected)

    @rule(name=providers, stale=stale, resource_class=classes, offer=offers)
    def put_inventory(self, name: str, stale: int, resource_class: str, offer: Inventory) -> None:
        generation = self.generation(name) + stale
        body = {"resource_provider_generation": generation, **asdict(offer)}
        expected = self.model.put_inventory(name, generation, resource_class, offer)
        self.write("PUT", self.path(name, f"inventories/{resource_class}"), body, expected)

    @rule(name=providers, resource_class=classes)
    def delete_inventory(self, name: str, resource_class: str) -> None:
        expected = self.model.delete_inventory(name, resource_class)
        self.write("DELETE", self.path(name, f"inventories/{resource_class}"), None, expected)

    @rule(name=providers, stale=stale, wanted=traits)
    def put_traits(self, name: str, stale: int, wanted: frozenset[str]) -> None:
        generation = self.generation(name) + stale
        body = {"traits": sorted(wanted), "resource_provider_generation": generation}
        self.write("PUT", self.path(name, "traits"), body, self.model.put_traits(name, generation, wanted))

    @rule(name=providers, stale=stale, wanted=st.frozensets(st.sampled_from(AGGREGATES)))
    def put_aggregates(self, name: str, stale: int, wanted: frozenset[str]) -> None:
        generation = self.generation(name) + stale
        uuids = [self.ids[aggregate] for aggregate in sorted(wanted)]
        body = {"aggregates": uuids, "resource_provider_generation": generation}
        expected = self.model.put_aggregates(name, generation, wanted)
        self.write("PUT", self.path(name, "aggregates"), body, expected)

    @rule(name=providers, wanted=st.frozensets(st.sampled_from(AGGREGATES)))
    def put_aggregates_without_a_generation(self, name: str, wanted: frozenset[str]) -> None:
        uuids = [self.ids[aggregate] for aggregate in sorted(wanted)]
        expected = self.model.put_aggregates(name, None, wanted)
        self.write("PUT", self.path(name, "aggregates"), uuids, expected, "1.18")

    # --- who holds what

    @rule(consumer=consumers, wanted=amounts, stale=stale, version=st.sampled_from(["1.12", "1.28", "1.38"]))
    def put_allocations(self, consumer: str, wanted: Holdings, stale: int, version: str) -> None:
        claim = self.claim(consumer, wanted, stale, version)
        # Giving everything back by PUT came with generations.
        refused_by_schema = not wanted and not claim.has_generation
        expected = 400 if refused_by_schema else self.model.claim({consumer: claim})
        self.write("PUT", f"/allocations/{self.ids[consumer]}", self.claim_body(claim), expected, version)

    @rule(
        wanted=st.dictionaries(consumers, amounts, min_size=1),
        stale=stale,
        version=st.sampled_from(["1.13", "1.28", "1.38"]),
    )
    def post_allocations(self, wanted: Mapping[str, Holdings], stale: int, version: str) -> None:
        self.post_claims({name: self.claim(name, held, stale, version) for name, held in wanted.items()}, version)

    @rule(giver=consumers, taker=consumers, version=st.sampled_from(["1.13", "1.28", "1.38"]))
    def move_allocations(self, giver: str, taker: str, version: str) -> None:
        """Like a migration: what one consumer holds is held by another one, in one request."""
        if giver == taker:
            return
        held = self.model.consumers[giver].held if giver in self.model.consumers else {}
        wanted: dict[str, Holdings] = {giver: {}, taker: held}
        self.post_claims({name: self.claim(name, held, 0, version) for name, held in wanted.items()}, version)

    @rule(consumer=consumers)
    def delete_allocations(self, consumer: str) -> None:
        self.write("DELETE", f"/allocations/{self.ids[consumer]}", None, self.model.release(consumer))

    @rule(
        offered=st.dictionaries(providers, stocks, min_size=1, max_size=2),
        wanted=st.dictionaries(consumers, amounts, max_size=2),
        stale=stale,
        version=st.sampled_from(["1.30", "1.38"]),
    )
    def reshape(
        self, offered: Mapping[str, Mapping[str, Inventory]], wanted: Mapping[str, Holdings], stale: int, version: str
    ) -> None:
        self.post_reshape(offered, wanted, stale, version)

    @rule(source=providers, heir=providers, resource_class=st.sampled_from(CLASSES))
    def reshape_a_class_to_another_provider(self, source: str, heir: str, resource_class: str) -> None:
        """What a reshape is for: an inventory moves to another provider, and all that is held of it moves along."""
        known = self.model.providers
        if source == heir or source not in known or heir not in known:
            return
        if resource_class not in known[source].inventories or resource_class in known[heir].inventories:
            return
        left = {name: offer for name, offer in known[source].inventories.items() if name != resource_class}
        gained = {**known[heir].inventories, resource_class: known[source].inventories[resource_class]}
        moved = {(source, resource_class): (heir, resource_class)}
        wanted = {
            name: {moved.get(slot, slot): amount for slot, amount in consumer.held.items()}
            for name, consumer in self.model.consumers.items()
        }
        self.post_reshape({source: left, heir: gained}, wanted, 0, NEWEST)

    # --- sending

    def post_claims(self, claims: Mapping[str, Claim], version: str) -> None:
        body = {self.ids[name]: self.claim_body(claim) for name, claim in claims.items()}
        self.write("POST", "/allocations", body, self.model.claim(claims), version)

    def post_reshape(
        self, offered: Mapping[str, Mapping[str, Inventory]], wanted: Mapping[str, Holdings], stale: int, version: str
    ) -> None:
        claims = {name: self.claim(name, held, 0, version) for name, held in wanted.items()}
        reshapings = {name: Reshaping(self.generation(name) + stale, stock) for name, stock in offered.items()}
        body = {
            "inventories": {
                self.ids[name]: {
                    "inventories": rendered(new.inventories),
                    "resource_provider_generation": new.generation,
                }
                for name, new in reshapings.items()
            },
            "allocations": {self.ids[name]: self.claim_body(claim) for name, claim in claims.items()},
        }
        expected = self.model.reshape(reshapings, claims)
        self.write("POST", "/reshaper", body, expected, version)

    def claim(self, consumer: str, wanted: Holdings, stale: int, version: str) -> Claim:
        known = self.model.consumers.get(consumer)
        generation = known.generation if known else None
        if stale:
            generation = (generation or 0) + stale
        return Claim(wanted, "INSTANCE" if version >= "1.38" else None, version >= "1.28", generation)

    def claim_body(self, claim: Claim) -> dict[str, Any]:
        by_provider: dict[str, dict[str, dict[str, int]]] = {}
        for (provider, resource_class), amount in claim.wanted.items():
            by_provider.setdefault(self.ids[provider], {"resources": {}})["resources"][resource_class] = amount
        body: dict[str, Any] = {"allocations": by_provider, "project_id": "project", "user_id": "user"}
        if claim.has_generation:
            body["consumer_generation"] = claim.generation
        if claim.consumer_type:
            body["consumer_type"] = claim.consumer_type
        return body

    def write(self, method: str, path: str, body: object, expected: int, version: str = NEWEST) -> None:
        """Send a write; a refused one leaves no trace, and a committed one tells of every provider it touched."""
        reply = self.api.at(version).send(method, path, body)
        assert reply.status == expected, reply.content.decode()
        rows = read_rows(self.engine)
        if expected >= 400:
            assert self.rows.differences(rows) == {}
        assert touched_providers(self.rows, rows) <= announced_providers(self.rows, rows)
        self.rows = rows

    def path(self, provider: str, below: str = "") -> str:
        return f"/resource_providers/{self.ids[provider]}{'/' if below else ''}{below}"

    def id_of(self, name: str | None) -> str | None:
        return None if name is None else self.ids[name]

    def generation(self, provider: str) -> int:
        return self.model.providers[provider].generation if provider in self.model.providers else 0

    # --- comparing

    @invariant()
    def providers_are_as_the_model_says(self) -> None:
        usage = self.model.usage()
        for name in PROVIDERS:
            reply = self.api.send("GET", self.path(name))
            assert reply.status == (200 if name in self.model.providers else 404)
            if name in self.model.providers:
                provider = self.model.providers[name]
                shown = reply.json
                assert shown["generation"] == provider.generation
                assert shown["parent_provider_uuid"] == self.id_of(provider.parent)
                assert shown["root_provider_uuid"] == self.ids[self.model.root_of(name)]
                assert self.api.get(self.path(name, "usages"))["usages"] == {
                    resource_class: usage[name, resource_class] for resource_class in provider.inventories
                }

    @invariant()
    def consumers_are_as_the_model_says(self) -> None:
        names = {self.ids[name]: name for name in PROVIDERS}
        for name in CONSUMERS:
            shown = self.api.get(f"/allocations/{self.ids[name]}")
            held = {
                (names[uuid], resource_class): amount
                for uuid, allocation in shown["allocations"].items()
                for resource_class, amount in allocation["resources"].items()
            }
            consumer = self.model.consumers.get(name)
            assert held == (consumer.held if consumer else {})
            if consumer:
                assert shown["consumer_generation"] == consumer.generation
                assert shown["consumer_type"] == (consumer.consumer_type or "unknown")

    @invariant()
    def the_books_are_in_order(self) -> None:
        with self.engine.connect() as connection:
            assert mistakes(connection) == []
            overfull = connection.execute(
                select(resource_providers.c.uuid, resource_classes.c.name)
                .join(inventories, inventories.c.resource_provider_id == resource_providers.c.id)
                .join(resource_classes, inventories.c.resource_class_id == resource_classes.c.id)
                .where(inventories.c.used > inventories.c.capacity, resource_providers.c.uuid.in_(self.ids.values()))
            )
            shrunk = {(self.ids[provider], resource_class) for provider, resource_class in self.model.shrunk}
            assert {tuple(row) for row in overfull} == shrunk

    def teardown(self) -> None:
        """What does not change often is compared once, at the end."""
        for name, provider in self.model.providers.items():
            assert self.api.get(self.path(name, "inventories"))["inventories"] == rendered(provider.inventories)
            assert set(self.api.get(self.path(name, "traits"))["traits"]) == provider.traits
            uuids = {self.ids[aggregate] for aggregate in provider.aggregates}
            assert set(self.api.get(self.path(name, "aggregates"))["aggregates"]) == uuids


def rendered(inventories: Mapping[str, Inventory]) -> dict[str, dict[str, float]]:
    return {resource_class: asdict(inventory) for resource_class, inventory in inventories.items()}


def touched_providers(before: Rows, after: Rows) -> set[int]:
    """The numbers of the providers with which anything happened."""
    touched = {row[0] for row in before.changed_in("resource_providers", after)}
    for table in ("inventories", "provider_traits", "provider_aggregates", "allocations"):
        column = list(metadata.tables[table].columns.keys()).index("resource_provider_id")
        touched |= {row[column] for row in before.changed_in(table, after)}
    return touched


def announced_providers(before: Rows, after: Rows) -> set[int]:
    """The numbers of the providers that the change feed tells about: of all they are, or of what is used of them."""
    new = after.tables["changes"] - before.tables["changes"]
    return {key for _, kind, key, *_ in new if kind in ("provider", "usage")}


@pytest.fixture
def engine(empty_database: str) -> Iterator[Engine]:
    made = create_engine(empty_database)
    yield made
    made.dispose()


def test_the_ledger_follows_its_rules(api: Api, engine: Engine) -> None:
    class Machine(LedgerMachine):
        def __init__(self) -> None:
            super().__init__(api, engine)

    examples = 6 if engine.dialect.name == "sqlite" else 3
    run_state_machine_as_test(Machine, settings=effort(examples, steps=25))
