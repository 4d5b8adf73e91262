"""What would have helped: single changes of a request that finds nothing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from moorage.placement.index.cloud import Cloud
from moorage.placement.index.columns import Numbers, Slots
from moorage.placement.index.matching import parts_of, with_room
from moorage.placement.index.search import Order, anchors_of, search, search_among
from moorage.placement.index.topology import Mask
from moorage.placement.model.inventory import MAX_CAPACITY
from moorage.placement.model.query import CandidateQuery, RequestGroup

_TRIED_ONE_BY_ONE = 4


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A single change of the request that would give candidates."""

    group: str | None  # None for what concerns the whole request
    change: str


def spelled(any_of: frozenset[str]) -> str:
    """Alternatives as a query string spells them."""
    return ("in:" if len(any_of) > 1 else "") + ",".join(sorted(any_of))


def relaxations(cloud: Cloud, query: CandidateQuery) -> Iterator[Relaxation]:
    """Single changes that would give candidates: less of something first, then giving up one condition."""
    yield from _smaller_amounts(cloud, query)
    for relaxation, relaxed in _without_one_condition(query):
        if _has_candidates(cloud, relaxed):
            yield relaxation


def _has_candidates(cloud: Cloud, query: CandidateQuery) -> bool:
    return bool(search(cloud, replace(query, limit=1), Order()).choices)


def _smaller_amounts(cloud: Cloud, query: CandidateQuery) -> Iterator[Relaxation]:
    helpful: list[tuple[float, Relaxation]] = []
    for group in query.groups:
        for name, amount in group.resources.items():
            enough = _largest_amount(cloud, query, group, name, amount)
            if enough is not None:
                change = f"resources{group.suffix}={name}:{enough} instead of {amount}"
                helpful.append((enough / amount, Relaxation(group.suffix, change)))
    for _, relaxation in sorted(helpful, key=lambda item: -item[0]):
        yield relaxation


def _largest_amount(cloud: Cloud, query: CandidateQuery, group: RequestGroup, name: str, amount: int) -> int | None:
    """The largest smaller amount of a class that would find candidates, among those that could be just enough.

    Whether any of them could is asked first, of all providers that have any to give. Then the most promising are tried
    one by one. Of the rest the middle is tried, and then the better half, which is right where less is always easier to
    find; min_unit can make it otherwise.
    """
    others = sum(other.resources.get(name, 0) for other in query.groups) - amount
    slots, amounts = _offers_below(cloud, name, amount, others)
    if not len(slots):
        return None
    near = _who_could_serve(cloud, query, _asking(group, name, int(amounts.min())), name, cloud.topology.mask(slots))
    offers: list[int] = np.unique(amounts[near[slots]]).tolist()

    def helps(offer: int) -> bool:
        return _has_candidates(cloud, _with_group(query, _asking(group, name, offer)))

    for offer in offers[: -_TRIED_ONE_BY_ONE - 1 : -1]:
        if helps(offer):
            return offer
    rest = offers[:-_TRIED_ONE_BY_ONE]
    found = bisect_left(rest, 1, key=lambda offer: 0 if helps(offer) else 1)
    return rest[found - 1] if found else None


def _offers_below(cloud: Cloud, name: str, amount: int, others: int) -> tuple[Slots, Numbers]:
    """What single providers could give at most, if less than the amount, also beside other groups; by their slots."""
    columns = cloud.columns_of(name)
    free = np.minimum(columns.capacity - columns.used, columns.max_unit)
    slots, offers = [], []
    # Amounts of a request may be larger than what columns can hold.
    for left in (free, free - min(others, MAX_CAPACITY)):
        most = np.minimum(left, min(amount - 1, MAX_CAPACITY))
        most -= most % columns.step_size
        possible = (most >= columns.min_unit) & (most > 0)
        slots.append(columns.slots[possible])
        offers.append(most[possible])
    return np.concatenate(slots), np.concatenate(offers)


def _who_could_serve(cloud: Cloud, query: CandidateQuery, smaller: RequestGroup, name: str, giving: Mask) -> Mask:
    """Of those who have anything of a class to give, who could serve the smaller group; nobody if none would help."""

    def has_room(cloud: Cloud, resources: Mapping[str, int]) -> Mask:
        room = with_room(cloud, {other: amount for other, amount in resources.items() if other != name})
        return room & giving if name in resources else room

    relaxed = replace(_with_group(query, smaller), limit=1)
    parts = [
        part for group in relaxed.groups for part in parts_of(cloud, group, has_room if group is smaller else with_room)
    ]
    if not search_among(cloud, relaxed, parts, Order()).choices:
        return cloud.topology.nobody()
    (asking,) = (part for part in parts if part.group is smaller and name in part.resources)
    return asking.serving(cloud.topology, cloud.topology.mask(anchors_of(cloud, relaxed, parts)))


def _asking(group: RequestGroup, name: str, amount: int) -> RequestGroup:
    return replace(group, resources={**group.resources, name: amount})


def _with_group(query: CandidateQuery, changed: RequestGroup) -> CandidateQuery:
    groups = tuple(changed if group.suffix == changed.suffix else group for group in query.groups)
    return replace(query, groups=groups)


def _without_one_condition(query: CandidateQuery) -> Iterator[tuple[Relaxation, CandidateQuery]]:
    for group in query.groups:
        for change, relaxed in _without_one_of_group(group):
            yield Relaxation(group.suffix, f"without {change}"), _with_group(query, relaxed)
    for any_of in query.root_traits.required:
        left = replace(query.root_traits, required=tuple(item for item in query.root_traits.required if item != any_of))
        yield Relaxation(None, f"without root_required={spelled(any_of)}"), replace(query, root_traits=left)
    for name in sorted(query.root_traits.forbidden):
        left = replace(query.root_traits, forbidden=query.root_traits.forbidden - {name})
        yield Relaxation(None, f"without root_required=!{name}"), replace(query, root_traits=left)
    if query.isolate:
        yield Relaxation(None, "group_policy=none instead of isolate"), replace(query, isolate=False)
    for suffixes in query.same_subtrees:
        kept = tuple(item for item in query.same_subtrees if item != suffixes)
        change = f"without same_subtree={','.join(sorted(suffixes))}"
        yield Relaxation(None, change), replace(query, same_subtrees=kept)


def _without_one_of_group(group: RequestGroup) -> Iterator[tuple[str, RequestGroup]]:
    suffix, traits, aggregates = group.suffix, group.traits, group.aggregates
    for any_of in traits.required:
        kept = tuple(item for item in traits.required if item != any_of)
        yield f"required{suffix}={spelled(any_of)}", replace(group, traits=replace(traits, required=kept))
    for name in sorted(traits.forbidden):
        relaxed = replace(traits, forbidden=traits.forbidden - {name})
        yield f"required{suffix}=!{name}", replace(group, traits=relaxed)
    for any_of in aggregates.required:
        kept = tuple(item for item in aggregates.required if item != any_of)
        yield f"member_of{suffix}={spelled(any_of)}", replace(group, aggregates=replace(aggregates, required=kept))
    for name in sorted(aggregates.forbidden):
        open_to = replace(aggregates, forbidden=aggregates.forbidden - {name})
        yield f"member_of{suffix}=!{name}", replace(group, aggregates=open_to)
    if group.in_tree is not None:
        yield f"in_tree{suffix}={group.in_tree}", replace(group, in_tree=None)
    for name in group.resources if len(group.resources) > 1 else ():
        kept_resources = {other: amount for other, amount in group.resources.items() if other != name}
        yield f"resources{suffix}={name}", replace(group, resources=kept_resources)
