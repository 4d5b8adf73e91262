"""The enumeration finds exactly what trying everything would find, and gives up early where nothing can be found."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from moorage.placement.index import enumeration, memory, together, walk
from moorage.placement.index import search as searching
from moorage.placement.index.candidates import Choice
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.enumeration import are_served, enumerate_choices
from moorage.placement.index.explain import explain
from moorage.placement.index.matching import Part, choosing, parts_of
from moorage.placement.index.rules import Rules
from moorage.placement.index.search import Order, search
from moorage.placement.index.shapes import Alike
from moorage.placement.model.query import CandidateQuery, RequestGroup
from tests.placement.index.clouds import SHARING, Provider, cloud_of, group, provider
from tests.placement.index.random_clouds import forests, queries
from tests.properties import effort

# --- against trying everything


def is_allowed(cloud: Cloud, query: CandidateQuery, parts: Sequence[Part], choice: Choice) -> bool:
    """The rules over several parts, each as a person would write it."""
    serving = list(zip(parts, choice, strict=True))
    return (
        _have_room(cloud, serving)
        and _have_traits_together(cloud, query, serving)
        and (query.nested or _are_different([int(cloud.topology.roots[slot]) for slot in set(choice)]))
        and (not query.isolate or _are_different([slot for part, slot in serving if part.group.one_provider]))
        and all(
            _is_one_subtree(cloud, {slot for part, slot in serving if part.group.suffix in suffixes})
            for suffixes in query.same_subtrees
        )
    )


def _have_room(cloud: Cloud, serving: Sequence[tuple[Part, int]]) -> bool:
    taken: Counter[tuple[int, str]] = Counter()
    for part, slot in serving:
        for name, amount in part.resources.items():
            taken[slot, name] += amount
    stocks = {(slot, name): cloud.record(slot).stocks[name] for slot, name in taken}
    return all(
        stocks[key].used + amount <= stocks[key].inventory.capacity and amount <= stocks[key].inventory.max_unit
        for key, amount in taken.items()
    )


def _have_traits_together(cloud: Cloud, query: CandidateQuery, serving: Sequence[tuple[Part, int]]) -> bool:
    having = {name for part, slot in serving if not part.group.one_provider for name in cloud.record(slot).traits}
    wanted = [any_of for group in query.groups if not group.one_provider for any_of in group.traits.required]
    return all(any_of & having for any_of in wanted)


def _are_different(slots: Sequence[int]) -> bool:
    return len(set(slots)) == len(slots)


def _is_one_subtree(cloud: Cloud, slots: set[int]) -> bool:
    """One of them is above all."""
    return any(all(top in cloud.topology.lineage(slot) for slot in slots) for top in slots)


@pytest.fixture(params=["as usual", "also where there is little to try", "however little can be told apart"])
def _eager(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look ahead always, or also with the least that can be known."""
    if request.param != "as usual":
        monkeypatch.setattr(enumeration, "_FEW", 0)
        monkeypatch.setattr(enumeration, "_IN_VAIN", 0)
    if request.param == "however little can be told apart":
        monkeypatch.setattr(together, "_MANY", 1)


@pytest.mark.usefixtures("_eager")
@effort(80)
@given(forests(), queries())
def test_it_equals_trying_everything(forest: list[Provider], query: CandidateQuery) -> None:
    cloud = cloud_of(*forest)
    parts = [part for group in query.groups for part in parts_of(cloud, group)]
    rules = Rules(cloud, query, parts)
    everywhere = np.arange(cloud.topology.size)
    for choices in zip(*(part.chooser(cloud.topology)(everywhere) for part in parts), strict=True):
        tried = [choice for choice in product(*choices) if is_allowed(cloud, query, parts, choice)]
        assert sorted(enumerate_choices(rules, choices)) == sorted(tried)


@pytest.mark.usefixtures("_eager")
@effort(80)
@given(forests(), queries())
def test_what_comes_to_the_same_is_served_alike(forest: list[Provider], query: CandidateQuery) -> None:
    """Also if by all the rules it comes to the same, and it is asked of some of them."""
    cloud = cloud_of(*forest)
    parts = [part for group in query.groups for part in parts_of(cloud, group)]
    everybody = list(choosing(cloud.topology, parts)(np.arange(cloud.topology.size)))
    alike = Alike(Rules(cloud, query, parts))
    for some in (query, replace(query, same_subtrees=())):
        served = are_served(Rules(cloud, some, parts), enumerate(everybody), alike)
        assert list(served) == [
            any(is_allowed(cloud, some, parts, choice) for choice in product(*choices)) for choices in everybody
        ]


