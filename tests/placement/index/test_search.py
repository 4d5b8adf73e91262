from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest

from moorage.placement.index import search as searching
from moorage.placement.index.candidates import Choice
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.enumeration import enumerate_choices
from moorage.placement.index.matching import parts_of, parts_of_all
from moorage.placement.index.rules import Rules
from moorage.placement.index.search import Order, search
from moorage.placement.model.errors import ResourceClassNotFound, TraitNotFound
from moorage.placement.model.query import CandidateQuery, RequestGroup
from tests.placement.index.clouds import SHARING, cloud_of, group, mapped, provider, stock, told, traits

PLAIN = Order()


def in_order(cloud: Cloud, *groups: RequestGroup, order: Order = PLAIN, **options: Any) -> list[str]:
    """The candidates for these groups, told shortly, in the order they were found."""
    return told(cloud, search(cloud, CandidateQuery(groups, **options), order))


def found(cloud: Cloud, *groups: RequestGroup, **options: Any) -> set[str]:
    """The candidates for these groups, told shortly; each comes once."""
    candidates = search(cloud, CandidateQuery(groups, **options), PLAIN)
    assert len(set(candidates.choices)) == len(candidates.choices)
    return set(told(cloud, candidates))


class TestTheGroupWithoutASuffix:
    def test_is_served_by_every_host_with_room(self) -> None:
        cloud = cloud_of(provider("big", VCPU=8), provider("small", VCPU=2), provider("full", VCPU=stock(8, used=7)))
        assert found(cloud, group(VCPU=4)) == {"big VCPU:4"}
        assert found(cloud, group(VCPU=2)) == {"big VCPU:2", "small VCPU:2"}
        assert found(cloud, group(VCPU=9)) == set()

    @pytest.mark.parametrize(
        ("amount", "fits"),
        [(1, False), (2, True), (3, False), (4, True), (6, True), (8, False)],
    )
    def test_takes_only_amounts_that_units_and_steps_allow(self, amount: int, fits: bool) -> None:
        cloud = cloud_of(provider("host", VCPU=stock(16, min_unit=2, max_unit=6, step_size=2)))
        assert bool(found(cloud, group(VCPU=amount))) is fits

    def test_may_be_spread_over_a_tree(self) -> None:
        cloud = cloud_of(provider("host", DISK_GB=10).over(provider("cell0", VCPU=2), provider("cell1", VCPU=2)))
        assert found(cloud, group(VCPU=1, DISK_GB=5)) == {
            "cell0 VCPU:1, host DISK_GB:5",
            "cell1 VCPU:1, host DISK_GB:5",
        }

    def test_never_divides_one_class(self) -> None:
        cloud = cloud_of(provider("host").over(provider("cell0", VCPU=2), provider("cell1", VCPU=2)))
        assert found(cloud, group(VCPU=3)) == set()

    def test_is_never_spread_over_two_trees(self) -> None:
        cloud = cloud_of(provider("compute", VCPU=2), provider("storage", DISK_GB=10))
        assert found(cloud, group(VCPU=1, DISK_GB=5)) == set()

    def test_may_ask_for_a_tree(self) -> None:
        cloud = cloud_of(provider("one", VCPU=2).over(provider("cell", VCPU=2)), provider("two", VCPU=2))
        assert found(cloud, group(VCPU=1, in_tree="cell")) == {"one VCPU:1", "cell VCPU:1"}
        assert found(cloud, group(VCPU=1, in_tree="nowhere")) == set()

    def test_keeps_out_providers_with_a_forbidden_trait(self) -> None:
        cloud = cloud_of(provider("red", traits=["RED"], VCPU=2), provider("blue", traits=["BLUE"], VCPU=2))
        assert found(cloud, group(VCPU=1, forbidden="RED")) == {"blue VCPU:1"}

    def test_needs_one_of_several_traits(self) -> None:
        cloud = cloud_of(
            provider("red", traits=["RED"], VCPU=2),
            provider("fast red", traits=["RED", "FAST"], VCPU=2),
            provider("fast", traits=["FAST"], VCPU=2),
        )
        assert found(cloud, group(VCPU=1, required="FAST BLUE|RED")) == {"fast red VCPU:1"}

    def test_finds_required_traits_on_all_its_providers_together(self) -> None:
        # The disk need not be the one that has the disk's trait (https://bugs.launchpad.net/nova/+bug/1724633).
        cloud = cloud_of(
            provider("host", traits=["FAST"], VCPU=2).over(
                provider("safe disk", traits=["SAFE"], DISK_GB=10), provider("disk", DISK_GB=10)
            )
        )
        assert found(cloud, group(VCPU=1, DISK_GB=5, required="FAST SAFE")) == {"host VCPU:1, safe disk DISK_GB:5"}
        assert found(cloud, group(VCPU=1, DISK_GB=5, required="FAST")) == {
            "host VCPU:1, safe disk DISK_GB:5",
            "disk DISK_GB:5, host VCPU:1",
        }

    def test_is_not_helped_by_traits_of_providers_that_give_nothing(self) -> None:
        cloud = cloud_of(provider("host", traits=["FAST"]).over(provider("cell", VCPU=2)))
        assert found(cloud, group(VCPU=1, required="FAST")) == set()


