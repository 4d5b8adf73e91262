"""What holds for any zone: no node is over-full, the same zone gives the same account, and optimized is no worse."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.capacity.puzzles import puzzle
from moorage.capacity.model.configuration import BinpackBehavior, Strategy
from moorage.capacity.packing import repacking
from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.simulation import complete, simulate
from moorage.capacity.packing.size import ZERO, Size
from moorage.capacity.packing.zone import DEMAND_PHASES, Account, BlockDemand, Zone
from tests.properties import effort

SIZES = st.builds(Size, st.integers(1, 12), st.integers(1, 12), st.integers(1, 12))
TRAITS = st.sets(st.sampled_from("AB"), max_size=1)
ZONES = st.integers(1, 3).flatmap(
    lambda count: st.builds(
        lambda clusters, sizes, demand, pooled: Zone(
            clusters=[
                Cluster(f"node-{number}", nodes, size.times(3), special, frozenset(traits))
                for number, (nodes, size, special, traits) in enumerate(clusters)
            ],
            blocks=[
                Block(f"block-{number}", size, size.cores, {"A": "required"} if picky else {})
                for number, (size, picky) in enumerate(sizes)
            ],
            demand=demand,
            pooled=pooled,
        ),
        st.lists(st.tuples(st.integers(1, 3), SIZES, st.booleans(), TRAITS), min_size=1, max_size=5),
        st.lists(st.tuples(SIZES, st.booleans()), min_size=count, max_size=count),
        st.lists(
            st.builds(
                BlockDemand,
                st.integers(0, 9),
                st.integers(0, 9),
                st.integers(0, 9),
                st.lists(st.sampled_from(["node-0", "node-1", "node-9"]), max_size=3),
            ),
            min_size=count,
            max_size=count,
        ),
        st.tuples(SIZES, SIZES, SIZES),
    )
)


def optimized(zone: Zone) -> Zone:
    return dataclasses.replace(zone, behavior=BinpackBehavior(strategy=Strategy.OPTIMIZED))


def of_demand(account: Account, block: int) -> int:
    return sum(account.placed[phase][block] for phase in DEMAND_PHASES)


@effort(20)
@given(ZONES)
def test_no_node_holds_more_than_it_can(zone: Zone) -> None:
    for each in (zone, optimized(zone)):
        run = complete(each)
        free = list(run.existing_free)
        for block, node in run.log:
            free[node] = free[node].minus(zone.blocks[block].size)
        assert all(min(size) >= 0 for size in free)
        assert run.finish().free == Size(*map(sum, zip(*free, strict=True)))


@effort(20)
@given(ZONES)
def test_the_same_zone_gives_the_same_account(zone: Zone) -> None:
    assert simulate(zone) == simulate(zone)
    assert simulate(optimized(zone)) == simulate(optimized(zone))


@effort(20)
@given(ZONES)
def test_optimized_places_no_less_of_any_demand_and_never_more_than_the_bound(zone: Zone) -> None:
    plain, better = simulate(zone), simulate(optimized(zone))

    for block, demand in enumerate(zone.demand):
        assert of_demand(better, block) >= of_demand(plain, block)
        assert of_demand(better, block) <= demand.usage + demand.unused_commitments + demand.pending_commitments
    assert plain.gap >= better.gap >= 0
    used = Size(0, 0, 0)
    for block, size in enumerate(each.size for each in zone.blocks):
        used = used.plus(size.times(better.total(block)))
    assert better.capacity.minus(better.free) == used


def left_over(zone: Zone) -> dict[Strategy, int]:
    return {Strategy.COMPATIBLE: simulate(zone).unplaced, Strategy.OPTIMIZED: simulate(optimized(zone)).unplaced}


@pytest.mark.parametrize(("fill", "seed"), [(1.0, 1), (1.0, 2), (0.95, 2), (0.95, 3), (0.9, 1)])
def test_optimized_leaves_a_tenth_of_what_is_left_otherwise(fill: float, seed: int) -> None:
    left = left_over(puzzle(40, fill, strategy=Strategy.COMPATIBLE, seed=seed))

    assert left[Strategy.COMPATIBLE] >= 5
    assert left[Strategy.OPTIMIZED] * 10 <= left[Strategy.COMPATIBLE]


def test_what_was_packed_anew_is_on_nodes_that_can_hold_it() -> None:
    zone = puzzle(20, 0.95, strategy=Strategy.OPTIMIZED, seed=2)
    assert left_over(dataclasses.replace(zone, behavior=BinpackBehavior())) == {
        Strategy.COMPATIBLE: 8,
        Strategy.OPTIMIZED: 0,
    }

    run = complete(zone)

    free = list(run.existing_free)
    for block, node in run.log:
        free[node] = free[node].minus(zone.blocks[block].size)
    assert all(min(size) >= 0 for size in free)
    assert run.finish().free == Size(*map(sum, zip(*free, strict=True)))


@pytest.mark.parametrize("more", [0, 1])
def test_pooled_demand_keeps_its_room_when_nodes_are_packed_anew(more: int) -> None:
    zone = puzzle(20, 0.9, strategy=Strategy.OPTIMIZED, seed=2)
    assert left_over(dataclasses.replace(zone, behavior=BinpackBehavior()))[Strategy.COMPATIBLE] > 0
    room = Size(*map(sum, zip(*(cluster.size for cluster in zone.clusters), strict=True)))
    for block, demand in zip(zone.blocks, zone.demand, strict=True):
        room = room.minus(block.size.times(demand.usage + demand.pending_commitments))
    # All that the blocks don't need if all of them are placed, and then a little more.
    liquid = room.plus(Size(more, more, more))

    account = simulate(dataclasses.replace(zone, pooled=(liquid, ZERO, ZERO)))

    assert liquid.fits_in(account.free)
    assert bool(account.unplaced) is bool(more)


def test_searches_are_bounded_by_steps_and_not_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    zone = puzzle(20, 1.0, strategy=Strategy.OPTIMIZED, seed=3)
    steps = 0
    go = repacking._Search.go

    def counted(*arguments: Any) -> None:
        nonlocal steps
        steps += 1
        go(*arguments)

    monkeypatch.setattr(repacking._Search, "go", counted)
    monkeypatch.setattr(repacking, "WORK_PER_NODE", 0)
    monkeypatch.setattr(repacking, "PATIENCE", 1_000_000)
    taken = []
    for work in (20_000, 40_000):
        steps = 0
        monkeypatch.setattr(repacking, "WORK", work)
        assert simulate(zone).unplaced, "nothing is left to search for, so the bound was not reached"
        taken.append(steps)

    # The last group of nodes is packed to its end.
    for work, steps in zip((20_000, 40_000), taken, strict=True):
        assert work <= steps <= work + 7 * (repacking.STEPS + 20)
