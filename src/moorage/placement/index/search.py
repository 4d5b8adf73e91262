"""Finding allocation candidates.

Filters first leave, per anchor, the providers that can serve each part of the request. What is left is enumerated
lazily: one provider per part, abandoning a beginning as soon as it cannot become a candidate, so that the work grows
with the answer and not with the number of combinations. Candidates of all anchors are taken in turn, so that a
limited answer names many hosts and not many shapes of one host.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, cycle, islice

from moorage.placement.index.candidates import Candidate, Placed
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.matching import (
    ByAnchor,
    IsAnchor,
    anchor_filter,
    serving_each_class,
    serving_whole_group,
)
from moorage.placement.model.query import CandidateQuery, RequestGroup


@dataclass(frozen=True, slots=True)
class Order:
    """How an operator wants answers arranged (section [placement] of the settings)."""

    # A random sample instead of the first ones.
    randomize: bool = False
    # Never more candidates than this; None for no bound.
    most: int | None = None
    # One candidate of each tree in turn, instead of all of one tree first.
    breadth_first: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """Something that one provider must serve: a whole group with a suffix, or one class of the group without."""

    group: RequestGroup
    resources: tuple[tuple[str, int], ...]
    providers: ByAnchor


def search(cloud: Cloud, query: CandidateQuery, order: Order) -> list[Candidate]:
    """The candidates for a request."""
    for group in query.groups:
        cloud.check_classes(group.resources)
        cloud.check_traits(group.traits.names)
    cloud.check_traits(query.root_traits.names)

    is_anchor = anchor_filter(cloud, query)
    parts: list[_Part] = []
    for group in query.groups:
        parts += _parts(cloud, group, is_anchor)
    anchors = sorted(set.intersection(*(set(part.providers) for part in parts)))
    if order.randomize:
        random.shuffle(anchors)
    streams = [_Enumeration(cloud, query, parts, anchor_id).candidates() for anchor_id in anchors]
    spread = order.breadth_first or query.limit is not None
    found = _distinct(cloud, _in_turn(streams) if spread else chain.from_iterable(streams))
    if not query.nested:
        found = (candidate for candidate in found if _one_provider_per_tree(cloud, candidate))
    found = islice(found, order.most)
    if not order.randomize:
        return list(islice(found, query.limit))
    everything = list(found)
    random.shuffle(everything)
    return everything[: query.limit]


def _parts(cloud: Cloud, group: RequestGroup, is_anchor: IsAnchor) -> list[_Part]:
    if group.one_provider:
        providers = serving_whole_group(cloud, group, is_anchor)
        return [_Part(group, tuple(group.resources.items()), providers)]
    by_class = serving_each_class(cloud, group, is_anchor)
    return [_Part(group, ((name, group.resources[name]),), by_class[name]) for name in group.resources]


class _Enumeration:
    """All candidates about one anchor."""

    def __init__(self, cloud: Cloud, query: CandidateQuery, parts: Sequence[_Part], anchor_id: int) -> None:
        self._cloud = cloud
        self._query = query
        self._anchor_id = anchor_id
        self._parts = parts
        # The choices made so far, one provider per part, and what they take together.
        self._chosen: list[int] = []
        self._amounts: dict[Placed, int] = {}
        # After which part which conditions over several parts can be decided.
        self._checks: list[list[Callable[[], bool]]] = [[] for _ in parts]
        self._place_checks()

    def candidates(self) -> Iterator[Candidate]:
        """One by one, in a fixed order."""
        return self._extend(0)

    def _extend(self, depth: int) -> Iterator[Candidate]:
        if depth == len(self._parts):
            yield self._candidate()
            return
        part = self._parts[depth]
        for provider_id in part.providers[self._anchor_id]:
            if not self._take(part, provider_id):
                continue
            self._chosen.append(provider_id)
            if all(check() for check in self._checks[depth]):
                yield from self._extend(depth + 1)
            self._chosen.pop()
            self._give_back(part, provider_id)

    def _take(self, part: _Part, provider_id: int) -> bool:
        """Add what a part takes from a provider, unless that is too much together with the other parts."""
        for index, (resource_class, amount) in enumerate(part.resources):
            placed = Placed(provider_id, resource_class)
            before = self._amounts.get(placed, 0)
            if before and not self._cloud.shelves[resource_class][provider_id].still_offers(before + amount):
                self._give_back(part, provider_id, index)
                return False
            self._amounts[placed] = before + amount
        return True

    def _give_back(self, part: _Part, provider_id: int, count: int | None = None) -> None:
        for resource_class, amount in part.resources[:count]:
            placed = Placed(provider_id, resource_class)
            left = self._amounts[placed] - amount
            if left:
                self._amounts[placed] = left
            else:
                del self._amounts[placed]

    def _candidate(self) -> Candidate:
        mappings: dict[str, set[int]] = {}
        for part, provider_id in zip(self._parts, self._chosen, strict=True):
            mappings.setdefault(part.group.suffix, set()).add(provider_id)
        return Candidate(
            self._anchor_id,
            dict(self._amounts),
            {suffix: frozenset(provider_ids) for suffix, provider_ids in mappings.items()},
        )

    # --- conditions over several parts

    def _place_checks(self) -> None:
        spread_parts = [depth for depth, part in enumerate(self._parts) if not part.group.one_provider]
        if spread_parts and (required := self._parts[spread_parts[0]].group.traits.required):
            self._checks[spread_parts[-1]].append(lambda: self._together_have(spread_parts, required))
        if self._query.isolate:
            for depth, part in enumerate(self._parts):
                if part.group.one_provider:
                    self._checks[depth].append(self._is_alone)
        for suffixes in self._query.same_subtrees:
            depths = [depth for depth, part in enumerate(self._parts) if part.group.suffix in suffixes]
            self._checks[depths[-1]].append(lambda depths=depths: self._in_one_subtree(depths))  # type: ignore[misc]

    def _together_have(self, depths: Sequence[int], required: Sequence[frozenset[str]]) -> bool:
        """Whether the providers of the group without a suffix together have the required traits."""
        traits = frozenset[str]().union(*(self._cloud.traits_of(self._chosen[depth]) for depth in depths))
        return all(traits & any_of for any_of in required)

    def _is_alone(self) -> bool:
        """Whether the provider chosen last serves no other group with a suffix."""
        others = zip(self._parts, self._chosen[:-1], strict=False)
        return all(provider_id != self._chosen[-1] for part, provider_id in others if part.group.one_provider)

    def _in_one_subtree(self, depths: Sequence[int]) -> bool:
        """Whether one of the providers is an ancestor of (or is) all of them."""
        provider_ids = {self._chosen[depth] for depth in depths}
        common = set.intersection(*(set(self._cloud.ancestors(provider_id)) for provider_id in provider_ids))
        return bool(common & provider_ids)


def _in_turn(streams: Sequence[Iterator[Candidate]]) -> Iterator[Candidate]:
    """One item of each stream in turn, until all are exhausted."""
    turns = iter(streams)
    for active in range(len(streams), 0, -1):
        turns = cycle(islice(turns, active))
        yield from map(next, turns)


def _distinct(cloud: Cloud, candidates: Iterator[Candidate]) -> Iterator[Candidate]:
    """Each candidate once. Only those made of sharing providers alone can turn up under several anchors."""
    seen = set()
    for candidate in candidates:
        if candidate.provider_ids <= cloud.sharing_roots.keys():
            key = (frozenset(candidate.amounts.items()), frozenset(candidate.mappings.items()))
            if key in seen:
                continue
            seen.add(key)
        yield candidate


def _one_provider_per_tree(cloud: Cloud, candidate: Candidate) -> bool:
    roots = [cloud.nodes[provider_id].root_id for provider_id in candidate.provider_ids]
    return len(roots) == len(set(roots))