class TestSharingProviders:
    def test_serve_trees_that_have_an_aggregate_in_common_with_them(self) -> None:
        cloud = cloud_of(
            provider("pool", traits=[SHARING], aggregates=["rack"], DISK_GB=10),
            provider("near", aggregates=["rack"], VCPU=2),
            provider("far", aggregates=["elsewhere"], VCPU=2),
            provider("above").over(provider("below", aggregates=["rack"], VCPU=2)),
        )
        assert found(cloud, group(VCPU=1, DISK_GB=5)) == {
            "near VCPU:1, pool DISK_GB:5",
            "below VCPU:1, pool DISK_GB:5",
        }

    def test_do_not_share_without_the_trait(self) -> None:
        cloud = cloud_of(
            provider("pool", aggregates=["rack"], DISK_GB=10), provider("near", aggregates=["rack"], VCPU=2)
        )
        assert found(cloud, group(VCPU=1, DISK_GB=5)) == set()

    def test_compete_with_what_a_host_has_itself(self) -> None:
        cloud = cloud_of(
            provider("pool", traits=[SHARING], aggregates=["rack"], DISK_GB=10),
            provider("host", aggregates=["rack"], VCPU=2, DISK_GB=10),
        )
        assert found(cloud, group(VCPU=1, DISK_GB=5)) == {
            "host VCPU:1, pool DISK_GB:5",
            "host DISK_GB:5, host VCPU:1",
        }

    def test_are_proposed_once_however_many_trees_they_share_with(self) -> None:
        cloud = cloud_of(
            provider("pool", traits=[SHARING], aggregates=["rack"], DISK_GB=10),
            provider("one", aggregates=["rack"], VCPU=2),
            provider("two", aggregates=["rack"], VCPU=2),
        )
        assert found(cloud, group(DISK_GB=5)) == {"pool DISK_GB:5"}

    def test_may_serve_a_group_with_a_suffix(self) -> None:
        cloud = cloud_of(
            provider("pool", traits=[SHARING], aggregates=["rack"], DISK_GB=10),
            provider("host", aggregates=["rack"], VCPU=2),
        )
        assert found(cloud, group(VCPU=1), group("_DISK", DISK_GB=5)) == {"host VCPU:1, pool DISK_GB:5"}

    def test_stay_out_where_a_tree_is_asked_for(self) -> None:
        cloud = cloud_of(
            provider("pool", traits=[SHARING], aggregates=["rack"], DISK_GB=10),
            provider("host", aggregates=["rack"], VCPU=2),
        )
        assert found(cloud, group(VCPU=1, DISK_GB=5, in_tree="host")) == set()

    def test_may_be_the_child_of_another_tree(self) -> None:
        cloud = cloud_of(
            provider("owner").over(provider("pool", traits=[SHARING], aggregates=["rack"], DISK_GB=10)),
            provider("guest", aggregates=["rack"], VCPU=2),
        )
        assert found(cloud, group(VCPU=1, DISK_GB=5)) == {"guest VCPU:1, pool DISK_GB:5"}


