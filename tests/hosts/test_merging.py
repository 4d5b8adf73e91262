"""Records of files put on top of what a host has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.hosts.adoption import HostProviders, adopt
from moorage.hosts.desired import desired
from moorage.hosts.drivers.driver import NativeProviders
from moorage.hosts.merging import Absent, Conflict, Duplicate, Merged, merge
from moorage.hosts.provider_config.records import COMPUTE_NODE, Record
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.inventory import Inventory
from tests.hosts.random_trees import records, trees
from tests.properties import effort

LLC = {"CUSTOM_LLC": Inventory(22, 2, 1, 11)}
P_STATE = frozenset({"CUSTOM_P_STATE_ENABLED"})

ONE = Provider("1", "one", None, {"VCPU": Inventory(8)}, frozenset({"HW_FAST"}), frozenset({"rack"}))
TWO = Provider("2", "two", None, {"VCPU": Inventory(4)})
GPU = Provider("g", "one-gpu", "1", {"CUSTOM_GPU": Inventory(1)})
GUEST = Provider("r", "reservation", "1", {"CUSTOM_SLOT": Inventory(1)}, frozenset({"CUSTOM_THEIRS"}))
HOST = HostProviders(ProviderTree([ONE, TWO, GPU, GUEST]), frozenset({"1", "2", "g"}), frozenset({"1", "2"}), "static")


def by_uuid(uuid: str, inventories: dict[str, Inventory], traits: Iterable[str] = (), line: int = 4) -> Record:
    return Record(uuid, None, inventories, frozenset(traits), "10-a.yaml", line)


def by_name(name: str, inventories: dict[str, Inventory], traits: Iterable[str] = (), line: int = 7) -> Record:
    return Record(None, name, inventories, frozenset(traits), "20-b.yaml", line)


def trouble(merged: Merged) -> list[str]:
    found: list[Conflict | Duplicate | Absent] = [*merged.conflicts, *merged.duplicates, *merged.absent]
    return [item.message for item in found]


def test_a_record_for_every_compute_node() -> None:
    merged = merge(HOST, [by_uuid(COMPUTE_NODE, LLC, P_STATE)])
    for node in (ONE, TWO):
        assert merged.tree[node.uuid].inventories == {**node.inventories, **LLC}
        assert merged.tree[node.uuid].traits == node.traits | P_STATE
        assert merged.tree[node.uuid].aggregates == node.aggregates
    assert merged.tree["g"] is GPU
    assert merged.tree["r"] is GUEST
    assert not trouble(merged)


def test_sources_say_where_each_value_came_from() -> None:
    merged = merge(HOST, [by_uuid(COMPUTE_NODE, LLC, {"CUSTOM_RED", "HW_FAST"})])
    assert merged.sources["1"].inventories == {"VCPU": "driver:static", "CUSTOM_LLC": "file:10-a.yaml"}
    # What the driver reports is the driver's, whoever else names it.
    assert merged.sources["1"].traits == {"HW_FAST": "driver:static", "CUSTOM_RED": "file:10-a.yaml"}
    assert merged.sources["1"].aggregates == {"rack": "driver:static"}
    assert merged.sources["g"].inventories == {"CUSTOM_GPU": "driver:static"}
    assert "r" not in merged.sources


@pytest.mark.parametrize("explicit", [by_uuid("1", {}, {"CUSTOM_RED"}), by_name("one", {}, {"CUSTOM_RED"})])
def test_a_node_that_is_named_gets_nothing_of_what_is_for_every_node(explicit: Record) -> None:
    merged = merge(HOST, [by_uuid(COMPUTE_NODE, LLC, P_STATE), explicit])
    assert merged.tree["1"].inventories == ONE.inventories
    assert merged.tree["1"].traits == ONE.traits | {"CUSTOM_RED"}
    assert merged.tree["2"].inventories == {**TWO.inventories, **LLC}
    assert not trouble(merged)


def test_any_provider_can_be_named() -> None:
    merged = merge(HOST, [by_name("one-gpu", LLC), by_uuid("r", {}, P_STATE)])
    assert merged.tree["g"].inventories == {**GPU.inventories, **LLC}
    assert merged.tree["r"].traits == GUEST.traits | P_STATE
    assert merged.sources["r"].traits == {"CUSTOM_P_STATE_ENABLED": "file:10-a.yaml"}
    assert not merged.sources["r"].inventories


def test_a_class_that_the_host_reports_is_a_conflict_and_the_rest_goes_on() -> None:
    record = by_name("one-gpu", {"CUSTOM_GPU": Inventory(1), **LLC}, P_STATE)
    merged = merge(HOST, [record])
    assert merged.conflicts == (Conflict(record, GPU, "CUSTOM_GPU", native=True),)
    assert merged.tree["g"].inventories == {**GPU.inventories, **LLC}
    assert merged.tree["g"].traits == P_STATE
    assert trouble(merged) == [
        (
            "20-b.yaml, line 7: the host itself reports CUSTOM_GPU of the provider 'one-gpu' (g); "
            "take it out of the file, or choose another class."
        ),
    ]


def test_a_class_for_every_node_is_a_conflict_on_those_that_report_it() -> None:
    host = replace(HOST, tree=HOST.tree.with_providers([replace(TWO, inventories=LLC)]))
    record = by_uuid(COMPUTE_NODE, LLC)
    merged = merge(host, [record])
    assert merged.conflicts == (Conflict(record, replace(TWO, inventories=LLC), "CUSTOM_LLC", native=True),)
    assert merged.tree["1"].inventories == {**ONE.inventories, **LLC}


def test_a_class_that_others_gave_to_their_own_provider_is_a_conflict_unless_it_is_the_same() -> None:
    same = merge(HOST, [by_uuid("r", {"CUSTOM_SLOT": Inventory(1)})])
    assert not trouble(same)
    assert "CUSTOM_SLOT" not in same.sources["r"].inventories
    merged = merge(HOST, [by_uuid("r", {"CUSTOM_SLOT": Inventory(2)})])
    assert merged.tree["r"] == GUEST
    assert trouble(merged) == [
        (
            "10-a.yaml, line 4: somebody else has set CUSTOM_SLOT of the provider 'reservation' (r); "
            "take it out of the file, or choose another class."
        ),
    ]


def test_a_provider_by_uuid_and_by_name_is_a_duplicate_and_the_uuid_wins() -> None:
    name, uuid = replace(by_name("one", LLC), file="00-first.yaml"), by_uuid("1", {}, P_STATE)
    for order in ([name, uuid], [uuid, name]):
        merged = merge(HOST, order)
        assert merged.duplicates == (Duplicate(uuid, name, ONE),)
        assert merged.tree["1"].inventories == ONE.inventories
        assert merged.tree["1"].traits == ONE.traits | P_STATE
    assert trouble(merged) == [
        (
            "00-first.yaml, line 7: 'one' is the provider 'one' (1), for which there is a record already "
            "('1' in 10-a.yaml, line 4); put both into one record."
        ),
    ]


def test_two_records_for_every_node_are_duplicates() -> None:
    first, second = by_uuid(COMPUTE_NODE, LLC, line=3), by_uuid(COMPUTE_NODE, {}, P_STATE, line=9)
    merged = merge(HOST, [second, first])
    assert merged.duplicates == (Duplicate(first, second, None),)
    assert merged.tree["2"].inventories == {**TWO.inventories, **LLC}
    assert trouble(merged) == [
        (
            "10-a.yaml, line 9: '$COMPUTE_NODE' is every compute node, for which there is a record already "
            "('$COMPUTE_NODE' in 10-a.yaml, line 3); put both into one record."
        ),
    ]


def test_a_provider_that_is_not_there_is_told() -> None:
    name, uuid = by_name("three", LLC), by_uuid("3", LLC)
    merged = merge(HOST, [name, uuid])
    assert merged.absent == (Absent(uuid), Absent(name))
    assert merged.tree == HOST.tree
    assert trouble(merged) == [
        (
            "10-a.yaml, line 4: this host has no provider with the UUID 3; "
            "correct the file, or leave it if the provider is yet to come."
        ),
        (
            "20-b.yaml, line 7: this host has no provider named 'three'; "
            "correct the file, or leave it if the provider is yet to come."
        ),
    ]


def hosts() -> st.SearchStrategy[HostProviders]:
    def host(tree: ProviderTree, reported: frozenset[str]) -> HostProviders:
        native = frozenset(p.uuid for p in tree if tree.root_of(p.uuid).uuid in reported or p.parent_uuid is None)
        return HostProviders(tree, native, frozenset(root.uuid for root in tree.roots()), "static")

    return st.builds(host, trees(), st.frozensets(st.sampled_from(["u1", "u2", "u3"])))


@effort(60)
@given(hosts(), records(), st.data())
def test_the_order_of_records_does_not_matter_nor_does_reading_one_twice(
    host: HostProviders, asked: list[Record], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(asked + asked[:2]))
    assert merge(host, shuffled) == merge(host, asked)


@effort(60)
@given(hosts(), records())
def test_merging_only_adds_and_only_what_a_record_asks_for(host: HostProviders, asked: list[Record]) -> None:
    merged = merge(host, asked)
    assert {p.uuid for p in merged.tree} == {p.uuid for p in host.tree}
    for provider in merged.tree:
        before = host.tree[provider.uuid]
        wanted = [
            record
            for record in asked
            if record.identification in (provider.uuid, provider.name)
            or (record.uuid == COMPUTE_NODE and provider.uuid in host.nodes)
        ]
        assert before.inventories.items() <= provider.inventories.items()
        assert before.traits <= provider.traits <= before.traits.union(*(record.traits for record in wanted))
        assert (provider.name, provider.parent_uuid, provider.aggregates) == (
            before.name,
            before.parent_uuid,
            before.aggregates,
        )
        for name in provider.inventories.keys() - before.inventories.keys():
            assert any(record.inventories.get(name) == provider.inventories[name] for record in wanted)
        sources = merged.sources.get(provider.uuid)
        if provider.uuid in host.native:
            assert sources is not None
            assert sources.inventories.keys() == provider.inventories.keys()
            assert sources.traits.keys() == provider.traits
            assert sources.aggregates.keys() == provider.aggregates


@effort(60)
@given(trees(), trees(), records())
def test_merging_again_with_what_merging_gave_gives_the_same(
    native: ProviderTree, observed: ProviderTree, asked: list[Record]
) -> None:
    """What files added is taken off before it is put on again, so that it is no conflict with itself."""
    reported = NativeProviders(native, frozenset(root.uuid for root in native.roots()))
    first = merge(adopt(reported, observed, {}, "here", "static"), asked)
    wanted = desired(observed, {}, first, "here")
    assert merge(adopt(reported, wanted.tree, wanted.origins, "here", "static"), asked) == first


def test_a_name_that_nobody_has_may_be_a_uuid() -> None:
    merged = merge(HOST, [by_name("G", {}, P_STATE)])
    assert merged.tree["g"].traits == P_STATE
    assert not trouble(merged)