def test_of_hosts_that_come_to_the_same_one_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_about = []

    def counted(rules: Rules, choices: Sequence[Sequence[int]]) -> Iterator[Choice]:
        asked_about.append(choices)
        return enumerate_choices(rules, choices)

    monkeypatch.setattr(enumeration, "enumerate_choices", counted)
    query = cells_with_gpus(4, 2, cells_first=True)
    story = explain(numa_hosts(*[ALMOST] * 20), query)
    assert story.blocked_by is not None
    assert story.blocked_by.condition.startswith("same_subtree=")
    assert len(asked_about) <= len(query.same_subtrees) + 2  # one at each stage


# --- bounded work


class TooManySteps(AssertionError):
    """The search does not give up."""


Bound = Callable[[int], None]


@pytest.fixture
def at_most(monkeypatch: pytest.MonkeyPatch) -> Bound:
    """Bound how often a provider may be tried for a part of the request."""
    choose = walk.Walk._choose

    def bound(steps: int) -> None:
        left = iter(range(steps))

        def counted(self: Any, part: int, slot: int) -> bool:
            if next(left, None) is None:
                raise TooManySteps
            return choose(self, part, slot)

        monkeypatch.setattr(walk.Walk, "_choose", counted)

    return bound


def host_with(*children: Provider) -> Cloud:
    return cloud_of(provider("host").over(*children))


def devices(count: int, name: str = "GPU", amount: int = 1) -> list[Provider]:
    return [Provider(f"{name}{number}", {name: amount}) for number in range(count)]


def found(cloud: Cloud, query: CandidateQuery) -> int:
    return len(search(cloud, query, Order()).choices)


@pytest.mark.parametrize("isolate", [True, False])
@pytest.mark.parametrize(("groups", "gpus"), [(9, 8), (17, 16), (33, 32), (65, 64)])
def test_one_group_too_many_is_noticed_soon(at_most: Bound, groups: int, gpus: int, isolate: bool) -> None:
    asked = tuple(group(str(number), GPU=1) for number in range(groups))
    at_most(5_000)
    assert found(host_with(*devices(gpus)), CandidateQuery(asked, isolate=isolate)) == 0


@pytest.mark.parametrize("isolate", [True, False])
@pytest.mark.parametrize(("groups", "gpus"), [(8, 8), (6, 32), (64, 64)])
def test_the_first_of_astronomically_many_ways_are_found_soon(
    at_most: Bound,
    groups: int,
    gpus: int,
    isolate: bool,
) -> None:
    asked = tuple(group(str(number), GPU=1) for number in range(groups))
    at_most(10_000)
    assert found(host_with(*devices(gpus)), CandidateQuery(asked, isolate=isolate, limit=10)) == 10


@pytest.mark.parametrize("isolate", [True, False])
def test_six_groups_do_not_fit_on_32_functions_of_which_five_are_of_the_right_kind(
    at_most: Bound,
    isolate: bool,
) -> None:
    functions = [*devices(27, "VCPU"), *(provider(f"right{n}", traits=["FAST"], VCPU=1) for n in range(5))]
    asked = tuple(group(str(number), VCPU=1, required="FAST") for number in range(6))
    at_most(5_000)
    assert found(host_with(*functions), CandidateQuery(asked, isolate=isolate)) == 0


def test_64_devices_of_which_none_is_large_enough_for_two(at_most: Bound) -> None:
    """Large groups take a device each; the two small ones fit together nowhere, and one device is left for both."""
    asked = (*(group(str(number), GPU=4) for number in range(63)), group("a", GPU=3), group("b", GPU=3))
    at_most(20_000)
    assert found(host_with(*devices(64, amount=4)), CandidateQuery(asked)) == 0


def cells(*sizes: int) -> Cloud:
    """A host with NUMA cells of so many functions each; the last cell is a fast one."""
    last = len(sizes) - 1
    return host_with(
        *(
            provider(f"cell{cell}", traits=["FAST"] if cell == last else []).over(
                *(provider(f"vf{cell}-{number}", VCPU=1) for number in range(size))
            )
            for cell, size in enumerate(sizes)
        )
    )


