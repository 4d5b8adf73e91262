"""The overcommit factor, also where amounts are so large that doubles are coarse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.capacity.model.overcommit import LEAST, MOST, effective, is_usable, raw
from tests.properties import effort


def counted_up(factor: float, wanted: int) -> int:
    """The rule as it is written down: from below, one by one."""
    amount = int(wanted / factor)
    while effective(factor, amount) < wanted:
        amount += 1
    return amount


@effort(100)
@given(st.floats(0.01, 100), st.integers(0, 10**12))
def test_raw_amounts_are_those_of_counting_up(factor: float, wanted: int) -> None:
    if factor != 1.0:
        assert raw(factor, wanted) == counted_up(factor, wanted)


@pytest.mark.parametrize("factor", [LEAST, 0.1, 1.3, 3.7, MOST])
@pytest.mark.parametrize("wanted", [0, 1, 2**53 + 1, 2**64 - 1])
def test_the_largest_amounts_are_soon_found(factor: float, wanted: int) -> None:
    amount = raw(factor, wanted)

    assert effective(factor, amount) >= wanted
    assert amount == 0 or effective(factor, amount - 1) < wanted or amount == int(wanted / factor)


@pytest.mark.parametrize("factor", [-1.0, 1e-300, 1e300, float("inf"), float("nan")])
def test_what_is_no_factor(factor: float) -> None:
    assert not is_usable(factor)
    assert is_usable(0)
    assert is_usable(4.5)
