"""One resource class over the whole cloud, as columns of numbers: what vector filters run over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from moorage.placement.model.inventory import MAX_AMOUNT, Stock

Slots = NDArray[np.int64]
Numbers = NDArray[np.int64]
# Of all slots, some.
Mask = NDArray[np.bool_]

_COLUMNS = 5


@dataclass(frozen=True, slots=True)
class ClassColumns:
    """Who has inventory of a class; row i of every column is about the provider in slot `slots[i]`."""

    slots: Slots  # ascending
    capacity: Numbers
    used: Numbers
    min_unit: Numbers
    max_unit: Numbers
    step_size: Numbers

    @classmethod
    def of(cls, stocks: Mapping[int, Stock]) -> ClassColumns:
        """The columns for these inventories by slot."""
        order = sorted(stocks)
        table = np.array([_row(stocks[slot]) for slot in order], dtype=np.int64).reshape(len(order), _COLUMNS)
        return cls(np.array(order, dtype=np.int64), *np.ascontiguousarray(table.T))

    def __len__(self) -> int:
        return len(self.slots)

    def offering(self, amount: int) -> Slots:
        """The slots of the providers of which this much can be taken at once, now."""
        if amount > MAX_AMOUNT:
            return self.slots[:0]
        fits = self.used <= self.capacity - amount
        fits &= self.min_unit <= amount
        fits &= self.max_unit >= amount
        if (self.step_size != 1).any():
            fits &= amount % self.step_size == 0
        return self.slots[fits]

    def with_usage(self, used_by_slot: Mapping[int, int]) -> ClassColumns:
        """The same inventories, used differently."""
        used = self.used.copy()
        for slot, amount in used_by_slot.items():
            used[np.searchsorted(self.slots, slot)] = amount
        return replace(self, used=used)

    def with_stocks(self, changes: Mapping[int, Stock | None]) -> ClassColumns:
        """Other inventories: changed, added, and (None) removed ones."""
        touched = np.array(sorted(changes), dtype=np.int64)
        kept = ~np.isin(self.slots, touched, assume_unique=True)
        new = ClassColumns.of({slot: stock for slot, stock in changes.items() if stock is not None})
        at = np.searchsorted(self.slots[kept], new.slots)
        return ClassColumns(
            *(
                np.insert(getattr(self, name)[kept], at, getattr(new, name))
                for name in ("slots", "capacity", "used", "min_unit", "max_unit", "step_size")
            )
        )


def _row(stock: Stock) -> tuple[int, int, int, int, int]:
    inventory = stock.inventory
    return (inventory.capacity, stock.used, inventory.min_unit, inventory.max_unit, inventory.step_size)