@pytest.mark.parametrize("isolate", [True, False])
def test_six_groups_do_not_fit_in_a_cell_of_five_functions_beside_one_of_27(
    at_most: Bound,
    isolate: bool,
) -> None:
    functions = tuple(group(f"_{number}", VCPU=1) for number in range(6))
    everybody = frozenset({"_CELL", *(function.suffix for function in functions)})
    query = CandidateQuery(
        (*functions, group("_CELL", required="FAST")), isolate=isolate, same_subtrees=(everybody,), limit=10
    )
    at_most(20_000)
    assert found(cells(27, 5), query) == 0


@pytest.mark.parametrize("isolate", [True, False])
def test_six_groups_fit_in_a_cell_of_six_functions_beside_one_of_26(
    at_most: Bound,
    isolate: bool,
) -> None:
    functions = tuple(group(f"_{number}", VCPU=1) for number in range(6))
    everybody = frozenset({"_CELL", *(function.suffix for function in functions)})
    query = CandidateQuery(
        (*functions, group("_CELL", required="FAST")), isolate=isolate, same_subtrees=(everybody,), limit=10
    )
    at_most(20_000)
    assert found(cells(26, 6), query) == 10


def test_siblings_are_never_one_subtree(at_most: Bound) -> None:
    asked = tuple(group(f"_{number}", GPU=1) for number in range(6))
    query = CandidateQuery(asked, isolate=True, same_subtrees=(frozenset(part.suffix for part in asked),))
    at_most(20_000)
    assert found(host_with(*devices(32)), query) == 0


# --- hosts, and children of one, that come to the same


def numa_hosts(*hosts: Sequence[int]) -> Cloud:
    """Hosts with cells of so many free GPUs; every other host has its cells in another order.

    Of what there is plenty of, they have different amounts.
    """
    return cloud_of(
        *(
            provider(f"host{host}").over(
                *(
                    provider(f"cell{host}-{cell}", VCPU=8 + host % 5).over(
                        *(provider(f"gpu{host}-{cell}-{number}", GPU=1) for number in range(free))
                    )
                    for cell, free in enumerate([*gpus[host % 2 :], *gpus[: host % 2]])
                )
            )
            for host, gpus in enumerate(hosts)
        )
    )


ALMOST = (3, 1, 2, 2)


def cells_with_gpus(cells: int, gpus: int, *, cells_first: bool) -> CandidateQuery:
    """So many cells, each with so many GPUs in it."""
    asked = [
        [group(f"_c{cell}", VCPU=1), *(group(f"_g{cell}_{number}", GPU=1) for number in range(gpus))]
        for cell in range(cells)
    ]
    in_turn = [item for each in asked for item in each]
    ordered = sorted(in_turn, key=lambda item: "GPU" in item.resources) if cells_first else in_turn
    subtrees = tuple(frozenset(item.suffix for item in each) for each in asked)
    return CandidateQuery(tuple(ordered), isolate=True, same_subtrees=subtrees, limit=10)


@pytest.mark.parametrize("cells_first", [True, False])
@pytest.mark.parametrize("hosts", [1, 300])
def test_hosts_that_almost_fit_are_given_up_together(at_most: Bound, hosts: int, cells_first: bool) -> None:
    at_most(500)
    assert found(numa_hosts(*[ALMOST] * hosts), cells_with_gpus(4, 2, cells_first=cells_first)) == 0


@pytest.mark.parametrize("cells_first", [True, False])
def test_a_host_that_fits_is_found_among_such_that_almost_do(at_most: Bound, cells_first: bool) -> None:
    at_most(1_000)
    cloud = numa_hosts(*[ALMOST] * 50, (3, 2, 2, 2), *[ALMOST] * 50)
    assert found(cloud, cells_with_gpus(4, 2, cells_first=cells_first)) == 10


@pytest.mark.parametrize("cells_first", [True, False])
def test_eight_cells_of_which_one_has_too_little_are_not_tried_in_every_order(
    at_most: Bound, cells_first: bool
) -> None:
    at_most(3_000)
    assert found(numa_hosts((*ALMOST, 2, 2, 2, 2)), cells_with_gpus(8, 2, cells_first=cells_first)) == 0


@pytest.mark.parametrize(("gpus", "fives", "sixes"), [(8, 9, 4), (16, 17, 8), (64, 65, 32)])
def test_large_and_small_groups_do_not_fit_on_equal_children(at_most: Bound, gpus: int, fives: int, sixes: int) -> None:
    """Those of which two fit on a child come first, and one of the others fills a child."""
    asked = (*(group(f"_{n}", GPU=5) for n in range(fives)), *(group(f"_large{n}", GPU=6) for n in range(sixes)))
    at_most(20_000)
    assert found(host_with(*devices(gpus, amount=10)), CandidateQuery(asked, limit=10)) == 0