class TestAggregatesOfARoot:
    """They count for its whole tree in the group without a suffix, and only for the root itself in the others."""

    CLOUD = cloud_of(
        provider("host", aggregates=["rack"]).over(provider("cell", VCPU=2)),
        provider("other").over(provider("racked cell", aggregates=["rack"], VCPU=2)),
    )

    @pytest.mark.parametrize(
        ("asked", "answer"),
        [
            (group(VCPU=1, member_of="rack"), {"cell VCPU:1", "racked cell VCPU:1"}),
            (group(VCPU=1, not_member_of="rack"), set()),
            (group("1", VCPU=1, member_of="rack"), {"racked cell VCPU:1"}),
            (group("1", VCPU=1, not_member_of="rack"), {"cell VCPU:1"}),
            (group(VCPU=1, member_of="rack|elsewhere"), {"cell VCPU:1", "racked cell VCPU:1"}),
            (group(VCPU=1, member_of="rack elsewhere"), set()),
        ],
    )
    def test_span_the_tree_or_not(self, asked: RequestGroup, answer: set[str]) -> None:
        assert found(self.CLOUD, asked) == answer


class TestGroupsWithSuffixes:
    CELLS = cloud_of(provider("host").over(provider("cell0", VCPU=4, GPU=1), provider("cell1", VCPU=4)))

    def test_are_each_served_by_one_provider(self) -> None:
        assert found(self.CELLS, group("1", VCPU=1, GPU=1)) == {"cell0 GPU:1, cell0 VCPU:1"}

    def test_may_share_a_provider(self) -> None:
        assert found(self.CELLS, group("1", VCPU=2), group("2", VCPU=1)) == {
            "cell0 VCPU:3",
            "cell0 VCPU:2, cell1 VCPU:1",
            "cell0 VCPU:1, cell1 VCPU:2",
            "cell1 VCPU:3",
        }

    def test_do_not_share_a_provider_when_isolated(self) -> None:
        assert found(self.CELLS, group("1", VCPU=2), group("2", VCPU=1), isolate=True) == {
            "cell0 VCPU:2, cell1 VCPU:1",
            "cell0 VCPU:1, cell1 VCPU:2",
        }

    def test_share_with_the_group_without_a_suffix_even_when_isolated(self) -> None:
        cloud = cloud_of(provider("host", VCPU=4))
        assert found(cloud, group(VCPU=1), group("1", VCPU=2), isolate=True) == {"host VCPU:3"}

    def test_do_not_fit_together_where_only_each_of_them_fits(self) -> None:
        cloud = cloud_of(provider("host", VCPU=4))
        assert found(cloud, group("1", VCPU=3), group("2", VCPU=2)) == set()

    def test_may_not_exceed_the_largest_unit_together(self) -> None:
        cloud = cloud_of(provider("host", VCPU=stock(8, max_unit=3)))
        assert found(cloud, group("1", VCPU=2), group("2", VCPU=2)) == set()
        assert found(cloud, group("1", VCPU=2), group("2", VCPU=1)) == {"host VCPU:3"}

    def test_need_all_their_traits_on_the_one_provider(self) -> None:
        cloud = cloud_of(
            provider("host", traits=["FAST"], VCPU=2).over(provider("cell", traits=["FAST", "SAFE"], VCPU=2))
        )
        assert found(cloud, group("1", VCPU=1, required="FAST SAFE")) == {"cell VCPU:1"}

    def test_are_told_apart_by_who_serves_them(self) -> None:
        query = CandidateQuery((group("_A", VCPU=1), group("_B", VCPU=1)), isolate=True)
        assert mapped(self.CELLS, search(self.CELLS, query, PLAIN)) == [
            {"_A": {"cell0"}, "_B": {"cell1"}},
            {"_A": {"cell1"}, "_B": {"cell0"}},
        ]

    def test_must_all_be_about_one_tree(self) -> None:
        cloud = cloud_of(provider("one", VCPU=2), provider("two", GPU=1))
        assert found(cloud, group("1", VCPU=1), group("2", GPU=1)) == set()

    def test_may_be_bound_to_different_trees_only_through_sharing(self) -> None:
        cloud = cloud_of(
            provider("pool", traits=[SHARING], aggregates=["rack"], DISK_GB=10),
            provider("host", aggregates=["rack"], VCPU=2),
        )
        asked = (group("1", VCPU=1, in_tree="host"), group("2", DISK_GB=5, in_tree="pool"))
        assert found(cloud, *asked) == {"host VCPU:1, pool DISK_GB:5"}


