"""A request and others that differ from it in one thing: what is known of the one serves the others.

Explaining a request asks for many such. Only the parts of the group that differs are looked for anew; and where all
other groups cannot be served about any anchor, no change of that one group helps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from moorage.placement.index.cloud import Cloud
from moorage.placement.index.columns import Mask
from moorage.placement.index.matching import Part, keep_traits_together, parts_of, parts_of_all
from moorage.placement.index.memory import Effort
from moorage.placement.index.search import Order, search_among
from moorage.placement.model.query import CandidateQuery, RequestGroup


class Variations:
    """A request, and what changes of it would find."""

    def __init__(self, cloud: Cloud, query: CandidateQuery) -> None:
        self.cloud = cloud
        self.query = query
        self.effort = Effort()
        self.parts = parts_of_all(cloud, query.groups)
        self._parts: defaultdict[str, list[Part]] = defaultdict(list)
        for part in self.parts:
            self._parts[part.group.suffix].append(part)
        self._beside = self._anchors_beside([group.suffix for group in query.groups])

    def of(self, suffix: str) -> list[Part]:
        """The parts of a group."""
        return self._parts[suffix]

    def first_like(self, group: RequestGroup) -> RequestGroup:
        """The first group of the request that asks for the same, so that the same helps; it may be the group itself."""
        bound = frozenset[str]().union(*self.query.same_subtrees)
        if group.suffix in bound:
            return group
        free = (other for other in self.query.groups if other.suffix not in bound)
        return next(other for other in free if other.asks_like(group))

    def anchors_beside(self, suffix: str) -> Mask:
        """The anchors about which all groups but this one can be served, each by itself; not to be changed."""
        return self._beside[suffix]

    def has_candidates_with(self, group: RequestGroup) -> bool:
        """Whether the request would find anything if this were the group of its suffix."""
        parts = parts_of(self.cloud, group)
        if not (anchors_of_parts(self.cloud, parts) & self._beside[group.suffix]).any():
            return False
        return self.is_served_by(group, parts)

    def is_served_by(self, group: RequestGroup, parts: Sequence[Part]) -> bool:
        """The same, when it is known who can serve that group."""
        return self._find_one(self.query_with(group), self.parts_with(group, parts))

    def has_candidates_if(self, query: CandidateQuery) -> bool:
        """Whether a request with the same groups, but other conditions over all of them, would find anything."""
        return self._find_one(query, self.parts)

    def query_with(self, changed: RequestGroup) -> CandidateQuery:
        """The request with another group of the same suffix."""
        groups = tuple(changed if group.suffix == changed.suffix else group for group in self.query.groups)
        return replace(self.query, groups=groups)

    def parts_with(self, changed: RequestGroup, parts: Sequence[Part]) -> list[Part]:
        """The parts of the request with another group of the same suffix."""
        return [
            part
            for group in self.query.groups
            for part in (parts if group.suffix == changed.suffix else self._parts[group.suffix])
        ]

    def _find_one(self, query: CandidateQuery, parts: Sequence[Part]) -> bool:
        return bool(search_among(self.cloud, replace(query, limit=1), parts, Order(), effort=self.effort).choices)

    def _anchors_beside(self, suffixes: Sequence[str]) -> dict[str, Mask]:
        alive = self.cloud.topology.alive
        anchors = [anchors_of_parts(self.cloud, self._parts[suffix]) for suffix in suffixes]
        before, after = [alive], [alive]
        for mask in anchors[:-1]:
            before.append(before[-1] & mask)
        for mask in anchors[:0:-1]:
            after.append(after[-1] & mask)
        return {suffix: left & right for suffix, left, right in zip(suffixes, before, reversed(after), strict=True)}


def anchors_of_parts(cloud: Cloud, parts: Sequence[Part]) -> Mask:
    """The anchors about which each of these parts can be served, and the traits that they may have together be had."""
    anchors: Mask = np.logical_and.reduce([cloud.topology.alive, *(part.anchors(cloud.topology) for part in parts)])
    keep_traits_together(cloud.topology, anchors, parts)
    return anchors
