from __future__ import annotations

from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.placement.model.inventory import MAX_AMOUNT, MAX_CAPACITY, Inventory
from tests.properties import effort

totals = st.integers(1, MAX_AMOUNT)
# Up to a thousandth and up to 64: what operators write.
written_ratios = st.integers(1, 64_000).map(lambda thousandths: Fraction(thousandths, 1000))
# Multiples of 1/1024 up to 1024: every product with a total is a floating-point number without rounding.
exact_ratios = st.integers(1, 2**20).map(lambda parts: Fraction(parts, 1024))


@st.composite
def totals_and_reserved(draw: st.DrawFn) -> tuple[int, int]:
    total = draw(totals)
    return total, draw(st.integers(0, total))


@pytest.mark.parametrize(
    ("inventory", "capacity"),
    [
        (Inventory(total=8), 8),
        (Inventory(total=8, allocation_ratio=16.0), 128),
        (Inventory(total=8, reserved=2, allocation_ratio=1.5), 9),
        (Inventory(total=3, allocation_ratio=1.5), 4),
        (Inventory(total=8, reserved=8), 0),
        (Inventory(total=10, allocation_ratio=0.7), 7),
        (Inventory(total=MAX_AMOUNT, allocation_ratio=3.40282e38), MAX_CAPACITY),
        (Inventory(total=MAX_AMOUNT, allocation_ratio=-1e308), -MAX_CAPACITY),
    ],
)
def test_capacity_is_what_is_not_reserved_times_the_ratio(inventory: Inventory, capacity: int) -> None:
    assert inventory.capacity == capacity


@effort(200)
@given(totals_and_reserved(), exact_ratios)
def test_capacity_is_exact_where_floating_point_is(amounts: tuple[int, int], ratio: Fraction) -> None:
    total, reserved = amounts
    inventory = Inventory(total=total, reserved=reserved, allocation_ratio=float(ratio))
    assert inventory.capacity == floor((total - reserved) * ratio)


@effort(200)
@given(totals_and_reserved(), written_ratios)
def test_capacity_is_never_more_than_there_is(amounts: tuple[int, int], ratio: Fraction) -> None:
    total, reserved = amounts
    inventory = Inventory(total=total, reserved=reserved, allocation_ratio=float(ratio))
    exact = (total - reserved) * ratio
    assert exact - 1 <= inventory.capacity <= exact


@effort(200)
@given(totals_and_reserved(), st.floats(0, 3.40282e38))
def test_capacity_always_fits_a_database(amounts: tuple[int, int], ratio: float) -> None:
    total, reserved = amounts
    assert 0 <= Inventory(total=total, reserved=reserved, allocation_ratio=ratio).capacity <= MAX_CAPACITY


@effort(200)
@given(st.integers(1, 50), st.integers(1, 50), st.integers(1, 10), st.integers(1, 60))
def test_an_amount_is_allowed_if_units_and_step_say_so(least: int, most: int, step: int, amount: int) -> None:
    inventory = Inventory(total=100, min_unit=least, max_unit=most, step_size=step)
    assert inventory.allows(amount) == (amount in range(0, 1000, step) and least <= amount <= most)
