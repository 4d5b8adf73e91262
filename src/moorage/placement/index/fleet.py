"""The whole cloud at a glance: each tree of providers as one row, told in columns.

Meant for who draws all of it. What many trees have in common, such as their traits, is told once, so that ten thousand
hosts take a hundred bytes each instead of some thousand.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from moorage.placement.index.cloud import Cloud
from moorage.placement.index.records import Record

Item = TypeVar("Item", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Stocks:
    """Of one resource class: what whole trees have; one entry for each tree that has any."""

    # Which tree, by its place in the columns of the fleet.
    tree: list[int] = field(default_factory=list)
    total: list[int] = field(default_factory=list)
    reserved: list[int] = field(default_factory=list)
    capacity: list[int] = field(default_factory=list)
    used: list[int] = field(default_factory=list)
    # The most that one provider of the tree has left.
    largest_free: list[int] = field(default_factory=list)

    def add(self, tree: int, total: int, reserved: int, capacity: int, used: int, free: int) -> None:
        """What a provider has, together with what the one before it has if that is of the same tree."""
        if self.tree and self.tree[-1] == tree:
            self.total[-1] += total
            self.reserved[-1] += reserved
            self.capacity[-1] += capacity
            self.used[-1] += used
            self.largest_free[-1] = max(self.largest_free[-1], free)
            return
        for column, value in (
            (self.tree, tree),
            (self.total, total),
            (self.reserved, reserved),
            (self.capacity, capacity),
            (self.used, used),
            (self.largest_free, free),
        ):
            column.append(value)


@dataclass(frozen=True, slots=True)
class Fleet:
    """Columns with an entry for each tree, in the order of the roots' names."""

    uuid: list[str]
    name: list[str]
    providers: list[int]
    # Numbers of sets, below.
    traits: list[int]
    aggregates: list[int]
    trait_sets: list[tuple[str, ...]]
    aggregate_sets: list[tuple[str, ...]]
    stocks: Mapping[str, Stocks]


class _Numbered(Generic[Item]):
    """Different things, each with a number."""

    def __init__(self) -> None:
        self._numbers: dict[Item, int] = {}

    def number(self, item: Item) -> int:
        return self._numbers.setdefault(item, len(self._numbers))

    def all(self) -> list[Item]:
        return list(self._numbers)


def fleet(cloud: Cloud) -> Fleet:
    """Every tree, with the sums of what its providers have, and the traits and aggregates of any of them."""
    trees: dict[int, list[Record]] = {}
    for record in cloud.all_records():
        trees.setdefault(record.root_id, []).append(record)
    roots = sorted(
        (record for record in cloud.all_records() if record.parent_id is None), key=lambda root: root.provider.name
    )
    traits, aggregates = _Numbered[tuple[str, ...]](), _Numbered[tuple[str, ...]]()
    stocks: dict[str, Stocks] = {name: Stocks() for name in cloud.classes if name in cloud.columns}
    found = Fleet([], [], [], [], [], [], [], stocks)
    for number, root in enumerate(roots):
        tree = trees[root.root_id]
        found.uuid.append(root.provider.uuid)
        found.name.append(root.provider.name)
        found.providers.append(len(tree))
        found.traits.append(traits.number(_union(record.traits for record in tree)))
        found.aggregates.append(aggregates.number(_union(record.aggregates for record in tree)))
        for record in tree:
            for name, stock in record.stocks.items():
                inventory, capacity = stock.inventory, stock.inventory.capacity
                free = max(0, capacity - stock.used)
                stocks[name].add(number, inventory.total, inventory.reserved, capacity, stock.used, free)
    found.trait_sets.extend(traits.all())
    found.aggregate_sets.extend(aggregates.all())
    return found


def _union(sets: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """What is in any of them, in order and once; mostly there is only one."""
    first, *others = sets
    return tuple(dict.fromkeys([*first, *(name for other in others for name in other)])) if others else first
