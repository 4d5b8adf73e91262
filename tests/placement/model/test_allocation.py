from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from moorage.placement.model.allocation import Slot, SlotDemand, net_demand
from tests.properties import effort

slots = st.builds(Slot, st.integers(1, 3), st.integers(1, 3))
holdings = st.dictionaries(slots, st.integers(1, 100))
consumers = st.lists(holdings, max_size=4)

VCPU, DISK = 1, 2


def test_a_first_claim_takes_what_it_wants() -> None:
    demands = net_demand([], [{Slot(7, VCPU): 2, Slot(7, DISK): 10}])
    assert demands == {Slot(7, VCPU): SlotDemand(2, [2]), Slot(7, DISK): SlotDemand(10, [10])}


def test_a_changed_claim_takes_the_difference() -> None:
    assert net_demand([{Slot(7, VCPU): 2}], [{Slot(7, VCPU): 5}]) == {Slot(7, VCPU): SlotDemand(3, [5])}


def test_giving_back_needs_no_amount() -> None:
    assert net_demand([{Slot(7, VCPU): 2}], []) == {Slot(7, VCPU): SlotDemand(-2, [])}


@effort(200)
@given(consumers)
def test_exchanging_holdings_among_consumers_needs_no_room(held: list[dict[Slot, int]]) -> None:
    assert all(demand.delta == 0 for demand in net_demand(held, reversed(held)).values())


@effort(200)
@given(consumers, consumers)
def test_each_slot_changes_by_what_is_wanted_less_what_is_held(
    held: list[dict[Slot, int]], wanted: list[dict[Slot, int]]
) -> None:
    demands = net_demand(held, wanted)
    before, after = total(held), total(wanted)
    assert demands.keys() == before.keys() | after.keys()
    assert all(demand.delta == after[slot] - before[slot] for slot, demand in demands.items())
    assert all(sum(demand.amounts) == after[slot] for slot, demand in demands.items())


@effort(200)
@given(consumers, consumers)
def test_slots_come_in_one_order_for_everybody(held: list[dict[Slot, int]], wanted: list[dict[Slot, int]]) -> None:
    demanded = list(net_demand(held, wanted))
    assert demanded == sorted(demanded) == list(net_demand(reversed(held), reversed(wanted)))


@effort(200)
@given(st.lists(st.integers(1, 60), min_size=1), st.integers(1, 12))
def test_units_of_all_amounts_are_judged_by_three_numbers(amounts: list[int], step: int) -> None:
    demand = SlotDemand(0, amounts)
    assert (demand.common_divisor % step == 0) == all(amount % step == 0 for amount in amounts)
    assert all(demand.smallest <= amount <= demand.largest for amount in amounts)
    assert {demand.smallest, demand.largest} <= set(amounts)


def total(holdings: list[dict[Slot, int]]) -> Counter[Slot]:
    return sum((Counter(held) for held in holdings), Counter())
