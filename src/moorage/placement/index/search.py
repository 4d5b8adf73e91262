"""Finding allocation candidates.

Vector filters first leave, per anchor, the providers that can serve each part of the request. What is left is
enumerated lazily, one candidate of each anchor in turn: so the work grows with the answer and not with the number of
combinations, and a limited answer names many hosts and not many shapes of one host.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TypeVar

import numpy as np

from moorage.placement.index.candidates import Candidates, Choice
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.columns import Slots
from moorage.placement.index.enumeration import enumerate_choices
from moorage.placement.index.matching import (
    Part,
    choosing,
    keep_served_by_one,
    keep_traits,
    keep_traits_together,
    parts_of_all,
)
from moorage.placement.index.memory import Effort
from moorage.placement.index.rules import Rules
from moorage.placement.model.query import CandidateQuery

_Item = TypeVar("_Item")

LOG = logging.getLogger(__name__)

# Nobody reads more, and a tree of many equal children has more combinations than there are atoms.
MOST_CANDIDATES = 100_000
# Where many parts are served there are fewer: this is how many providers all candidates together may name. Each takes
# some 70 bytes of the answer, and twice as much beside it while it is made.
MOST_PROVIDERS = 1_000_000
# For so many anchors at a time it is found out who can serve what.
_CHUNK = 256


@dataclass(frozen=True, slots=True)
class Order:
    """How an operator wants answers arranged (section [placement] of the settings)."""

    # In random order. A limited answer is a random sample of the trees, one candidate of each in turn: each tree has
    # the same chance, however many candidates are about it. Drawing from all candidates would mean to find them all.
    randomize: bool = False
    # Never more candidates than this; None for the built-in bound.
    most: int | None = None
    # With `most`: one candidate of each tree in turn, instead of all of one tree first.
    breadth_first: bool = False


def search(
    cloud: Cloud, query: CandidateQuery, order: Order, arrange: Callable[[Slots], Slots] | None = None
) -> Candidates:
    """The candidates for a request; `arrange` says which anchors come first."""
    for group in query.groups:
        cloud.check_classes(group.resources)
        cloud.check_traits(group.traits.names)
    cloud.check_traits(query.root_traits.names)
    return search_among(cloud, query, parts_of_all(cloud, query.groups), order, arrange)


def search_among(
    cloud: Cloud,
    query: CandidateQuery,
    parts: Sequence[Part],
    order: Order,
    arrange: Callable[[Slots], Slots] | None = None,
    effort: Effort | None = None,
) -> Candidates:
    """The same, when it is known who can serve each part; with an effort that other searches share."""
    anchors = anchors_of(cloud, query, parts)
    rules = Rules(cloud, query, parts, effort)
    if sum(rules.isolated) > 1 and not cloud.topology.sharing:
        providers = cloud.topology.tree_sizes[anchors]
        anchors = anchors[(np.minimum(providers, 1) if rules.one_per_tree else providers) >= sum(rules.isolated)]
    most = min(MOST_CANDIDATES, MOST_PROVIDERS // max(len(parts), 1))
    # One more than the built-in bound, to know whether it cuts anything off.
    wanted = min(bound for bound in (query.limit, order.most, most + 1) if bound is not None)
    if arrange is not None:
        anchors = arrange(anchors)
    elif order.randomize:
        anchors = np.random.default_rng().permutation(anchors)
    if cloud.topology.is_flat and not rules.any:
        # Every anchor serves everything itself: there is nothing to combine and nothing to check.
        slots: list[int] = _bounded(anchors[:wanted].tolist(), most)
        return Candidates(parts, list(zip(*[slots] * len(parts), strict=True)), alone=True)
    streams = _streams(cloud, rules, parts, anchors, order)
    depth_first = order.most is not None and not order.breadth_first and query.limit is None
    found = chain.from_iterable(streams) if depth_first else _in_turn(streams)
    found = _distinct(cloud, found)
    return Candidates(parts, _bounded(list(islice(found, wanted)), most))


def _bounded(found: list[_Item], most: int) -> list[_Item]:
    """No more than the built-in bound, and a word in the log if that, and nobody's own limit, cuts an answer off."""
    if len(found) <= most:
        return found
    LOG.warning("An answer was cut off at %d candidates; there are more", most)
    return found[:most]


def anchors_of(cloud: Cloud, query: CandidateQuery, parts: Sequence[Part]) -> Slots:
    """The roots about which every part can be served, traits can be had, and that are as `root_required` says."""
    anchors = cloud.topology.alive.copy()
    for number, part in enumerate(parts):
        if number == 0 or not part.is_served_like(parts[number - 1]):
            anchors &= part.anchors(cloud.topology)
    keep_traits_together(cloud.topology, anchors, parts)
    if not query.nested:
        keep_served_by_one(cloud.topology, anchors, parts)
    keep_traits(cloud.topology, anchors, query.root_traits)
    return np.flatnonzero(anchors)


def _streams(
    cloud: Cloud, rules: Rules, parts: Sequence[Part], anchors: Slots, order: Order
) -> Iterator[Iterator[Choice]]:
    """The candidates about each anchor; none is looked for before it is asked for."""
    choices_about = choosing(cloud.topology, parts)
    is_new = _newness(cloud)
    for start in range(0, len(anchors), _CHUNK):
        for choices in filter(is_new, choices_about(anchors[start : start + _CHUNK])):
            if order.randomize:
                # Each part for itself: those that are served alike have one list.
                yield enumerate_choices(rules, [random.sample(slots, len(slots)) for slots in choices])
            else:
                yield enumerate_choices(rules, choices)


def _newness(cloud: Cloud) -> Callable[[Sequence[list[int]]], bool]:
    """A function that tells of the choices about an anchor whether they may give candidates that no other anchor gives.

    Where sharing providers alone can serve everything, all the trees that they share with have the same candidates.
    """
    sharers = cloud.topology.sharing.everybody
    # Trees that are shared with by the same have the same lists: then it need not be looked at what is in them.
    lists: dict[tuple[int, ...], Sequence[list[int]]] = {}
    seen: set[tuple[frozenset[int], ...]] = set()

    def is_new(choices: Sequence[list[int]]) -> bool:
        # Those of the tree itself come first.
        if not sharers or not all(sharers.issuperset(slots[:1]) for slots in choices):
            return True
        identities = tuple(map(id, choices))
        if identities in lists:
            return False
        if not all(map(sharers.issuperset, choices)):
            return True
        lists[identities] = choices  # so that they stay what they are
        alike = tuple(map(frozenset, choices))
        if alike in seen:
            return False
        seen.add(alike)
        return True

    return is_new


def _in_turn(streams: Iterable[Iterator[Choice]]) -> Iterator[Choice]:
    """One item of each stream in turn, until all are exhausted; a stream is taken up when its first turn comes."""
    while True:
        going = []
        for stream in streams:
            for choice in islice(stream, 1):
                going.append(stream)
                yield choice
        if not going:
            return
        streams = going


def _distinct(cloud: Cloud, choices: Iterator[Choice]) -> Iterator[Choice]:
    """Each candidate once. Only those made of sharing providers alone can turn up under several anchors."""
    sharers = cloud.topology.sharing.everybody
    if not sharers:
        return choices
    seen: set[Choice] = set()

    def is_new(choice: Choice) -> bool:
        if not sharers.issuperset(choice):
            return True
        if choice in seen:
            return False
        seen.add(choice)
        return True

    return filter(is_new, choices)
