"""Trees, memberships and sharing, against their definitions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from moorage.placement.index.columns import Slots
from moorage.placement.index.topology import ROOT, SHARING_TRAIT, Topology
from tests.properties import effort

TRAITS = (SHARING_TRAIT, "FAST", "SAFE")
AGGREGATES = ("rack", "row", "room")


@dataclass(frozen=True)
class Member:
    """A slot: gone (None) or with a parent, traits and aggregates."""

    parent: int
    traits: frozenset[str]
    aggregates: frozenset[str]


@st.composite
def forests(draw: st.DrawFn) -> list[Member | None]:
    """Providers in any slots: a parent may well come behind its children."""
    size = draw(st.integers(0, 9))
    order = draw(st.permutations(range(size)))
    slots: list[Member | None] = [None] * size
    living: list[int] = []
    for slot in order:
        if draw(st.integers(0, 4)) == 0:
            continue
        parent = draw(st.sampled_from([ROOT, ROOT, *living]))
        slots[slot] = Member(
            parent, draw(st.frozensets(st.sampled_from(TRAITS))), draw(st.frozensets(st.sampled_from(AGGREGATES)))
        )
        living.append(slot)
    return slots


def path(forest: list[Member | None], slot: int) -> list[int]:
    """A provider, its parent, and so on."""
    member = forest[slot]
    assert member is not None
    return [slot] if member.parent == ROOT else [slot, *path(forest, member.parent)]


def topology_of(forest: list[Member | None]) -> Topology:
    living = [slot for slot, member in enumerate(forest) if member]

    def members(names: tuple[str, ...], kind: str) -> dict[str, Slots]:
        holders = {name: [slot for slot in living if name in getattr(forest[slot], kind)] for name in names}
        return {name: np.array(slots, dtype=np.int64) for name, slots in holders.items() if slots}

    return Topology(
        np.array([member is not None for member in forest], dtype=np.bool_),
        np.array([member.parent if member else ROOT for member in forest], dtype=np.int64),
        np.array([path(forest, slot)[-1] if forest[slot] else slot for slot in range(len(forest))], dtype=np.int64),
        members(TRAITS, "traits"),
        members(AGGREGATES, "aggregates"),
    )


@effort(100)
@given(forests())
def test_a_tree_is_everybody_with_the_same_root(forest: list[Member | None]) -> None:
    topology = topology_of(forest)
    tops = {slot: path(forest, slot)[-1] for slot, member in enumerate(forest) if member}
    trees = {root: [slot for slot, top in tops.items() if top == root] for root in range(len(forest))}
    assert {root: topology.tree(root).tolist() for root in range(len(forest))} == trees
    assert topology.tree_sizes.tolist() == [len(trees[root]) for root in range(len(forest))]
    assert {slot: topology.lineage(slot) for slot in tops} == {slot: set(path(forest, slot)) for slot in tops}
    assert topology.has_trees == any(len(tree) > 1 for tree in trees.values())


def shared(forest: list[Member | None]) -> dict[int, set[int]]:
    """For each provider that shares with anybody: the roots of the other trees that it shares with."""
    living = {slot: member for slot, member in enumerate(forest) if member}
    return {
        slot: {path(forest, other)[-1] for other in living if member.aggregates & living[other].aggregates}
        - {path(forest, slot)[-1]}
        for slot, member in living.items()
        if SHARING_TRAIT in member.traits and member.aggregates
    }


@effort(100)
@given(forests(), st.sets(st.integers(0, 9)))
def test_a_provider_shares_with_the_trees_of_all_members_of_its_aggregates(
    forest: list[Member | None], some: set[int]
) -> None:
    topology, lending = topology_of(forest), {slot: roots for slot, roots in shared(forest).items() if slot in some}
    lenders = topology.mask(np.array(sorted(lending), dtype=np.int64))
    reached = topology.sharing.reached(lenders)
    assert set(np.flatnonzero(reached).tolist()) == {root for roots in lending.values() for root in roots}
    everybody = np.arange(topology.size)
    told = [[slot for slot, roots in lending.items() if root in roots] for root in everybody.tolist()]
    assert topology.sharing.lending(lenders)(everybody) == told
    assert topology.is_flat == (not topology.has_trees and not shared(forest))


@effort(100)
@given(forests(), st.sets(st.integers(0, 9)))
def test_those_who_share_are_found_by_the_trees_they_share_with(forest: list[Member | None], some: set[int]) -> None:
    topology = topology_of(forest)
    anchors = topology.mask(np.array([slot for slot in some if slot < topology.size], dtype=np.int64))
    reaching = set(np.flatnonzero(topology.sharing.reaching(anchors)).tolist())
    assert reaching == {slot for slot, roots in shared(forest).items() if roots & some}


@effort(100)
@given(forests(), st.frozensets(st.sampled_from([*TRAITS, "NOBODYS"])))
def test_masks_hold_those_that_have_any_of_the_names(forest: list[Member | None], names: frozenset[str]) -> None:
    having = topology_of(forest).having_any_trait(names)
    assert having.tolist() == [bool(member and member.traits & names) for member in forest]


def test_the_shape_of_nothing() -> None:
    topology = topology_of([])
    assert topology.size == 0
    assert topology.is_flat
    assert topology.having_any_trait(["FAST"]).tolist() == []