# --- giving up


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "MOST_STEPS_AT_ONE_ANCHOR", 300)
    monkeypatch.setattr(memory, "MOST_STEPS", 500)


GAVE_UP = "Where groups compete, not every way to serve them was tried: it would have taken too long"


def almost_three_on_each(children: int) -> list[RequestGroup]:
    """Of the amounts three fill a child of 1,000, but that some are larger by 1, and as many smaller."""
    chance = random.Random(2)
    amounts = []
    for child in range(children):
        one, other = sorted(chance.sample(range(200, 800), 2))
        amounts += [one + (child % 4 == 0), other - one - (child % 4 == 1), 1_000 - other]
    return [group(f"_{number}", GPU=amount) for number, amount in enumerate(amounts)]


def hard_hosts(hosts: int, children: int) -> list[Provider]:
    """They have no more than is asked for, or hardly; no two of them come to the same."""
    return [
        provider(f"host{host}").over(
            *(provider(f"gpu{host}-{number}", GPU=1_000 + (number < host)) for number in range(children))
        )
        for host in range(hosts)
    ]


@pytest.mark.usefixtures("_impatient")
def test_what_takes_too_long_to_find_out_is_given_up_and_the_log_says_so_once(
    at_most: Bound, caplog: pytest.LogCaptureFixture
) -> None:
    at_most(20_000)
    query = CandidateQuery(tuple(almost_three_on_each(children=8)), limit=10)
    assert found(cloud_of(*hard_hosts(hosts=3, children=8)), query) == 0
    assert caplog.messages == [GAVE_UP]


@pytest.mark.usefixtures("_impatient")
def test_where_the_first_try_is_good_candidates_are_found_however_long_was_searched_before(
    caplog: pytest.LogCaptureFixture,
) -> None:
    hard = hard_hosts(hosts=3, children=8)
    easy = provider("easy").over(*(provider(f"large{number}", GPU=1_000) for number in range(24)))
    query = CandidateQuery(tuple(almost_three_on_each(children=8)), limit=10)
    assert found(cloud_of(*hard, easy), query) == 10
    assert caplog.messages == [GAVE_UP]


@pytest.mark.usefixtures("_impatient")
def test_all_that_an_explanation_tries_is_bounded_together(caplog: pytest.LogCaptureFixture) -> None:
    query = CandidateQuery(tuple(almost_three_on_each(children=8)))
    story = explain(cloud_of(*hard_hosts(hosts=3, children=8)), query)
    assert story.blocked_by is not None
    assert caplog.messages == [GAVE_UP]


def test_nothing_is_said_where_everything_was_tried(caplog: pytest.LogCaptureFixture) -> None:
    assert found(numa_hosts(ALMOST, ALMOST), cells_with_gpus(4, 2, cells_first=True)) == 0
    assert caplog.messages == []


# --- traits that several providers may have together

FOUR = {"VCPU": 1, "MEMORY_MB": 1, "DISK_GB": 1, "GPU": 1}


def four(required: str) -> RequestGroup:
    """One of each of four classes."""
    return group(VCPU=1, MEMORY_MB=1, DISK_GB=1, GPU=1, required=required)


def cells_with(*traits_of_some: str) -> list[Provider]:
    """64 cells with something of each class; the first ones have these traits."""
    return [Provider(f"cell{number}", FOUR, traits_of_some[number : number + 1]) for number in range(64)]


def test_a_trait_that_nobody_in_the_tree_has_is_not_looked_for_in_all_combinations(at_most: Bound) -> None:
    at_most(0)
    assert found(host_with(*cells_with()), CandidateQuery((four(required="FAST"),), limit=10)) == 0


def test_hosts_without_a_trait_are_not_looked_at_because_of_a_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = []

    def counted(rules: Rules, choices: Sequence[Sequence[int]]) -> Iterator[Choice]:
        looked_at.append(choices)
        return enumerate_choices(rules, choices)

    monkeypatch.setattr(searching, "enumerate_choices", counted)
    cloud = cloud_of(
        provider("pool", traits=[SHARING], aggregates=["rack"], DISK_GB=10),
        *(provider(f"host{number}", aggregates=["rack"], VCPU=1) for number in range(50)),
        provider("fast", traits=["FAST"], aggregates=["rack"], VCPU=1),
    )
    assert found(cloud, CandidateQuery((group(VCPU=1, DISK_GB=1, required="FAST"),))) == 1
    assert len(looked_at) == 1


