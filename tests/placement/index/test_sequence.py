"""For whom providers are looked for first."""

from __future__ import annotations

import pytest

from moorage.placement.index.matching import parts_of_all
from moorage.placement.index.rules import Rules
from moorage.placement.model.query import CandidateQuery, RequestGroup
from tests.placement.index.clouds import cloud_of, group, provider


def sequence(*groups: RequestGroup, same_subtrees: tuple[str, ...] = ()) -> str:
    """The suffixes in the order their groups are taken up; a hyphen for the group without one."""
    subtrees = tuple(frozenset(suffixes) for suffixes in same_subtrees)
    cloud = cloud_of(provider("host", VCPU=99, GPU=99))
    parts = parts_of_all(cloud, groups)
    rules = Rules(cloud, CandidateQuery(groups, same_subtrees=subtrees), parts)
    return "".join(parts[number].group.suffix or "-" for number in rules.sequence)


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ((group("a", GPU=1), group("b", GPU=1)), "ab"),
        ((group("a", GPU=1), group("b", GPU=3), group("c", GPU=2)), "bca"),
        # Nobody else wants processors.
        ((group(VCPU=64), group("a", GPU=1), group("b", GPU=2)), "ba-"),
        # Half of all processors is more than a third of the GPUs.
        ((group("a", GPU=5), group("b", GPU=5), group("c", VCPU=1, GPU=5), group("d", VCPU=1)), "cdab"),
    ],
)
def test_the_largest_come_first(groups: tuple[RequestGroup, ...], expected: str) -> None:
    assert sequence(*groups) == expected


def test_what_is_to_be_in_one_subtree_stays_together() -> None:
    groups = [group(suffix, VCPU=1) for suffix in "ab"] + [group(suffix, GPU=1) for suffix in "cdef"]
    assert sequence(*groups, same_subtrees=("acd", "bef")) == "acdbef"
    assert sequence(*groups, same_subtrees=("ac", "cb", "bd")) == "abcdef"


def test_a_group_without_resources_comes_before_those_that_may_be_below_it() -> None:
    assert sequence(group("a", GPU=1), group("t", required="FAST"), same_subtrees=("at",)) == "ta"
