"""The columns of the calendar say what looking at every instant, one after the other, would say."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from moorage.reservations.calendar.demand import WHOLE_HOST, Demand
from moorage.reservations.calendar.holds import Holds
from moorage.reservations.calendar.profile import profile
from moorage.reservations.calendar.score import Goal
from moorage.reservations.calendar.starts import possible_starts
from moorage.reservations.calendar.supply import Offers, Supply
from moorage.reservations.calendar.totals import totals
from moorage.reservations.calendar.window import fits
from tests.properties import effort

HOSTS, LAST = 4, 30


@dataclass(frozen=True)
class Hold:
    host: int
    lease: int
    start: int
    length: int
    whole: bool
    vcpus: int
    gpus: int


holds_of_hosts = st.lists(
    st.builds(
        Hold,
        host=st.integers(-1, HOSTS - 1),
        lease=st.integers(1, 3),
        start=st.integers(-5, LAST + 5),
        length=st.integers(1, 12),
        whole=st.booleans(),
        vcpus=st.integers(0, 5),
        gpus=st.integers(0, 2),
    ),
    max_size=14,
)
capacities = st.lists(st.integers(0, 10), min_size=HOSTS, max_size=HOSTS)
demands = st.sampled_from([Demand({"VCPU": 1}), Demand({"VCPU": 2, "GPU": 1}), Demand({"GPU": 1}), WHOLE_HOST])
goals = st.builds(Goal, st.integers(1, 6), st.sampled_from([None, True, False]))


def column(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(numbers, np.int64)


def columns(holds: list[Hold]) -> Holds:
    return Holds(
        column(*(hold.host for hold in holds)),
        column(*(hold.lease for hold in holds)),
        column(*(hold.start for hold in holds)),
        column(*(hold.start + hold.length for hold in holds)),
        np.array([hold.whole for hold in holds], np.bool_),
        {"VCPU": column(*(hold.vcpus for hold in holds)), "GPU": column(*(hold.gpus for hold in holds))},
    )


def supply_of(vcpus: list[int]) -> Supply:
    """VCPUs from the hosts themselves, and two providers with one GPU each on host 0, one with two on host 1."""
    every = np.arange(HOSTS)
    ones = np.ones(HOSTS, np.int64)
    return Supply(
        HOSTS,
        {
            "VCPU": Offers(every, column(*vcpus), ones, ones * 8, ones),
            "GPU": Offers(column(0, 0, 1), column(1, 1, 2), ones[:3], column(1, 1, 2), ones[:3]),
        },
        {"VCPU": column(1, 0, 0, 0)},
    )


def free_at(instant: int, host: int, vcpus: list[int], holds: list[Hold], demand: Demand) -> int:
    """By the definition."""
    now = [hold for hold in holds if hold.host == host and hold.start <= instant < hold.start + hold.length]
    if demand.whole_host:
        return int(not now and host != 0)
    if any(hold.whole for hold in now):
        return 0
    left = {
        "VCPU": vcpus[host] - (host == 0) - sum(hold.vcpus for hold in now),
        "GPU": {0: 2, 1: 2}.get(host, 0) - sum(hold.gpus for hold in now),
    }
    return max(0, min(left[name] // amount for name, amount in demand.resources.items()))


def enough(free: list[int], goal: Goal) -> bool:
    if goal.affinity is True:
        return max(free) >= goal.amount
    if goal.affinity is False:
        return sum(number > 0 for number in free) >= goal.amount
    return sum(free) >= goal.amount


@effort(150)
@given(capacities, holds_of_hosts, demands)
def test_what_fits_for_a_whole_period_is_the_least_of_all_its_instants(
    vcpus: list[int], holds: list[Hold], demand: Demand
) -> None:
    found = fits(profile(supply_of(vcpus), columns(holds), demand, 3, 17))
    expected = [min(free_at(instant, host, vcpus, holds, demand) for instant in range(3, 17)) for host in range(HOSTS)]
    assert found.tolist() == expected


@effort(150)
@given(capacities, holds_of_hosts, demands, goals, st.integers(1, 9))
def test_the_possible_starts_are_all_at_which_every_instant_is_good(
    vcpus: list[int], holds: list[Hold], demand: Demand, goal: Goal, duration: int
) -> None:
    found = possible_starts(profile(supply_of(vcpus), columns(holds), demand, 0, LAST), goal, duration)
    good = [
        start
        for start in range(LAST - duration + 1)
        if enough(
            [
                min(free_at(instant, host, vcpus, holds, demand) for instant in range(start, start + duration))
                for host in range(HOSTS)
            ],
            goal,
        )
    ]
    assert [start for period in found for start in range(period.first, period.last + 1)] == good


@effort(150)
@given(capacities, holds_of_hosts, demands)
def test_the_totals_are_the_sums_over_the_hosts(vcpus: list[int], holds: list[Hold], demand: Demand) -> None:
    found = totals(profile(supply_of(vcpus), columns(holds), demand, 0, LAST), Goal(1000))
    swept = [stretch.free for stretch in found for _ in range(stretch.start, stretch.end)]
    assert swept == [
        sum(free_at(instant, host, vcpus, holds, demand) for host in range(HOSTS)) for instant in range(LAST)
    ]
    assert all(one.free != other.free for one, other in pairwise(found))


@effort(150)
@given(holds_of_hosts)
def test_a_lease_never_stands_in_its_own_way(holds: list[Hold]) -> None:
    vcpus = [8, 8, 8, 8]
    found = fits(profile(supply_of(vcpus), columns(holds).without(2), Demand({"VCPU": 1}), 0, LAST))
    others = [hold for hold in holds if hold.lease != 2]
    assert found.tolist() == fits(profile(supply_of(vcpus), columns(others), Demand({"VCPU": 1}), 0, LAST)).tolist()


def test_leases_back_to_back_do_not_meet() -> None:
    hold = columns([Hold(1, 1, 0, 10, False, 8, 0)])
    assert fits(profile(supply_of([8] * 4), hold, Demand({"VCPU": 8}), 10, 20)).tolist() == [0, 1, 1, 1]
    assert fits(profile(supply_of([8] * 4), hold, Demand({"VCPU": 8}), 9, 20)).tolist() == [0, 0, 1, 1]


def test_what_is_overdue_stays_held() -> None:
    hold = columns([Hold(1, 1, 0, 10, False, 8, 0)]).until_gone(now=12, margin=5)
    assert fits(profile(supply_of([8] * 4), hold, Demand({"VCPU": 8}), 16, 20)).tolist() == [0, 0, 1, 1]
    assert fits(profile(supply_of([8] * 4), hold, Demand({"VCPU": 8}), 17, 20)).tolist() == [0, 1, 1, 1]
