"""Steps from one tree to another, and that Placement would accept each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given

from moorage.hosts.difference import (
    CreateProvider,
    DeleteProvider,
    MoveProvider,
    RenameProvider,
    SetAggregates,
    SetInventories,
    SetTraits,
    Step,
    difference,
)
from moorage.hosts.provider_tree import Provider, ProviderTree, TreeError
from moorage.placement.model.inventory import Inventory
from tests.hosts.random_trees import trees
from tests.hosts.steps import apply
from tests.properties import effort


def one_by_one(tree: ProviderTree, steps: Sequence[Step]) -> ProviderTree:
    """The tree after the steps, each of which Placement would accept."""
    for step in steps:
        assert (step.uuid in tree) == (not isinstance(step, CreateProvider))
        changed = apply(tree, [step])  # names are unique, parents exist, there are no loops
        assert changed != tree
        tree = changed
    return tree


@effort(150)
@given(trees(), trees())
def test_the_difference_leads_from_the_old_tree_to_the_new_one_through_valid_trees(
    old: ProviderTree, new: ProviderTree
) -> None:
    steps = difference(old, new)
    assert one_by_one(old, steps) == new
    assert apply(old, steps) == new


@effort(80)
@given(trees(), trees())
def test_nothing_is_done_twice_or_without_need(old: ProviderTree, new: ProviderTree) -> None:
    steps = difference(old, new)
    done = Counter((type(step), step.uuid) for step in steps if not isinstance(step, RenameProvider))
    assert set(done.values()) <= {1}
    assert {step.uuid for step in steps if isinstance(step, DeleteProvider)} == {
        provider.uuid for provider in old if provider.uuid not in new
    }
    created = {step.uuid for step in steps if isinstance(step, CreateProvider)}
    assert created == {provider.uuid for provider in new if provider.uuid not in old}
    for step in steps:
        if isinstance(step, RenameProvider) and step.uuid in new:
            assert old[step.uuid].name != new[step.uuid].name
        if isinstance(step, MoveProvider):
            assert old[step.uuid].parent_uuid != new[step.uuid].parent_uuid


@effort(100)
@given(trees())
def test_equal_trees_do_not_differ(tree: ProviderTree) -> None:
    read_again = ProviderTree(replace(provider, generation=7) for provider in reversed(list(tree)))
    assert difference(tree, read_again) == ()


def test_a_new_provider_says_what_it_is_before_it_offers_anything() -> None:
    new = Provider("n", "host", None, {"VCPU": Inventory(4)}, frozenset({"HW_FAST"}), frozenset({"rack"}))
    assert difference(ProviderTree(), ProviderTree([new])) == (
        CreateProvider("n", "host", None),
        SetAggregates("n", frozenset({"rack"})),
        SetTraits("n", frozenset({"HW_FAST"})),
        SetInventories("n", {"VCPU": Inventory(4)}),
    )


def test_swapped_names_take_one_more_renaming() -> None:
    old = ProviderTree([Provider("1", "a"), Provider("2", "b")])
    new = ProviderTree([Provider("1", "b"), Provider("2", "a")])
    assert difference(old, new) == (
        RenameProvider("1", "1 (being renamed)"),
        RenameProvider("2", "a"),
        RenameProvider("1", "b"),
    )


def test_a_renaming_waits_for_the_one_that_frees_its_name() -> None:
    old = ProviderTree([Provider("1", "a"), Provider("2", "b"), Provider("3", "c")])
    new = ProviderTree([Provider("1", "b"), Provider("2", "c"), Provider("3", "d"), Provider("4", "a")])
    assert difference(old, new) == (
        RenameProvider("3", "d"),
        RenameProvider("2", "c"),
        RenameProvider("1", "b"),
        CreateProvider("4", "a", None),
    )


def test_parent_and_child_change_places() -> None:
    old = ProviderTree([Provider("1", "a"), Provider("2", "b", "1"), Provider("3", "c", "2")])
    new = ProviderTree([Provider("2", "b"), Provider("1", "a", "2"), Provider("3", "c", "1")])
    assert difference(old, new) == (MoveProvider("2", None), MoveProvider("1", "2"), MoveProvider("3", "1"))


def test_children_are_deleted_before_their_parents() -> None:
    old = ProviderTree([Provider("1", "a"), Provider("2", "b", "1"), Provider("3", "c", "2")])
    assert difference(old, ProviderTree()) == (DeleteProvider("3"), DeleteProvider("2"), DeleteProvider("1"))


def test_a_child_moves_to_the_new_parent_that_has_the_name_of_the_old_one() -> None:
    old = ProviderTree([Provider("1", "host"), Provider("2", "gpu", "1")])
    new = ProviderTree([Provider("9", "host"), Provider("2", "gpu", "9")])
    steps = difference(old, new)
    assert steps == (
        RenameProvider("1", "1 (being renamed)"),
        CreateProvider("9", "host", None),
        MoveProvider("2", "9"),
        DeleteProvider("1"),
    )
    assert one_by_one(old, steps) == new


def test_what_moves_between_providers_is_never_offered_twice() -> None:
    """When NUMA nodes are no longer reported on their own, they go before the host gets what they had."""
    cpus = {"VCPU": Inventory(8)}
    apart = ProviderTree([Provider("1", "host"), Provider("2", "numa0", "1", cpus)])
    together = ProviderTree([Provider("1", "host", None, cpus)])
    assert difference(apart, together) == (DeleteProvider("2"), SetInventories("1", cpus))
    assert difference(together, apart) == (
        SetInventories("1", {}),
        CreateProvider("2", "numa0", "1"),
        SetInventories("2", cpus),
    )


def test_a_large_cloud_in_which_everything_changes() -> None:
    """Also names that all wait for each other, and a parent of all that goes."""
    size = 9000
    old = ProviderTree([Provider("top", "top"), *(Provider(f"{n}", f"name{n}", "top") for n in range(size))])
    new = ProviderTree(Provider(f"{n}", f"name{(n + 1) % size}") for n in range(size))
    steps = difference(old, new)
    assert len(steps) == 2 * size + 2  # a renaming and a move of each, one temporary name, one deletion
    assert apply(old, steps) == new


def test_a_very_deep_tree() -> None:
    depth = 5000
    deep = ProviderTree(Provider(f"{n}", f"{n}", f"{n - 1}" if n else None) for n in range(depth))
    assert apply(ProviderTree(), difference(ProviderTree(), deep)) == deep
    assert difference(deep, ProviderTree()) == tuple(DeleteProvider(f"{n}") for n in reversed(range(depth)))


@pytest.mark.parametrize(
    "step", [DeleteProvider("1"), CreateProvider("3", "b", None), MoveProvider("1", "2"), MoveProvider("1", "9")]
)
def test_steps_that_give_no_tree_cannot_be_applied(step: Step) -> None:
    tree = ProviderTree([Provider("1", "a"), Provider("2", "b", "1")])
    with pytest.raises(TreeError):
        apply(tree, [step])
