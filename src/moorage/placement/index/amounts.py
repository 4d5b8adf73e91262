"""Which other amount of a class a request that finds nothing should have asked for: the nearest that finds something.

The amounts that come into question are few: a provider with 10 to give, of which another group may want 3, would be
just enough for 10 or for 7; one whose min_unit is 8 for 8. These are tried, and nothing between them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from moorage.placement.index.cloud import Cloud
from moorage.placement.index.columns import ClassColumns, Mask, Numbers, Slots
from moorage.placement.index.matching import parts_of, with_room
from moorage.placement.index.search import anchors_of
from moorage.placement.index.variations import Variations
from moorage.placement.model.inventory import MAX_AMOUNT, MAX_CAPACITY
from moorage.placement.model.query import RequestGroup

_TRIED_ONE_BY_ONE = 4

# What other groups take from the same provider is added up in every combination, as long as these are few.
_MOST_SUMS = 64

_Offers = tuple[Slots, Numbers]


def nearest_amounts(variations: Variations, group: RequestGroup, name: str) -> Iterator[int]:
    """The largest smaller and the smallest larger amount of a class that would find candidates, if any would."""
    columns = variations.cloud.columns_of(name)
    amount = group.resources[name]
    others = [other.resources.get(name, 0) for other in variations.query.groups if other is not group]

    def helps(offer: int) -> bool:
        return variations.has_candidates_with(_asking(group, name, offer))

    below = _in_reach(variations, group, name, _offers_below(columns, amount, _sums(others)))
    yield from _largest(below, helps)
    above = _in_reach(variations, group, name, _offers_above(columns, amount))
    yield from _smallest(above, helps)


def _largest(offers: Sequence[int], helps: Callable[[int], bool]) -> Iterator[int]:
    """The largest that helps, if any does.

    The most promising are tried one by one. Of the rest the middle is tried, and then the better half, which is right
    where less is always easier to find; min_unit can make it otherwise.
    """
    for offer in offers[: -_TRIED_ONE_BY_ONE - 1 : -1]:
        if helps(offer):
            yield offer
            return
    rest = offers[:-_TRIED_ONE_BY_ONE]
    found = bisect_left(rest, 1, key=lambda offer: 0 if helps(offer) else 1)
    yield from rest[found - 1 : found] if found else ()


def _smallest(offers: Sequence[int], helps: Callable[[int], bool]) -> Iterator[int]:
    """The smallest that helps, if any is found; where more is always easier to find, it is the right one."""
    failed = -1
    for position in _positions(len(offers)):
        if helps(offers[position]):
            between = range(failed + 1, position)
            yield offers[failed + 1 + bisect_left(between, 1, key=lambda at: 1 if helps(offers[at]) else 0)]
            return
        failed = position


def _positions(count: int) -> Iterator[int]:
    """Some of so many numbers: the first ones, then in longer and longer steps, and the last."""
    position, step = 0, 1
    while position < count - 1:
        yield position
        step = 1 if position + 1 < _TRIED_ONE_BY_ONE else 2 * step
        position += step
    if count:
        yield count - 1


def _sums(amounts: Iterable[int]) -> list[int]:
    """What some of these amounts make together, nothing and everything included."""
    total = 0
    sums = {0}
    for amount in amounts:
        total += amount
        if len(sums) < _MOST_SUMS:
            sums |= {known + amount for known in sums}
    return sorted({*sums, total})


def _offers_below(columns: ClassColumns, amount: int, taken: Iterable[int]) -> _Offers:
    """What single providers could give at most, if less than the amount, beside what others take; by their slots."""
    # All that the groups of a request take of one provider together is bounded by max_unit, too.
    free = np.minimum(columns.capacity - columns.used, columns.max_unit)
    slots, offers = [], []
    # Amounts of a request may be larger than what columns can hold.
    for others in taken:
        most = np.minimum(free - min(others, MAX_CAPACITY), min(amount - 1, MAX_CAPACITY))
        most -= most % columns.step_size
        possible = (most >= columns.min_unit) & (most > 0)
        slots.append(columns.slots[possible])
        offers.append(most[possible])
    return np.concatenate(slots), np.concatenate(offers)


def _offers_above(columns: ClassColumns, amount: int) -> _Offers:
    """What single providers would give at least, where the amount is too small for them or between their steps."""
    if amount > MAX_AMOUNT:
        return columns.slots[:0], columns.capacity[:0]
    unfit = (amount < columns.min_unit) | (amount % columns.step_size != 0)
    steps = -(-np.maximum(columns.min_unit, amount) // columns.step_size)
    least = steps * columns.step_size
    possible = unfit & (least <= np.minimum(columns.max_unit, columns.capacity - columns.used))
    return columns.slots[possible], least[possible]


def _in_reach(variations: Variations, group: RequestGroup, name: str, offers: _Offers) -> list[int]:
    """Those of the offers, rising, whose provider could serve the group if amounts of the class did not matter.

    None if the request would find nothing even so: then none needs to be tried.
    """
    slots, amounts = offers
    if not len(slots):
        return []
    giving = variations.cloud.topology.mask(slots)

    def has_room(cloud: Cloud, resources: Mapping[str, int]) -> Mask:
        room = with_room(cloud, {other: amount for other, amount in resources.items() if other != name})
        return room & giving if name in resources else room

    # The least amount, so that others who want it of the same provider stand in its way as little as possible.
    asking = _asking(group, name, int(amounts.min()))
    parts = parts_of(variations.cloud, asking, has_room)
    if not variations.is_served_by(asking, parts):
        return []
    all_parts = variations.parts_with(asking, parts)
    anchors = anchors_of(variations.cloud, variations.query_with(asking), all_parts)
    (part,) = (part for part in parts if name in part.resources)
    near = part.serving(variations.cloud.topology, variations.cloud.topology.mask(anchors))
    found: list[int] = np.unique(amounts[near[slots]]).tolist()
    return found


def _asking(group: RequestGroup, name: str, amount: int) -> RequestGroup:
    return replace(group, resources={**group.resources, name: amount})
