"""All ways to serve the parts of a request about one anchor, one after the other.

A beginning that cannot become a candidate is abandoned at once, and a dead end that was met before is not entered
again: wide trees of many equal children have few different dead ends, but astronomically many ways into each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from moorage.placement.index.candidates import Choice
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.matching import Part
from moorage.placement.model.query import CandidateQuery, Conditions

Check = Callable[[Sequence[int]], bool]


class Rules:
    """The conditions over several parts of a request; the same for every anchor."""

    def __init__(self, cloud: Cloud, query: CandidateQuery, parts: Sequence[Part]) -> None:
        self._cloud = cloud
        self._parts = parts
        asked = Counter(name for part in parts for name in part.resources)
        # What more than one part takes, so that amounts may have to be added up.
        self.contended = [
            {name: amount for name, amount in part.resources.items() if asked[name] > 1} for part in parts
        ]
        self.isolated = [query.isolate and part.group.one_provider for part in parts]
        # After which part which condition can be decided.
        self.checks: list[list[Check]] = [[] for _ in parts]
        self._add_traits(parts)
        for suffixes in query.same_subtrees:
            depths = [depth for depth, part in enumerate(parts) if part.group.suffix in suffixes]
            self.checks[depths[-1]].append(self._one_subtree(depths))
        self.any = any(self.contended) or sum(self.isolated) > 1 or any(self.checks)

    def _add_traits(self, parts: Sequence[Part]) -> None:
        """Required traits of the group without a suffix, which its providers may meet together."""
        depths = [depth for depth, part in enumerate(parts) if not part.group.one_provider]
        if not depths or self._cloud.topology.is_flat:
            return
        required = parts[depths[0]].group.traits.required
        if required:
            self.checks[depths[-1]].append(self._together(depths, required))

    def _together(self, depths: Sequence[int], required: Conditions) -> Check:
        def check(chosen: Sequence[int]) -> bool:
            traits = set().union(*(self._cloud.record(chosen[depth]).traits for depth in depths))
            return all(not any_of.isdisjoint(traits) for any_of in required)

        return check

    def _one_subtree(self, depths: Sequence[int]) -> Check:
        """Whether one of the providers is an ancestor of (or is) all of them."""
        ancestors = self._cloud.topology.ancestors

        def check(chosen: Sequence[int]) -> bool:
            slots = {chosen[depth] for depth in depths}
            if len(slots) == 1:
                return True
            common = set.intersection(*(set(ancestors(slot)) for slot in slots))
            return not common.isdisjoint(slots)

        return check

    def still_fits(self, slot: int, resource_class: str, amount: int) -> bool:
        """Whether amounts that fit one by one also fit together."""
        stock = self._cloud.record(slot).stocks[resource_class]
        return stock.used + amount <= stock.inventory.capacity and amount <= stock.inventory.max_unit


def enumerate_choices(rules: Rules, choices: Sequence[Sequence[int]]) -> Iterator[Choice]:
    """Every choice of one provider per part that the rules allow, in a fixed order."""
    if not rules.any:
        return product(*choices)
    if sum(rules.isolated) > 1 and not _can_be_isolated(rules.isolated, choices):
        return iter(())
    return _Walk(rules, choices).run()


class _Walk:
    """A depth-first walk over the choices, with what was chosen and taken so far."""

    def __init__(self, rules: Rules, choices: Sequence[Sequence[int]]) -> None:
        self._rules = rules
        self._choices = choices
        self._chosen: list[int] = []
        self._taken: dict[tuple[int, str], int] = {}
        self._alone: set[int] = set()
        self._dead_ends: set[tuple[object, ...]] = set()

    def run(self) -> Iterator[Choice]:
        return self._extend(0)

    def _extend(self, depth: int) -> Iterator[Choice]:
        if depth == len(self._choices):
            yield tuple(self._chosen)
            return
        state = self._state(depth)
        if state in self._dead_ends:
            return
        fruitful = False
        for slot in self._choices[depth]:
            if not self._choose(depth, slot):
                continue
            if all(check(self._chosen) for check in self._rules.checks[depth]):
                for choice in self._extend(depth + 1):
                    fruitful = True
                    yield choice
            self._let_go(depth)
        if not fruitful:
            self._dead_ends.add(state)

    def _choose(self, depth: int, slot: int) -> bool:
        """Let a provider serve the part at this depth, if it is free for it and has enough left."""
        isolated = self._rules.isolated[depth]
        if isolated and slot in self._alone:
            return False
        contended = self._rules.contended[depth]
        if contended and not self._take(slot, contended):
            return False
        if isolated:
            self._alone.add(slot)
        self._chosen.append(slot)
        return True

    def _let_go(self, depth: int) -> None:
        slot = self._chosen.pop()
        if self._rules.isolated[depth]:
            self._alone.discard(slot)
        if self._rules.contended[depth]:
            self._give_back(slot, self._rules.contended[depth])

    def _state(self, depth: int) -> tuple[object, ...]:
        """What decides whether the rest can be served: not who serves what so far, but what is left.

        Conditions that are still open look at single choices, so where there are any, these count as well.
        """
        open_checks = any(self._rules.checks[later] for later in range(depth, len(self._choices)))
        return (
            depth,
            frozenset(self._taken.items()),
            frozenset(self._alone),
            tuple(self._chosen) if open_checks else None,
        )

    def _take(self, slot: int, amounts: Mapping[str, int]) -> bool:
        """Add up what is taken from a provider, unless it is too much together."""
        if not all(
            (slot, name) not in self._taken or self._rules.still_fits(slot, name, self._taken[slot, name] + amount)
            for name, amount in amounts.items()
        ):
            return False
        for name, amount in amounts.items():
            self._taken[slot, name] = self._taken.get((slot, name), 0) + amount
        return True

    def _give_back(self, slot: int, amounts: Mapping[str, int]) -> None:
        for name, amount in amounts.items():
            left = self._taken[slot, name] - amount
            if left:
                self._taken[slot, name] = left
            else:
                del self._taken[slot, name]


def _can_be_isolated(isolated: Sequence[bool], choices: Sequence[Sequence[int]]) -> bool:
    """Whether the isolated parts can have a provider each: a matching, by augmenting paths."""
    serves: dict[int, int] = {}  # which part each provider serves

    def place(part: int, tried: set[int]) -> bool:
        for slot in choices[part]:
            if slot not in tried:
                tried.add(slot)
                if slot not in serves or place(serves[slot], tried):
                    serves[slot] = part
                    return True
        return False

    return all(place(part, set()) for part, alone in enumerate(isolated) if alone)
