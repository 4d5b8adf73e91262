"""What holds for any zone: no node is over-full, the same zone gives the same account, and optimized is no worse."""

from __future__ import annotations

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from bench.capacity.puzzles import puzzle
from moorage.capacity.model.configuration import BinpackBehavior, Strategy
from moorage.capacity.packing import repacking
from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.simulation import Run, simulate
from moorage.capacity.packing.size import Size
from moorage.capacity.packing.zone import DEMAND_PHASES, Account, BlockDemand, Phase, Zone
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


@effort(60)
@given(ZONES)
def test_no_node_holds_more_than_it_can(zone: Zone) -> None:
    for each in (zone, optimized(zone)):
        run = Run(each)
        run.place_all_demand()
        run.fill()
        free = list(run.existing_free)
        for block, node in run.log:
            free[node] = free[node].minus(zone.blocks[block].size)
        assert all(min(size) >= 0 for size in free)
        assert run.finish().free == Size(*map(sum, zip(*free, strict=True)))


@effort(60)
@given(ZONES)
def test_the_same_zone_gives_the_same_account(zone: Zone) -> None:
    assert simulate(zone) == simulate(zone)
    assert simulate(optimized(zone)) == simulate(optimized(zone))


@effort(60)
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


def test_optimized_leaves_a_tenth_of_what_is_left_otherwise() -> None:
    left = {strategy: simulate(puzzle(15, 1.0, strategy=strategy, flavors=8, seed=1)).unplaced for strategy in Strategy}

    assert left[Strategy.COMPATIBLE] >= 10
    assert left[Strategy.OPTIMIZED] * 10 <= left[Strategy.COMPATIBLE]


def test_pooled_demand_keeps_its_room_when_nodes_are_packed_anew() -> None:
    zone = puzzle(4, 1.0, strategy=Strategy.OPTIMIZED, flavors=4)
    wet = dataclasses.replace(zone, pooled=(Size(8, 8, 8), Size(0, 0, 0), Size(0, 0, 0)))

    account = simulate(wet)

    assert all(has >= 8 for has in account.free)
    assert account.placed[Phase.FILL] == [0] * 4 or account.free.cores >= 8


def test_searches_are_bounded_by_steps_and_not_by_time() -> None:
    assert repacking.ROUNDS * repacking.STEPS <= 10_000_000
