"""The conditions over several parts of a request, which are decided for a choice of one provider per part."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from moorage.placement.index.candidates import Choice
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.matching import Part
from moorage.placement.index.memory import Effort, Memory
from moorage.placement.index.sequence import sequence_of
from moorage.placement.index.together import Together
from moorage.placement.model.query import CandidateQuery

Check = Callable[[Sequence[int]], bool]

_PAIR = 2
# So many sums of what parts ask for are told apart.
_MOST_SUMS = 1_000


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is still to be served, when the parts before it in the sequence are."""

    parts: Sequence[int]
    # Those that want a provider of their own, also as the bits of a number.
    alone: Sequence[int]
    isolated: int
    # Of each class for which parts compete: those that want some, also as bits, and what each wants at least.
    askers: Mapping[str, Sequence[int]]
    asking: Mapping[str, int]
    least: Mapping[str, int]
    # Which parts have to be under one of them, if some of these are still to come; with their number, if not all are.
    subtrees: Sequence[Sequence[int]]
    open_subtrees: Sequence[tuple[int, Sequence[int]]]


class Rules:
    """The conditions over several parts of a request; the same for every anchor."""

    def __init__(
        self, cloud: Cloud, query: CandidateQuery, parts: Sequence[Part], effort: Effort | None = None
    ) -> None:
        self._cloud = cloud
        self.isolated = [query.isolate and part.group.one_provider for part in parts]
        self._alone = [part for part, alone in enumerate(self.isolated) if alone]
        # Within one group every class stands once.
        self.contended = self._contended(parts) if len(query.groups) > 1 else [{} for _ in parts]
        self.together = Together(cloud, parts)
        # Parts whose providers must all lie under one of them.
        self.subtrees = [
            [number for number, part in enumerate(parts) if part.group.suffix in suffixes]
            for suffixes in query.same_subtrees
        ]
        self.sequence = sequence_of(parts, self.contended, self.subtrees)
        self.lineage = cloud.topology.lineage
        # Whether one provider of a tree has to serve all that the tree serves, as before microversion 1.29.
        self.one_per_tree = not query.nested and len(parts) > 1 and cloud.topology.has_trees
        # Whether the parts compete for providers or for what they have.
        self.compete = any(self.contended) or sum(self.isolated) > 1 or self.one_per_tree
        self.memory = Memory()
        self.effort = effort or Effort()
        self._aheads: dict[int, Ahead] = {}
        self._conditions = self._all_at_once()
        self.any = bool(self._conditions)
        self._sums = {name: _sums(each[name] for each in self.contended if name in each) for name in self._names()}
        self._free: dict[tuple[int, str], int] = {}
        self._trees: dict[int, int] = {}
        self._names_by_bits: dict[int, list[str]] = {}

    def _contended(self, parts: Sequence[Part]) -> list[dict[str, int]]:
        """What of each part another one may take from the same provider, so that amounts have to be added up.

        Isolated parts never have the same provider, so all of them together count as one.
        """
        askers: Counter[str] = Counter()
        for isolated in (True, False):
            asked = Counter(
                name
                for part, alone in zip(parts, self.isolated, strict=True)
                if alone == isolated
                for name in part.resources
            )
            askers.update(asked.keys() if isolated else asked)
        return [{name: amount for name, amount in part.resources.items() if askers[name] > 1} for part in parts]

    def _names(self) -> set[str]:
        return {name for amounts in self.contended for name in amounts}

    def _all_at_once(self) -> list[Check]:
        """The conditions as they are decided for a complete choice."""
        conditions: list[Check] = [self.together.is_met_by] if self.together.everything else []
        if len(self._alone) > 1:
            conditions.append(self._apart_from(*self._alone))
        conditions += [self._under_one_of(*bound) for bound in self.subtrees]
        if self.one_per_tree:
            conditions.append(self._one_of_each_tree)
        if any(self.contended):
            conditions.append(self._have_enough)
        return conditions

    def ahead(self, depth: int) -> Ahead:
        """What is still to be served when so many parts of the sequence are."""
        ahead = self._aheads.get(depth)
        if ahead is None:
            ahead = self._aheads[depth] = self._look_ahead(depth)
        return ahead

    def _look_ahead(self, depth: int) -> Ahead:
        before, rest = self.sequence[:depth], self.sequence[depth:]
        askers: defaultdict[str, list[int]] = defaultdict(list)
        for part in rest:
            for name in self.contended[part]:
                askers[name].append(part)
        alone = [part for part in rest if self.isolated[part]]
        still = [(number, bound) for number, bound in enumerate(self.subtrees) if not set(bound).isdisjoint(rest)]
        return Ahead(
            parts=rest,
            alone=alone,
            isolated=_bits(alone),
            askers=askers,
            asking={name: _bits(asking) for name, asking in askers.items()},
            least={name: min(self.contended[part][name] for part in asking) for name, asking in askers.items()},
            subtrees=[bound for _, bound in still],
            open_subtrees=[(number, bound) for number, bound in still if not set(bound).isdisjoint(before)],
        )

    def allow(self, choice: Choice) -> bool:
        """Whether a complete choice meets all the rules."""
        for condition in self._conditions:  # noqa: SIM110 - all() with a generator takes twice as long
            if not condition(choice):
                return False
        return True

    # Almost always it is two parts that are to be apart, or together: then no sets are needed.

    def _apart_from(self, *apart: int) -> Check:
        """Each of these parts has a provider of its own."""
        if len(apart) == _PAIR:
            one, other = apart
            return lambda choice: choice[one] != choice[other]
        return lambda choice: len({choice[part] for part in apart}) == len(apart)

    def _under_one_of(self, *bound: int) -> Check:
        """The providers of these parts all lie under one of them."""
        lineage = self.lineage
        if len(bound) == _PAIR:
            one, other = bound
            return lambda choice: choice[one] in lineage(choice[other]) or choice[other] in lineage(choice[one])

        def check(choice: Sequence[int]) -> bool:
            slots = {choice[part] for part in bound}
            first, *others = map(lineage, slots)
            return not slots.isdisjoint(first.intersection(*others))

        return check

    def _one_of_each_tree(self, choice: Sequence[int]) -> bool:
        slots = set(choice)
        return len({self.tree_of(slot) for slot in slots}) == len(slots)

    def lineage_that_matters(self, slot: int) -> list[int]:
        """A provider and those above it, upwards; where no two need to be above each other, the root alone."""
        if self.subtrees:
            return self._cloud.topology.path(slot)
        root = self.tree_of(slot)
        return [slot] if slot == root else [slot, root]

    def contended_by(self, parts: int) -> list[str]:
        """The classes for which any of these parts, the bits of a number, compete with others."""
        names = self._names_by_bits.get(parts)
        if names is None:
            asked = (amounts for part, amounts in enumerate(self.contended) if parts >> part & 1)
            names = self._names_by_bits[parts] = sorted({name for amounts in asked for name in amounts})
        return names

    def tree_of(self, slot: int) -> int:
        """The root of a provider's tree."""
        tree = self._trees.get(slot)
        if tree is None:
            tree = self._trees[slot] = int(self._cloud.topology.roots[slot])
        return tree

    def _have_enough(self, choice: Sequence[int]) -> bool:
        taken: Counter[tuple[int, str]] = Counter()
        for slot, amounts in zip(choice, self.contended, strict=True):
            for name, amount in amounts.items():
                taken[slot, name] += amount
        return all(amount <= self.free(slot, name) for (slot, name), amount in taken.items())

    def free(self, slot: int, resource_class: str) -> int:
        """How much of it some of the parts can take from a provider at once, so that more would not help them.

        Of 10, parts that ask for 3 each can take 9: so who has 9, 10 or 11 to give is as good as the others.
        """
        free = self._free.get((slot, resource_class))
        if free is None:
            stock = self._cloud.record(slot).stocks[resource_class]
            free = min(stock.inventory.capacity - stock.used, stock.inventory.max_unit)
            sums = self._sums[resource_class]
            free = self._free[slot, resource_class] = sums[bisect_right(sums, free) - 1] if free > 0 else free
        return free


def _bits(parts: Iterable[int]) -> int:
    return sum(1 << part for part in parts)


def _sums(amounts: Iterable[int]) -> Sequence[int]:
    """What some of these amounts make together, rising; if that are very many, every number up to the largest sum."""
    sums = {0}
    ordered = list(amounts)
    for amount in ordered:
        sums |= {known + amount for known in sums}
        if len(sums) > _MOST_SUMS:
            return range(sum(ordered) + 1)
    return sorted(sums)
