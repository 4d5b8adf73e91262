"""What comes to the same has one label, and nothing else has it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import pytest

from moorage.placement.index.matching import parts_of_all
from moorage.placement.index.rules import Rules
from moorage.placement.index.shapes import Shape
from moorage.placement.model.query import CandidateQuery
from tests.placement.index.clouds import Provider, cloud_of, group, provider, stock

TWO_GPUS = CandidateQuery((group("_1", GPU=2), group("_2", GPU=3)))
ONE_SUBTREE = CandidateQuery((group("_c", VCPU=1), group("_g", GPU=1)), same_subtrees=(frozenset({"_c", "_g"}),))


def shapes(query: CandidateQuery, *hosts: Provider) -> list[Shape]:
    """The shape of each host."""
    cloud = cloud_of(*hosts)
    parts = parts_of_all(cloud, query.groups)
    rules = Rules(cloud, query, parts)
    roots = np.array([cloud.slot_of(host.name) for host in hosts])
    choices = zip(*(part.chooser(cloud.topology)(roots) for part in parts), strict=True)
    return [Shape(rules, each, rules.memory.labels) for each in choices]


def come_to_the_same(query: CandidateQuery, one: Provider, other: Provider) -> bool:
    first, second = shapes(query, one, other)
    return first.label == second.label


def host(name: str, *gpus: int) -> Provider:
    return provider(name).over(*(provider(f"{name}-gpu{number}", GPU=free) for number, free in enumerate(gpus)))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ((3, 5), (3, 5), True),
        ((3, 5), (5, 3), True),
        ((3, 5), (3, 5, 5), False),
        ((3, 3), (5, 5), False),
        ((2, 3), (3, 3), False),
        # Two and three can take three of four, and five of six.
        ((3, 5), (4, 6), True),
    ],
)
def test_hosts_come_to_the_same_if_equal_amounts_can_be_taken_of_them(
    one: Sequence[int], other: Sequence[int], same: bool
) -> None:
    assert come_to_the_same(TWO_GPUS, host("one", *one), host("other", *other)) is same


def test_the_largest_unit_counts_as_what_is_free_does() -> None:
    bounded = provider("bounded").over(provider("gpu", GPU=stock(9, max_unit=3)))
    assert come_to_the_same(TWO_GPUS, host("free", 3), bounded)


def test_who_is_above_whom_counts_where_groups_are_to_be_in_one_subtree() -> None:
    gpus_in_two_cells = provider("one").over(
        provider("a", VCPU=1).over(provider("a1", GPU=1)), provider("b", VCPU=1).over(provider("b1", GPU=1))
    )
    gpus_in_one_cell = provider("other").over(
        provider("c", VCPU=1).over(provider("c1", GPU=1), provider("c2", GPU=1)), provider("d", VCPU=1)
    )
    assert not come_to_the_same(ONE_SUBTREE, gpus_in_two_cells, gpus_in_one_cell)
    anywhere = CandidateQuery(ONE_SUBTREE.groups)
    assert come_to_the_same(anywhere, gpus_in_two_cells, gpus_in_one_cell)


# Two cells with two GPUs each, of which something is said.
CELLS = provider("host").over(
    provider("cell0", VCPU=1).over(provider("gpu0", GPU=1), provider("gpu1", GPU=1)),
    provider("cell1", VCPU=1).over(provider("gpu2", GPU=1), provider("gpu3", GPU=1)),
)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"gpu0": "taken"}, {"gpu3": "taken"}, True),
        ({"gpu0": "taken", "cell0": "top"}, {"gpu2": "taken", "cell1": "top"}, True),
        ({"gpu0": "taken", "cell0": "top"}, {"gpu0": "taken", "cell1": "top"}, False),
        ({"gpu0": "taken", "gpu1": "taken"}, {"gpu2": "taken", "gpu3": "taken"}, True),
        ({"gpu0": "taken", "gpu1": "taken"}, {"gpu0": "taken", "gpu2": "taken"}, False),
        ({"gpu0": "taken"}, {"gpu0": "open"}, False),
        ({"gpu0": "taken"}, {"cell0": "taken"}, False),
        ({}, {"gpu0": "taken"}, False),
    ],
)
def test_what_is_said_of_equal_children_comes_to_the_same(
    one: Mapping[str, Hashable], other: Mapping[str, Hashable], same: bool
) -> None:
    (shape,) = shapes(ONE_SUBTREE, CELLS)
    cloud = cloud_of(CELLS)

    def label(marks: Mapping[str, Hashable]) -> Hashable:
        return shape.label_with({cloud.directory.by_name[name]: said for name, said in marks.items()})

    assert (label(one) == label(other)) is same
