"""The providers of a host as one value."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.hosts.provider_tree import Provider, ProviderTree, TreeError
from moorage.placement.model.inventory import Inventory
from tests.hosts.random_trees import UUIDS, trees
from tests.properties import effort

HOST = Provider("h", "host")
NUMA = Provider("n", "host-numa0", "h", {"VCPU": Inventory(8)}, frozenset({"HW_FAST"}), frozenset({"rack"}))
GPU = Provider("g", "host-gpu0", "n")
OTHER = Provider("o", "other")


def test_providers_are_found_by_uuid_and_by_name() -> None:
    tree = ProviderTree([HOST, NUMA, GPU, OTHER])
    assert tree["n"] is NUMA
    assert tree.get("n") is NUMA
    assert tree.named("host-numa0") is NUMA
    assert tree.get("host-numa0") is None
    assert tree.named("n") is None
    assert "n" in tree
    assert "host-numa0" not in tree
    with pytest.raises(KeyError):
        tree["nobody"]


def test_relations() -> None:
    tree = ProviderTree([GPU, OTHER, NUMA, HOST])
    assert list(tree.roots()) == [OTHER, HOST]
    assert list(tree.children("h")) == [NUMA]
    assert list(tree.children("o")) == []
    assert list(tree.below("h")) == [HOST, NUMA, GPU]
    assert tree.root_of("g") is HOST
    assert tree.root_of("o") is OTHER


def test_an_empty_tree() -> None:
    tree = ProviderTree()
    assert len(tree) == 0
    assert list(tree) == []
    assert list(tree.roots()) == []


@pytest.mark.parametrize(
    ("providers", "message"),
    [
        ([HOST, replace(OTHER, uuid="h")], "the provider h is there twice"),
        ([HOST, replace(OTHER, name="host")], "two providers have the name 'host'"),
        ([NUMA], "the parent h of 'host-numa0' is not there"),
        ([replace(HOST, parent_uuid="h")], "providers are each other's parents"),
        ([OTHER, replace(HOST, parent_uuid="g"), NUMA, GPU], "providers are each other's parents"),
    ],
)
def test_what_is_no_tree(providers: list[Provider], message: str) -> None:
    with pytest.raises(TreeError, match=message):
        ProviderTree(providers)


def test_neither_order_nor_generation_makes_a_difference() -> None:
    tree = ProviderTree([HOST, NUMA, GPU])
    assert tree == ProviderTree([GPU, replace(HOST, generation=3), NUMA])
    assert tree != ProviderTree([HOST, NUMA])
    assert tree != ProviderTree([HOST, NUMA, replace(GPU, traits=frozenset({"HW_FAST"}))])
    assert tree != [HOST, NUMA, GPU]


def test_a_changed_tree_shares_what_stayed_and_leaves_the_first_as_it_was() -> None:
    tree = ProviderTree([HOST, NUMA, GPU])
    moved = tree.with_providers([replace(GPU, parent_uuid="h"), OTHER])
    assert list(moved.below("h")) == [HOST, NUMA, replace(GPU, parent_uuid="h")]
    assert moved["n"] is NUMA
    assert moved["o"] is OTHER
    assert tree == ProviderTree([HOST, NUMA, GPU])


def test_a_changed_tree_is_checked_as_well() -> None:
    tree = ProviderTree([HOST, NUMA])
    with pytest.raises(TreeError, match="two providers have the name 'host'"):
        tree.with_providers([replace(OTHER, name="host")])


def test_without_a_provider_all_below_it_is_gone_too() -> None:
    tree = ProviderTree([HOST, NUMA, GPU, OTHER])
    assert tree.without(["n", "nobody"]) == ProviderTree([HOST, OTHER])
    assert tree.without(["g", "h"]) == ProviderTree([OTHER])
    assert tree.without([]) == tree


@effort(200)
@given(trees(), st.permutations(UUIDS))
def test_parents_come_before_their_children(tree: ProviderTree, order: list[str]) -> None:
    again = ProviderTree(tree[uuid] for uuid in order if uuid in tree)
    assert again == tree
    seen: set[str | None] = {None}
    for provider in again:
        assert provider.parent_uuid in seen
        seen.add(provider.uuid)
    assert len(seen) == len(again) + 1


@effort(200)
@given(trees(), st.sets(st.sampled_from(UUIDS)))
def test_a_subtree_is_everybody_with_the_provider_among_their_ancestors(tree: ProviderTree, gone: set[str]) -> None:
    def path(provider: Provider) -> set[str]:
        above = set() if provider.parent_uuid is None else path(tree[provider.parent_uuid])
        return above | {provider.uuid}

    for top in tree:
        assert {p.uuid for p in tree.below(top.uuid)} == {p.uuid for p in tree if top.uuid in path(p)}
        assert tree.root_of(top.uuid).uuid in path(top)
        assert tree.root_of(top.uuid).parent_uuid is None
    assert tree.without(gone) == ProviderTree(provider for provider in tree if not path(provider) & gone)


def test_a_very_deep_tree() -> None:
    depth = 5000
    tree = ProviderTree(Provider(f"{n}", f"{n}", f"{n - 1}" if n else None) for n in range(depth))
    assert [provider.uuid for provider in tree] == [f"{n}" for n in range(depth)]
    assert tree.root_of(f"{depth - 1}").uuid == "0"
