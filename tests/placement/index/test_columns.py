"""The columns of a class say the same as its inventories do one by one, also with the most extreme numbers."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import example, given
from hypothesis import strategies as st

from moorage.placement.index.columns import ClassColumns
from moorage.placement.model.inventory import MAX_AMOUNT, Inventory, Stock
from tests.placement.index.clouds import TODAY
from tests.properties import effort

# Small numbers, which meet each other often, and the borders of what the API accepts.
AMOUNTS = st.one_of(st.integers(1, 12), st.sampled_from([MAX_AMOUNT - 1, MAX_AMOUNT]))
# A client may ask for more than anybody can have.
ASKED = st.one_of(AMOUNTS, st.sampled_from([MAX_AMOUNT + 1, 2**63 - 1, 2**63, 10**30]))
# An inventory that was made smaller may be fuller than full.
USED = st.one_of(st.integers(0, 12), st.sampled_from([MAX_AMOUNT, 2**40]))
RATIOS = st.sampled_from([1e-38, 0.1, 0.5, 1.0, 1.5, 16.0, 3.40282e38])
SLOTS = st.integers(0, 7)


@st.composite
def stocks(draw: st.DrawFn) -> Stock:
    total = draw(AMOUNTS)
    reserved = draw(st.one_of(st.just(0), st.integers(0, total)))
    inventory = Inventory(total, reserved, draw(AMOUNTS), draw(AMOUNTS), draw(AMOUNTS), draw(RATIOS))
    return Stock(inventory, draw(USED), TODAY)


def gives(stock: Stock, amount: int) -> bool:
    """The rule, as a person would write it."""
    return stock.inventory.allows(amount) and stock.used + amount <= stock.inventory.capacity


def rows(columns: ClassColumns) -> list[tuple[int, ...]]:
    named = (columns.capacity, columns.used, columns.min_unit, columns.max_unit, columns.step_size)
    return list(zip(*(column.tolist() for column in (columns.slots, *named)), strict=True))


@effort(300)
@given(by_slot=st.dictionaries(SLOTS, stocks()), amount=ASKED)
@example(
    by_slot={0: Stock(Inventory(MAX_AMOUNT, allocation_ratio=3.4e38), 2**62 - MAX_AMOUNT, TODAY)}, amount=MAX_AMOUNT
)
@example(by_slot={0: Stock(Inventory(1, allocation_ratio=3.4e38), 2**62, TODAY)}, amount=1)
def test_those_offer_an_amount_whose_inventory_allows_it_and_has_it_free(
    by_slot: dict[int, Stock], amount: int
) -> None:
    offering = ClassColumns.of(by_slot).offering(amount).tolist()
    assert offering == sorted(slot for slot, stock in by_slot.items() if gives(stock, amount))


@effort(100)
@given(before=st.dictionaries(SLOTS, stocks()), changes=st.dictionaries(SLOTS, st.none() | stocks()))
def test_changed_columns_are_those_of_the_changed_inventories(
    before: Mapping[int, Stock], changes: Mapping[int, Stock | None]
) -> None:
    columns = ClassColumns.of(before)
    changed = columns.with_stocks(changes)
    after = {slot: stock for slot, stock in {**before, **changes}.items() if stock is not None}
    assert rows(changed) == rows(ClassColumns.of(after))
    assert len(changed) == len(after)
    assert rows(columns) == rows(ClassColumns.of(before))  # as it was


@effort(100)
@given(before=st.dictionaries(SLOTS, stocks(), min_size=1), used=st.lists(USED, min_size=8, max_size=8))
def test_usage_changes_nothing_but_usage(before: Mapping[int, Stock], used: list[int]) -> None:
    columns = ClassColumns.of(before)
    changes = {slot: used[slot] for slot in sorted(before)[::2]}
    after = {slot: Stock(stock.inventory, changes.get(slot, stock.used), TODAY) for slot, stock in before.items()}
    assert rows(columns.with_usage(changes)) == rows(ClassColumns.of(after))
    assert rows(columns) == rows(ClassColumns.of(before))