class TestSameSubtree:
    """A host with two cells; the first has a processor and a GPU below it, the second only processors."""

    CLOUD = cloud_of(
        provider("host", traits=["SAFE"]).over(
            provider("cell0", traits=["FAST"], VCPU=4).over(provider("gpu0", GPU=1)),
            provider("cell1", traits=["FAST"], VCPU=4),
        )
    )

    def test_keeps_groups_under_one_of_their_providers(self) -> None:
        together = (frozenset({"_CPU", "_GPU"}),)
        asked = (group("_CPU", VCPU=1), group("_GPU", GPU=1))
        assert found(self.CLOUD, *asked) == {"cell0 VCPU:1, gpu0 GPU:1", "cell1 VCPU:1, gpu0 GPU:1"}
        assert found(self.CLOUD, *asked, same_subtrees=together) == {"cell0 VCPU:1, gpu0 GPU:1"}

    def test_may_name_a_group_without_resources_as_the_top(self) -> None:
        asked = (group("_CPU", VCPU=1), group("_GPU", GPU=1), group("_TOP", required="FAST"))
        together = (frozenset({"_CPU", "_GPU", "_TOP"}),)
        query = CandidateQuery(asked, same_subtrees=together)
        assert mapped(self.CLOUD, search(self.CLOUD, query, PLAIN)) == [
            {"_CPU": {"cell0"}, "_GPU": {"gpu0"}, "_TOP": {"cell0"}}
        ]

    def test_is_not_satisfied_by_a_common_ancestor_that_serves_no_group(self) -> None:
        asked = (group("_CPU", VCPU=1, in_tree="host"), group("_OTHER", VCPU=1))
        together = (frozenset({"_CPU", "_OTHER"}),)
        assert found(self.CLOUD, *asked, isolate=True, same_subtrees=together) == set()

    def test_may_be_asked_for_twice(self) -> None:
        asked = (group("_CPU", VCPU=1), group("_GPU", GPU=1), group("_TOP", required="SAFE"))
        each = (frozenset({"_CPU", "_TOP"}), frozenset({"_GPU", "_TOP"}))
        assert len(found(self.CLOUD, *asked, same_subtrees=each)) == 2
        assert len(found(self.CLOUD, *asked, same_subtrees=(*each, frozenset({"_CPU", "_GPU"})))) == 1


class TestTheRoot:
    CLOUD = cloud_of(
        provider("safe", traits=["SAFE"]).over(provider("cell of safe", VCPU=2)),
        provider("plain").over(provider("safe cell", traits=["SAFE"], VCPU=2)),
    )

    def test_must_have_what_is_required_of_it(self) -> None:
        assert found(self.CLOUD, group(VCPU=1), root_traits=traits("SAFE")) == {"cell of safe VCPU:1"}

    def test_must_not_have_what_is_forbidden_to_it(self) -> None:
        assert found(self.CLOUD, group(VCPU=1), root_traits=traits(forbidden="SAFE")) == {"safe cell VCPU:1"}

    def test_is_the_one_of_the_host_and_not_of_what_is_shared_with_it(self) -> None:
        cloud = cloud_of(
            provider("pool", traits=[SHARING], aggregates=["rack"], DISK_GB=10),
            provider("host", traits=["SAFE"], aggregates=["rack"], VCPU=2),
        )
        asked = group(VCPU=1, DISK_GB=5)
        assert found(cloud, asked, root_traits=traits("SAFE")) == {"host VCPU:1, pool DISK_GB:5"}


