"""Any history of changes leads to the cloud that its final records make, and old versions stay as they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.placement.index.cloud import Cloud, Directory, UsageChange, empty_cloud
from moorage.placement.index.columns import Slots
from moorage.placement.index.listing import matching_providers
from moorage.placement.index.records import Record
from moorage.placement.index.search import Order, search
from moorage.placement.index.topology import Topology
from moorage.placement.model.errors import ProviderNotFound
from moorage.placement.model.inventory import Inventory, Stock
from moorage.placement.model.provider import Name, Provider
from moorage.placement.model.query import AggregateFilter, CandidateQuery, ProviderFilter
from tests.placement.index.clouds import CLASSES, SHARING, TODAY, TRAITS, cloud_of, group, provider, told, traits
from tests.properties import effort

AGGREGATES = ("rack", "row")

QUERIES = (
    CandidateQuery((group(VCPU=1),)),
    CandidateQuery((group(VCPU=1, DISK_GB=2, required="FAST"),)),
    CandidateQuery((group(VCPU=1, forbidden="FAST", member_of="rack"),)),
    CandidateQuery((group(VCPU=2, not_member_of="row"),), root_traits=traits("SAFE")),
    CandidateQuery((group("1", VCPU=1), group("2", VCPU=2)), isolate=True),
    CandidateQuery((group("1", VCPU=1), group("2", DISK_GB=1)), same_subtrees=(frozenset({"1", "2"}),)),
)
FILTERS = (
    ProviderFilter(),
    ProviderFilter(resources={"VCPU": 2}),
    ProviderFilter(traits=traits("FAST", "SAFE")),
    ProviderFilter(aggregates=AggregateFilter((frozenset({"rack"}),), frozenset({"row"}))),
)


# --- a history


@st.composite
def contents(draw: st.DrawFn) -> dict[str, Any]:
    """All that a provider has."""
    amounts = st.integers(1, 4)
    stocks = st.builds(
        Stock, st.builds(Inventory, amounts, step_size=st.sampled_from([1, 1, 2])), st.just(0), st.just(TODAY)
    )
    return {
        "stocks": draw(st.dictionaries(st.sampled_from(CLASSES[:3]), stocks, max_size=2)),
        "traits": tuple(draw(st.lists(st.sampled_from([SHARING, "FAST", "SAFE"]), max_size=2, unique=True))),
        "aggregates": tuple(draw(st.lists(st.sampled_from(AGGREGATES), max_size=2, unique=True))),
    }


@dataclass
class World:
    """What the tables hold, and which providers were touched since somebody looked."""

    records: dict[int, Record] = field(default_factory=dict)
    touched: set[int] = field(default_factory=set)
    made: int = 0

    def add(self, parent_id: int | None, content: Mapping[str, Any]) -> None:
        self.made += 1
        parent = self.records.get(parent_id or 0)
        identity = Provider(
            self.made,
            f"uuid-{self.made}",
            f"name-{self.made}",
            0,
            parent.provider.uuid if parent else None,
            parent.provider.root_uuid if parent else f"uuid-{self.made}",
            TODAY,
        )
        self.put(Record(identity, 0, parent_id, parent.root_id if parent else self.made, **content))

    def put(self, record: Record) -> None:
        self.records[record.provider.id] = record
        self.touched.add(record.provider.id)

    def change(self, key: int, content: Mapping[str, Any]) -> None:
        self.put(replace(self.records[key], revision=self.records[key].revision + 1, **content))

    def swap_names(self, one: int, other: int) -> None:
        first, second = self.records[one], self.records[other]
        self.put(replace(first, provider=replace(first.provider, name=second.provider.name)))
        if one != other:
            self.put(replace(second, provider=replace(second.provider, name=first.provider.name)))

    def move(self, key: int, parent_id: int | None) -> None:
        """With everything below it."""
        parent = self.records.get(parent_id or 0)
        if key in self.path(parent_id):
            return
        root = self.records[parent.root_id if parent else key]
        below = [other for other in self.records if key in self.path(other)]
        for other in below:
            record = self.records[other]
            self.put(
                replace(
                    record, root_id=root.provider.id, provider=replace(record.provider, root_uuid=root.provider.uuid)
                )
            )
        moved = self.records[key]
        identity = replace(moved.provider, parent_uuid=parent.provider.uuid if parent else None)
        self.put(replace(moved, parent_id=parent_id, provider=identity))

    def path(self, key: int | None) -> list[int]:
        return [] if key is None else [key, *self.path(self.records[key].parent_id)]

    def remove(self, key: int) -> None:
        if not any(record.parent_id == key for record in self.records.values()):
            del self.records[key]
            self.touched.add(key)

    def use(self, key: int, amount: int) -> UsageChange:
        """A claim, as the feed tells it."""
        record = self.records[key]
        stocks = {name: replace(stock, used=amount) for name, stock in record.stocks.items()}
        identity = replace(record.provider, generation=record.provider.generation + 1)
        self.records[key] = replace(record, revision=record.revision + 1, stocks=stocks, provider=identity)
        return UsageChange(identity.generation, record.revision + 1, TODAY, dict.fromkeys(stocks, amount))

    def news(self) -> dict[int, Record | None]:
        touched, self.touched = self.touched, set()
        return {key: self.records.get(key) for key in touched}


def step(world: World, data: st.DataObject) -> None:
    """Change something about the providers."""
    anybody = st.sampled_from(sorted(world.records)) if world.records else st.nothing()
    kinds = ["add", "change", "swap", "move", "move", "remove"] if world.records else ["add"]
    match data.draw(st.sampled_from(kinds)):
        case "add":
            world.add(data.draw(st.none() | anybody), data.draw(contents()))
        case "change":
            world.change(data.draw(anybody), data.draw(contents()))
        case "swap":
            world.swap_names(data.draw(anybody), data.draw(anybody))
        case "move":
            world.move(data.draw(anybody), data.draw(st.none() | anybody))
        case _:
            world.remove(data.draw(anybody))


def versions(world: World, data: st.DataObject) -> Iterator[Cloud]:
    """Follow a world, a few changes at a time."""
    cloud = empty()
    for _ in range(data.draw(st.integers(1, 8))):
        for _ in range(data.draw(st.integers(1, 4))):
            step(world, data)
        cloud = cloud.with_providers(world.news())
        yield cloud
        if data.draw(st.booleans()) and world.records:
            keys = data.draw(st.sets(st.sampled_from(sorted(world.records)), max_size=2))
            cloud = cloud.with_usage({key: world.use(key, data.draw(st.integers(0, 3))) for key in keys})
            yield cloud


# --- what a cloud says


def empty() -> Cloud:
    def named(names: tuple[str, ...]) -> list[Name]:
        return [Name(number, name, TODAY) for number, name in enumerate(names)]

    return empty_cloud().with_names(named(CLASSES), named(TRAITS))


def picture(cloud: Cloud) -> dict[str, object]:
    """Everything there is to ask, in words that do not depend on slots."""
    topology = cloud.topology

    def names(slots: Any) -> set[str]:
        return {cloud.record(int(slot)).provider.uuid for slot in slots}

    living = [slot for slot in range(topology.size) if topology.alive[slot]]
    return {
        "records": {record.provider.id: record for record in cloud.all_records()},
        "living": names(living),
        "columns": {
            name: {
                cloud.record(row[0]).provider.uuid: row[1:]
                for row in zip(
                    *(
                        getattr(columns, part).tolist()
                        for part in ("slots", "capacity", "used", "min_unit", "step_size")
                    ),
                    strict=True,
                )
            }
            for name, columns in cloud.columns.items()
        },
        "lineages": {cloud.record(slot).provider.uuid: names(topology.lineage(slot)) for slot in living},
        "trees": {
            cloud.record(slot).provider.uuid: names(topology.tree(slot))
            for slot in living
            if topology.roots[slot] == slot
        },
        "traits": {name: names(members) for name, members in topology.trait_members.items()},
        "aggregates": {name: names(members) for name, members in topology.aggregate_members.items()},
        "sharing": {cloud.record(slot).provider.uuid: names(reached_by(topology, slot)) for slot in living},
        "flat": topology.is_flat,
        "candidates": [sorted(told(cloud, search(cloud, query, Order()))) for query in QUERIES],
        "lists": [{record.provider.uuid for record in matching_providers(cloud, wanted)} for wanted in FILTERS],
    }


def reached_by(topology: Topology, slot: int) -> Slots:
    """The roots of other trees that a provider shares with."""
    return np.flatnonzero(topology.sharing.reached(topology.mask(np.array([slot]))))


def found(cloud: Cloud, world: World) -> dict[str, Record | None]:
    """What look-ups by UUID and name lead to, for all providers that ever were."""
    slots = {f"uuid-{key}": cloud.slot_of(f"uuid-{key}") for key in range(1, world.made + 1)}
    slots |= {f"name-{key}": cloud.slot_named(f"name-{key}") for key in range(1, world.made + 1)}
    return {asked: None if slot is None else cloud.record(slot) for asked, slot in slots.items()}


@effort(30)
@given(st.data())
def test_any_history_leads_to_what_its_end_would_be_from_the_start(data: st.DataObject) -> None:
    world = World()
    for followed in versions(world, data):
        made_anew = empty().with_providers(dict(world.records))
        assert picture(followed) == picture(made_anew)
        assert found(followed, world) == found(made_anew, world)
        assert len(followed.records) == len(world.records) + len(followed.free)


@effort(20)
@given(st.data())
def test_old_versions_never_change(data: st.DataObject) -> None:
    world = World()
    taken = [(cloud, picture(cloud)) for cloud in versions(world, data)]
    for cloud, before in taken:
        assert picture(cloud) == before


@effort(20)
@given(st.data())
def test_an_old_version_never_takes_one_provider_for_another(data: st.DataObject) -> None:
    """It may miss one that is gone or renamed by now: look-ups are shared by all versions."""
    world = World()
    for cloud in list(versions(world, data)):
        for asked, record in found(cloud, world).items():
            assert record is None or asked in (record.provider.uuid, record.provider.name)


# --- examples


def test_slots_of_providers_that_are_gone_are_used_again() -> None:
    cloud = cloud_of(provider("one", VCPU=1), provider("two", VCPU=1))
    one = cloud.find("one")
    gone = cloud.with_providers({1: None})
    assert gone.free == (0,)
    with pytest.raises(ProviderNotFound):
        gone.find("one")
    again = gone.with_providers({3: replace(one, provider=replace(one.provider, id=3), root_id=3)})
    assert again.free == ()
    assert again.slot_of("one") == 0


def test_a_provider_that_is_gone_before_it_was_known_leaves_no_trace() -> None:
    cloud = cloud_of(provider("one", VCPU=1))
    assert picture(cloud.with_providers({99: None})) == picture(cloud)


def test_a_provider_can_be_found_while_it_is_being_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread may look at the version before at any moment."""
    cloud = cloud_of(provider("one", VCPU=1), provider("two", VCPU=1))
    seen = []

    def watched(change: Any) -> Any:
        def then_look(directory: Directory, *arguments: Any) -> None:
            change(directory, *arguments)
            seen.append([look(name) for look in (cloud.slot_of, cloud.slot_named) for name in ("one", "two")])

        return then_look

    for method in ("enter", "leave"):
        monkeypatch.setattr(Directory, method, watched(getattr(Directory, method)))
    cloud.with_providers({key: replace(cloud.record(key - 1), traits=("FAST",)) for key in (1, 2)})
    assert seen == [[0, 1, 0, 1]] * len(seen)


def test_what_is_known_of_trees_outlives_all_changes_that_leave_them_alone() -> None:
    before = cloud_of(provider("host", traits=["FAST"], aggregates=["rack"], VCPU=2).over(provider("cell", GPU=1)))
    host = before.find("host")
    inventories = replace(host, revision=1, stocks={"DISK_GB": Stock(Inventory(9), 0, TODAY)})
    after = before.with_providers({host.provider.id: inventories})
    assert after.topology is before.topology
    assert after.find("host") == inventories
    assert told(after, search(after, CandidateQuery((group(DISK_GB=1),)), Order())) == ["host DISK_GB:1"]


@pytest.mark.parametrize("change", [{"traits": ("SAFE",)}, {"aggregates": ("row",)}, {"parent_id": 1, "root_id": 1}])
def test_what_is_known_of_trees_is_found_out_anew_when_they_change(change: dict[str, Any]) -> None:
    before = cloud_of(provider("other"), provider("host", traits=["FAST"], aggregates=["rack"], VCPU=2))
    after = before.with_providers({2: replace(before.find("host"), **change)})
    assert after.topology is not before.topology