def test_traits_that_no_combination_has_together_are_noticed_at_once(at_most: Bound) -> None:
    """Only the last class is to be had where one or the other trait is, and one of them serves it."""
    three = {name: 1 for name in FOUR if name != "GPU"}
    cloud = host_with(
        *(Provider(f"cell{number}", three) for number in range(64)),
        provider("fast", traits=["FAST"], GPU=1),
        provider("safe", traits=["SAFE"], GPU=1),
    )
    at_most(0)
    assert found(cloud, CandidateQuery((four(required="FAST SAFE"),), limit=10)) == 0


def test_the_few_that_have_the_traits_together_are_found_soon(at_most: Bound) -> None:
    cloud = host_with(*cells_with("FAST", "SAFE", "RED", "BLUE"))
    at_most(3_000)
    asked = four(required="FAST SAFE RED BLUE")
    assert found(cloud, CandidateQuery((asked,))) == 24


def test_traits_are_had_soon_where_other_groups_take_of_the_same_providers(at_most: Bound) -> None:
    """The only cell with the trait is taken whole by a group of its own; the parts before it can be served anyhow."""
    cells = [Provider(f"cell{number}", dict.fromkeys(FOUR, 2)) for number in range(63)]
    fast = provider("fast", traits=["FAST"], GPU=2)
    first = four(required="FAST")
    at_most(1_000)
    assert found(host_with(*cells, fast), CandidateQuery((first, group("1", GPU=2, required="FAST")), limit=10)) == 0


# --- one provider of each tree, as before microversion 1.29


@pytest.mark.parametrize("isolate", [True, False])
def test_six_groups_never_fit_on_functions_of_one_each_where_one_of_a_tree_must_serve(
    at_most: Bound,
    isolate: bool,
) -> None:
    asked = tuple(group(str(number), GPU=1) for number in range(6))
    at_most(0)
    assert found(host_with(*devices(32)), CandidateQuery(asked, isolate=isolate, limit=10, nested=False)) == 0


def pools(count: int) -> list[Provider]:
    return [
        provider(f"pool{number}", traits=[SHARING], aggregates=["rack"], GPU=1).over(
            provider(f"disk of pool{number}", traits=[SHARING], aggregates=["rack"], DISK_GB=1)
        )
        for number in range(count)
    ]


@pytest.mark.parametrize("isolate", [True, False])
@pytest.mark.parametrize(("groups", "answers"), [(21, 10), (22, 0)])
def test_groups_on_20_pools_and_one_of_many_children_are_placed_soon_or_given_up(
    at_most: Bound,
    groups: int,
    answers: int,
    isolate: bool,
) -> None:
    cloud = cloud_of(provider("host", aggregates=["rack"]).over(*devices(32)), *pools(20))
    asked = tuple(group(str(number), GPU=1) for number in range(groups))
    at_most(20_000)
    assert found(cloud, CandidateQuery(asked, isolate=isolate, limit=10, nested=False)) == answers


def test_a_tree_whose_only_disk_is_elsewhere_is_not_asked_for_all_combinations(at_most: Bound) -> None:
    """Once a GPU of a pool was taken, its disk cannot be, and the host's own disk not beside one of its GPUs."""
    host = provider("host", aggregates=["rack"]).over(*devices(32), provider("disk", DISK_GB=1))
    asked = (group("D", DISK_GB=1), *(group(str(number), GPU=1) for number in range(20)))
    at_most(20_000)
    assert found(cloud_of(host, *pools(19)), CandidateQuery(asked, isolate=True, limit=10, nested=False)) == 0


# --- as much as may be asked for at once


@pytest.mark.parametrize("isolate", [True, False])
@pytest.mark.parametrize("children", [199, 200])
def test_two_hundred_groups_are_served_or_given_up(children: int, isolate: bool) -> None:
    asked = tuple(group(f"_{number}", GPU=1) for number in range(200))
    answers = 10 if children >= len(asked) else 0
    assert found(host_with(*devices(children)), CandidateQuery(asked, isolate=isolate, limit=10)) == answers


def test_trees_may_be_deeper_than_functions_can_call_each_other() -> None:
    chain = provider("bottom", VCPU=1, GPU=1)
    for number in range(1_500):
        chain = provider(f"level{number}", VCPU=1).over(chain)
    subtree = (frozenset({"_c", "_g"}),)
    asked = (group("_c", VCPU=1), group("_g", GPU=1))
    assert found(cloud_of(chain), CandidateQuery(asked, isolate=True, same_subtrees=subtree, limit=5)) == 5