class TestBeforeNestedProviders:
    def test_a_candidate_uses_one_provider_of_a_tree(self) -> None:
        cloud = cloud_of(provider("host", DISK_GB=10).over(provider("cell", VCPU=2, DISK_GB=10)))
        assert found(cloud, group(VCPU=1, DISK_GB=5), nested=False) == {"cell DISK_GB:5, cell VCPU:1"}
        assert found(cloud, group("1", VCPU=1), group("2", DISK_GB=5), isolate=True, nested=False) == set()

    def test_a_candidate_may_use_one_provider_each_of_several_trees(self) -> None:
        cloud = cloud_of(
            provider("rack switch").over(provider("pool", traits=[SHARING], aggregates=["rack"], DISK_GB=10)),
            provider("host", DISK_GB=10).over(provider("cell", aggregates=["rack"], VCPU=2)),
        )
        assert found(cloud, group(VCPU=1, DISK_GB=5), nested=False) == {"cell VCPU:1, pool DISK_GB:5"}


class TestUnknownNames:
    CLOUD = cloud_of(provider("host", VCPU=2))

    def test_of_classes_are_refused(self) -> None:
        with pytest.raises(ResourceClassNotFound):
            found(self.CLOUD, group(CUSTOM_NOTHING=1))

    @pytest.mark.parametrize("condition", [{"required": "NOTHING"}, {"forbidden": "NOTHING"}])
    def test_of_traits_are_refused(self, condition: dict[str, str]) -> None:
        with pytest.raises(TraitNotFound):
            found(self.CLOUD, group(VCPU=1, **condition))  # type: ignore[arg-type]

    def test_of_traits_of_the_root_are_refused(self) -> None:
        with pytest.raises(TraitNotFound):
            found(self.CLOUD, group(VCPU=1), root_traits=traits("NOTHING"))


