"""Which numbers of the feed are waited for, and for how long."""

from __future__ import annotations

from moorage.placement.feed_holes import Holes, missing_between


def test_holes_are_told_in_rising_order_and_forgotten_by_age() -> None:
    holes = Holes({7, 3}, 10.0)
    holes.open(range(20, 23), 12.0)
    assert list(holes) == [3, 7, 20, 21, 22]
    assert (holes.lowest, len(holes), 21 in holes, 8 in holes) == (3, 5, True, False)
    holes.forget_before(12.0)
    assert list(holes) == [20, 21, 22]
    holes.forget_before(13.0)
    assert not holes


def test_a_number_that_appears_is_no_hole_any_more() -> None:
    holes = Holes({3, 7}, 10.0)
    holes.fill({3, 4, 5})
    assert list(holes) == [7]


def test_holes_up_to_a_number_are_counted() -> None:
    holes = Holes({3, 7, 9}, 10.0)
    assert [holes.up_to(number) for number in (2, 3, 8, 9, 100)] == [0, 1, 2, 3, 3]


def test_the_first_above_a_number_is_told() -> None:
    holes = Holes({3, 7, 9}, 10.0)
    assert [holes.lowest_above(number) for number in (2, 3, 8, 9)] == [3, 7, 9, None]


def test_what_is_missing_is_told_between_what_is_there() -> None:
    assert list(missing_between(10, {15, 12, 13, 4})) == [11, 14]
    assert list(missing_between(10, ())) == []


def test_numbers_that_leap_are_not_all_waited_for() -> None:
    found = list(missing_between(10, {12, 10**15}))
    assert found[:2] == [11, 13]
    assert found[-1] == 10**15 - 1
    assert len(found) == 200_001


def test_a_transaction_may_take_hundreds_of_thousands() -> None:
    assert len(list(missing_between(0, {500_001}))) == 500_000
