"""The rules of the simulation, one by one: nodes are vessels, pooled demand is a liquid, split instances are blocks."""

from __future__ import annotations

from collections.abc import Sequence

from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.simulation import complete, simulate
from moorage.capacity.packing.size import ZERO, Size
from moorage.capacity.packing.zone import BlockDemand, Phase, Reason, Zone

BIG = Block("big", Size(32, 32, 32), 32)
SMALL = Block("small", Size(8, 8, 8), 8)


def a_zone(
    *demand: BlockDemand,
    blocks: Sequence[Block] = (BIG,),
    nodes: int = 1,
    size: int = 100,
    pooled: tuple[int, int, int] = (0, 0, 0),
    special: bool = False,
) -> Zone:
    """Nodes of the same size in all dimensions, and as much pooled demand in all dimensions."""
    usage, unused, pending = (Size(amount, amount, amount) for amount in pooled)
    return Zone(
        clusters=[Cluster(f"node-{number}", 1, Size(size, size, size), special) for number in range(nodes)],
        blocks=blocks,
        demand=demand,
        pooled=(usage, unused, pending),
    )


def test_blocks_are_placed_while_the_liquid_does_not_overflow() -> None:
    account = simulate(a_zone(BlockDemand(usage=3), pooled=(30, 0, 0)))

    # 100 has room for three blocks of 32, but only for two beside 30 of liquid.
    assert account.placed[Phase.USAGE] == [2]
    assert [(each.phase, each.count, each.reason) for each in account.refused] == [
        (Phase.USAGE, 1, Reason.POOLED_DEMAND)
    ]


def test_usage_comes_before_pooled_commitments() -> None:
    account = simulate(a_zone(BlockDemand(usage=2, unused_commitments=1), pooled=(0, 30, 0)))

    # When blocks in use are placed, there is no liquid yet; what comes after it overflows.
    assert account.placed[Phase.USAGE] == [2]
    assert account.placed[Phase.UNUSED_COMMITMENTS] == [0]


def test_pending_commitments_come_last() -> None:
    account = simulate(a_zone(BlockDemand(unused_commitments=2, pending_commitments=2), pooled=(10, 10, 10)))

    assert account.placed[Phase.UNUSED_COMMITMENTS] == [2]
    assert account.placed[Phase.PENDING_COMMITMENTS] == [0]
    assert account.blocked[Phase.PENDING_COMMITMENTS] == Size(30, 30, 30)


def test_extra_blocks_fill_a_quarter_if_demand_is_one_to_three() -> None:
    # 10 % of demand in split flavors (80 of 800), 30 % in pooled ones (240 of 800): one to three.
    account = simulate(a_zone(BlockDemand(usage=10), blocks=(SMALL,), nodes=8, pooled=(240, 0, 0)))

    assert account.blocked[Phase.FILL] == Size(600, 600, 600)
    # A quarter of 800 has room for 25 blocks of 8.
    assert account.total(0) == 25


def test_without_any_demand_everything_is_filled() -> None:
    account = simulate(a_zone(BlockDemand(), blocks=(SMALL,), nodes=2))

    assert account.placed[Phase.FILL] == [24]
    assert account.free == Size(8, 8, 8)


def test_the_rest_follows_the_proportions_of_demand() -> None:
    one, other = Block("one", Size(8, 8, 8), 8), Block("other", Size(8, 8, 8), 8)
    account = simulate(a_zone(BlockDemand(usage=3), BlockDemand(usage=9), blocks=(one, other), nodes=4))

    assert account.placed[Phase.FILL] == [9, 27]


def test_a_flavor_whose_demand_did_not_fit_gets_nothing_extra() -> None:
    account = simulate(a_zone(BlockDemand(usage=4), BlockDemand(), blocks=(BIG, Block("tiny", Size(1, 1, 1), 1))))

    assert account.placed[Phase.FILL][0] == 0
    assert account.placed[Phase.FILL][1] == 4


def test_special_nodes_are_filled_whatever_is_blocked() -> None:
    account = simulate(a_zone(BlockDemand(usage=3), pooled=(100, 0, 0), special=True))

    assert account.placed[Phase.USAGE] == [3]
    assert account.on_general == [0]


def test_special_nodes_come_first() -> None:
    clusters = [Cluster("general", 1, Size(100, 100, 100)), Cluster("special", 1, Size(50, 90, 70), is_special=True)]
    run = complete(Zone(clusters=clusters, blocks=[BIG], demand=[BlockDemand(usage=1)], pooled=(ZERO,) * 3))

    # The special one takes the first, what fills the rest goes to the general one.
    assert run.log == [(0, 1), (0, 0), (0, 0), (0, 0)]


def test_existing_instances_stay_where_they_are() -> None:
    account = simulate(a_zone(BlockDemand(usage=2, existing=["node-1", "node-1", "gone"]), nodes=2, pooled=(150, 0, 0)))

    assert account.placed[Phase.EXISTING] == [2]
    # They are the usage that is asked for.
    assert account.placed[Phase.USAGE] == [0]
    assert account.refused == []


def test_instances_on_shadowed_hypervisors_need_no_place() -> None:
    account = simulate(a_zone(BlockDemand(usage=5, shadowed=4), size=40))

    assert account.placed[Phase.USAGE] == [1]
    assert account.refused == []


def test_traits_keep_blocks_off() -> None:
    picky = Block("picky", Size(1, 1, 1), 1, {"FAST": "required"})
    account = simulate(a_zone(BlockDemand(usage=2), blocks=(picky,)))

    assert [(each.count, each.reason) for each in account.refused] == [(2, Reason.NO_HOST)]


def test_a_block_that_is_larger_than_what_is_left_finds_no_room() -> None:
    account = simulate(a_zone(BlockDemand(usage=4)))

    assert [(each.count, each.reason) for each in account.refused] == [(1, Reason.NO_ROOM)]
    assert (account.demand, account.bound, account.gap) == (4, 3, 0)