class TestOrder:
    """Three hosts with three cells each: nine candidates."""

    CLOUD = cloud_of(
        *(provider(f"host{h}").over(*(provider(f"cell{h}{c}", VCPU=2) for c in range(3))) for h in range(3))
    )
    TREE_BY_TREE = tuple(f"cell{h}{c} VCPU:1" for h in range(3) for c in range(3))
    IN_TURN = tuple(f"cell{h}{c} VCPU:1" for c in range(3) for h in range(3))

    def test_is_one_of_each_tree_in_turn(self) -> None:
        assert in_order(self.CLOUD, group(VCPU=1)) == list(self.IN_TURN)

    def test_is_one_of_each_tree_in_turn_when_limited(self) -> None:
        assert in_order(self.CLOUD, group(VCPU=1), limit=4) == list(self.IN_TURN[:4])

    @pytest.mark.parametrize(
        ("order", "expected"),
        [
            (Order(most=4), TREE_BY_TREE[:4]),
            (Order(most=4, breadth_first=True), IN_TURN[:4]),
            (Order(most=99), TREE_BY_TREE),
            (Order(breadth_first=True), IN_TURN),
        ],
    )
    def test_is_as_configured_where_the_operator_bounds_it(self, order: Order, expected: tuple[str, ...]) -> None:
        assert in_order(self.CLOUD, group(VCPU=1), order=order) == list(expected)

    def test_goes_on_with_the_other_trees_when_one_is_exhausted(self) -> None:
        cloud = cloud_of(
            provider("small", VCPU=2), provider("large").over(provider("cell0", VCPU=2), provider("cell1", VCPU=2))
        )
        assert in_order(cloud, group(VCPU=1), limit=9) == ["small VCPU:1", "cell0 VCPU:1", "cell1 VCPU:1"]

    def test_is_the_same_every_time(self) -> None:
        assert in_order(self.CLOUD, group(VCPU=1), limit=5) == in_order(self.CLOUD, group(VCPU=1), limit=5)

    @pytest.mark.parametrize(("most", "limit", "count"), [(4, None, 4), (4, 2, 2), (2, 4, 2), (99, None, 9)])
    def test_is_cut_off_at_the_smaller_of_both_limits(self, most: int, limit: int | None, count: int) -> None:
        assert len(in_order(self.CLOUD, group(VCPU=1), limit=limit, order=Order(most=most))) == count

    def test_is_random_when_configured_and_everything_is_there(self) -> None:
        assert sorted(in_order(self.CLOUD, group(VCPU=1), order=Order(randomize=True))) == list(self.TREE_BY_TREE)

    @staticmethod
    def drawn(cloud: Cloud, *groups: RequestGroup) -> Counter[str]:
        """How often each candidate comes first, of 400 times."""
        return Counter(
            candidate
            for _ in range(400)
            for candidate in in_order(cloud, *groups, limit=1, order=Order(randomize=True))
        )

    def test_of_a_random_sample_gives_each_tree_the_same_chance_whatever_its_size(self) -> None:
        """So the only candidate of a small tree comes nine times as often as each of nine of a large one.

        The bounds are nine standard deviations away; were all ten candidates equal, 40 times could be expected.
        """
        cells = [f"cell{number}" for number in range(9)]
        cloud = cloud_of(provider("small", VCPU=2), provider("large").over(*(provider(cell, VCPU=2) for cell in cells)))
        drawn = self.drawn(cloud, group(VCPU=1))
        assert 110 < drawn.pop("small VCPU:1") < 290
        assert set(drawn) == {f"{cell} VCPU:1" for cell in cells}

    def test_of_a_random_sample_may_begin_with_any_combination_of_groups_that_ask_for_the_same(self) -> None:
        cloud = cloud_of(provider("host").over(*(provider(f"gpu{number}", GPU=2) for number in range(3))))
        assert set(self.drawn(cloud, group("1", GPU=1), group("2", GPU=1))) == {
            *(f"gpu{number} GPU:2" for number in range(3)),
            *(f"gpu{one} GPU:1, gpu{other} GPU:1" for one in range(3) for other in range(one + 1, 3)),
        }


