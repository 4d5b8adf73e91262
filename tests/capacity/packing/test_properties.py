"""What holds for any zone: no node is over-full, the same zone gives the same account, and optimized is no worse."""

from __future__ import annotations

import dataclasses
from operator import mul
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.capacity.puzzles import puzzle
from moorage.capacity.model.configuration import BinpackBehavior, Strategy
from moorage.capacity.packing import repacking, simulation
from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.simulation import complete, simulate
from moorage.capacity.packing.size import ZERO, Size
from moorage.capacity.packing.vessels import Vessels
from moorage.capacity.packing.zone import DEMAND_PHASES, Account, BlockDemand, Phase, Reason, Zone
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


def cube(edge: int) -> Size:
    return Size(edge, edge, edge)


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


@effort(20)
@given(ZONES)
def test_no_hypervisor_takes_a_flavor_if_none_does_in_an_empty_zone(zone: Zone) -> None:
    for refusal in simulate(zone).refused:
        alone = dataclasses.replace(
            zone, blocks=[zone.blocks[refusal.block]], demand=[BlockDemand(usage=1)], pooled=(ZERO, ZERO, ZERO)
        )
        assert (refusal.reason is Reason.NO_HOST) is (simulate(alone).placed[Phase.USAGE] == [0])


def test_nodes_are_looked_at_once_however_many_flavors_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Counted(Vessels):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            made.append(self)

    monkeypatch.setattr(simulation, "Vessels", Counted)
    blocks = [Block(f"block-{edge}", cube(edge), edge) for edge in (9, 8, 7)]
    demand = [BlockDemand(pending_commitments=1)] * 3

    account = simulate(Zone(clusters=[Cluster("node", 1, cube(6))], blocks=blocks, demand=demand))

    assert account.unplaced == 3
    assert len(made) == 1


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


@pytest.mark.parametrize("every", [2, 3])
def test_what_is_packed_anew_goes_to_special_nodes_first_and_leaves_the_others_to_the_pool(every: int) -> None:
    zone = puzzle(20, 0.9, strategy=Strategy.COMPATIBLE, seed=2)
    clusters = [
        dataclasses.replace(cluster, is_special=number % every > 0) for number, cluster in enumerate(zone.clusters)
    ]
    plain = dataclasses.replace(zone, clusters=clusters)

    before, after = simulate(plain), simulate(optimized(plain))

    assert before.unplaced
    assert not after.unplaced
    cores = [block.size.cores for block in zone.blocks]
    assert sum(map(mul, after.on_general, cores)) <= sum(map(mul, before.on_general, cores))


def test_blocks_that_need_special_nodes_push_others_off_only_as_far_as_they_must() -> None:
    fast = frozenset({"FAST"})
    zone = Zone(
        clusters=[
            Cluster("s1", 1, cube(10), is_special=True, traits=fast),
            Cluster("s2", 1, cube(10), is_special=True, traits=fast),
            Cluster("g1", 1, cube(10)),
            Cluster("g2", 1, cube(10)),
        ],
        blocks=[Block("picky", cube(9), 9, {"FAST": "required"}), Block("small", cube(4), 4)],
        demand=[BlockDemand(pending_commitments=1), BlockDemand(usage=3)],
        pooled=(cube(19), ZERO, ZERO),
    )
    assert simulate(zone).unplaced == 1

    account = simulate(optimized(zone))

    # Two of the small ones share the other special node.
    assert account.unplaced == 0
    assert account.on_general == [0, 1]


def test_usage_finds_a_place_before_commitments_of_other_flavors() -> None:
    # Three of 4 and two of 5 fill both nodes: one of 4 more than at first, when more are wanted than that.
    zone = Zone(
        clusters=[Cluster("a", 1, cube(12)), Cluster("b", 1, cube(10))],
        blocks=[Block("five", cube(5), 5), Block("one", cube(4), 4), Block("other", cube(4), 4)],
        demand=[BlockDemand(2), BlockDemand(2, 0, 3), BlockDemand(3, 0, 3)],
    )
    assert simulate(zone).placed[Phase.USAGE] == [2, 2, 0]

    account = simulate(optimized(zone))

    assert account.placed[Phase.USAGE] == [2, 2, 1]
    assert account.placed[Phase.PENDING_COMMITMENTS] == [0, 0, 0]


@pytest.mark.parametrize(
    ("usage", "unused", "pending", "placed"),
    [(0, 0, 4, [2, 3]), (0, 4, 0, [2, 3]), (4, 0, 0, [2, 2])],
)
def test_what_is_in_use_need_not_leave_room_for_pooled_commitments(
    usage: int, unused: int, pending: int, placed: list[int]
) -> None:
    # Three of 4 fill one node and two of 5 the other, but five of them are not packed so at first.
    zone = Zone(
        clusters=[Cluster("a", 1, cube(12)), Cluster("b", 1, cube(10))],
        blocks=[Block("five", cube(5), 5), Block("four", cube(4), 4)],
        demand=[BlockDemand(2), BlockDemand(3)],
        pooled=(cube(usage), cube(unused), cube(pending)),
    )
    assert simulate(zone).placed[Phase.USAGE] == [2, 2]

    account = simulate(optimized(zone))

    assert account.placed[Phase.USAGE] == placed


@pytest.mark.parametrize(("commitments", "placed"), [(BlockDemand(0, 0, 3), [2, 2]), (BlockDemand(0, 3, 0), [2, 3])])
def test_commitments_leave_room_for_pooled_ones_of_their_kind(commitments: BlockDemand, placed: list[int]) -> None:
    zone = Zone(
        clusters=[Cluster("a", 1, cube(12)), Cluster("b", 1, cube(10))],
        blocks=[Block("five", cube(5), 5), Block("four", cube(4), 4)],
        demand=[BlockDemand(2), commitments],
        pooled=(ZERO, ZERO, cube(4)),
    )

    account = simulate(optimized(zone))

    assert [of_demand(account, 0), of_demand(account, 1)] == placed


def test_what_fills_the_rest_after_a_repair_follows_the_demand_and_not_what_was_filled_before() -> None:
    fast, picky = frozenset({"FAST"}), {"FAST": "required"}
    zone = Zone(
        clusters=[
            Cluster("a", 1, cube(12), traits=fast),
            Cluster("b", 1, cube(10), traits=fast),
            Cluster("c", 1, cube(82)),
        ],
        blocks=[
            Block("five", cube(5), 5, picky),
            Block("four", cube(4), 4, picky),
            Block("one", cube(2), 2),
            Block("other", cube(2), 2),
        ],
        demand=[BlockDemand(2), BlockDemand(3), BlockDemand(), BlockDemand()],
        pooled=(cube(18), ZERO, ZERO),
    )

    account = simulate(optimized(zone))

    assert account.unplaced == 0
    # Nobody asks for any of both, so they share the rest alike.
    assert account.placed[Phase.FILL] == [0, 0, 9, 9]


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