class TestTheBuiltInBound:
    """Five here; once for hosts that need no combining, and once for such as do."""

    FLAT, NESTED = "hosts without children", "hosts with a child"

    @pytest.fixture(autouse=True)
    def _five(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(searching, "MOST_CANDIDATES", 5)

    @staticmethod
    def hosts(kind: str, count: int) -> Cloud:
        if kind == TestTheBuiltInBound.FLAT:
            return cloud_of(*(provider(f"host{n}", VCPU=2) for n in range(count)))
        return cloud_of(*(provider(f"host{n}").over(provider(f"cell{n}", VCPU=2)) for n in range(count)))

    @pytest.mark.parametrize("kind", [FLAT, NESTED])
    @pytest.mark.parametrize(("limit", "most"), [(None, None), (6, None), (None, 6), (99, 99)])
    def test_cuts_an_answer_off_and_says_so(
        self, kind: str, limit: int | None, most: int | None, caplog: pytest.LogCaptureFixture
    ) -> None:
        assert len(in_order(self.hosts(kind, 6), group(VCPU=1), limit=limit, order=Order(most=most))) == 5
        assert caplog.messages == ["An answer was cut off at 5 candidates; there are more"]

    @pytest.mark.parametrize("kind", [FLAT, NESTED])
    def test_is_not_spoken_of_where_there_are_no_more(self, kind: str, caplog: pytest.LogCaptureFixture) -> None:
        assert len(in_order(self.hosts(kind, 5), group(VCPU=1))) == 5
        assert caplog.messages == []

    @pytest.mark.parametrize("kind", [FLAT, NESTED])
    @pytest.mark.parametrize(("limit", "most", "count"), [(5, None, 5), (None, 5, 5), (2, None, 2), (99, 2, 2)])
    def test_is_not_spoken_of_where_somebody_wanted_no_more(
        self, kind: str, limit: int | None, most: int | None, count: int, caplog: pytest.LogCaptureFixture
    ) -> None:
        assert len(in_order(self.hosts(kind, 6), group(VCPU=1), limit=limit, order=Order(most=most))) == count
        assert caplog.messages == []

    def test_comes_sooner_where_each_candidate_has_many_providers(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(searching, "MOST_PROVIDERS", 10)
        cloud = cloud_of(provider("host").over(*(provider(f"cell{n}", VCPU=9) for n in range(3))))
        assert len(in_order(cloud, *(group(str(n), VCPU=1) for n in range(5)))) == 2
        assert caplog.messages == ["An answer was cut off at 2 candidates; there are more"]


class TestLaziness:
    """The work grows with the answer and not with the number of combinations."""

    @staticmethod
    def gpus(count: int) -> Cloud:
        return cloud_of(provider("host").over(*(provider(f"gpu{n}", GPU=1) for n in range(count))))

    def test_a_wide_tree_with_many_groups_and_a_limit_is_answered(self) -> None:
        """Twelve groups over twelve GPUs can be served in 479 million ways."""
        groups = tuple(group(str(n), GPU=1) for n in range(12))
        candidates = search(self.gpus(12), CandidateQuery(groups, limit=10), PLAIN)
        assert len(set(candidates.choices)) == 10

    def test_a_request_that_almost_fits_is_given_up_at_once(self) -> None:
        """The first eleven of twelve groups can be placed on eleven GPUs in 40 million ways, all of them in vain."""
        groups = tuple(group(str(n), GPU=1) for n in range(12))
        assert in_order(self.gpus(11), *groups, limit=10) == []

    @pytest.mark.parametrize("order", [PLAIN, Order(randomize=True)])
    def test_pools_that_serve_everything_are_combined_once_and_not_for_every_host(
        self, order: Order, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        looked_at = []

        def counted(rules: Rules, choices: Sequence[Sequence[int]]) -> Iterator[Choice]:
            looked_at.append(choices)
            return enumerate_choices(rules, choices)

        monkeypatch.setattr(searching, "enumerate_choices", counted)
        pools = [provider(f"pool{n}", traits=[SHARING], aggregates=["rack"], DISK_GB=10) for n in range(3)]
        cloud = cloud_of(*pools, *(provider(f"host{n}", aggregates=["rack"], VCPU=2) for n in range(50)))
        asked = (group("1", DISK_GB=1), group("2", DISK_GB=1))
        assert len(in_order(cloud, *asked, isolate=True, order=order)) == 6
        assert len(looked_at) == 1


class TestGroupsThatAskForTheSame:
    def test_are_looked_for_once_and_keep_their_names(self) -> None:
        cloud = cloud_of(
            provider("host", VCPU=8).over(*(provider(f"gpu{number}", traits=["FAST"], GPU=1) for number in range(4)))
        )
        groups = [group(VCPU=1), group("_1", GPU=1), group("_2", GPU=1), group("_3", required="FAST", GPU=1)]
        parts = parts_of_all(cloud, groups)
        alone = [part for each in groups for part in parts_of(cloud, each)]
        assert [part.group for part in parts] == groups
        assert [part.providers.tolist() for part in parts] == [part.providers.tolist() for part in alone]
        assert [part.is_served_like(before) for before, part in pairwise(parts)] == [False, True, False]

    def test_are_not_like_the_group_without_a_suffix(self) -> None:
        cloud = cloud_of(provider("host").over(provider("gpu0", GPU=1), provider("gpu1", GPU=1)))
        parts = parts_of_all(cloud, [group(GPU=1), group("_1", GPU=1)])
        assert not parts[1].is_served_like(parts[0])
        assert mapped(cloud, search(cloud, CandidateQuery((group(GPU=1), group("_1", GPU=1))), PLAIN))
