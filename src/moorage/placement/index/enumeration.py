"""All ways to serve the parts of a request about one anchor, one after the other.

A beginning that cannot become a candidate is abandoned at once. Wide trees of many equal children have few different
dead ends, but astronomically many ways into each: so before the walk, and at every step once it has met a dead end, it
is checked whether what is left can be served at all, and a dead end that was met before is not entered again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod

from moorage.placement.index.candidates import Choice
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.matching import Part
from moorage.placement.index.together import Together
from moorage.placement.model.query import CandidateQuery

Check = Callable[[Sequence[int]], bool]

# Up to so many combinations it is quicker to try them all than to be clever.
_FEW = 200
_PAIR = 2


class Rules:
    """The conditions over several parts of a request; the same for every anchor."""

    def __init__(self, cloud: Cloud, query: CandidateQuery, parts: Sequence[Part]) -> None:
        self._cloud = cloud
        self.isolated = [query.isolate and part.group.one_provider for part in parts]
        self._alone = [depth for depth, alone in enumerate(self.isolated) if alone]
        # Within one group every class stands once.
        self.contended = self._contended(parts) if len(query.groups) > 1 else [{} for _ in parts]
        self.together = Together(cloud, parts)
        # Parts whose providers must all lie under one of them.
        self.subtrees = [
            [depth for depth, part in enumerate(parts) if part.group.suffix in suffixes]
            for suffixes in query.same_subtrees
        ]
        self.lineage = cloud.topology.lineage
        # Whether one provider of a tree has to serve all that the tree serves, as before microversion 1.29.
        self.one_per_tree = not query.nested and len(parts) > 1 and cloud.topology.has_trees
        # Whether the parts compete for providers or for what they have.
        self.compete = any(self.contended) or sum(self.isolated) > 1 or self.one_per_tree
        self._conditions = self._all_at_once()
        self.any = bool(self._conditions)
        self._free: dict[tuple[int, str], int] = {}
        self._trees: dict[int, int] = {}

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

    def _all_at_once(self) -> list[Check]:
        """The conditions as they are decided for a complete choice."""
        conditions: list[Check] = [self.together.is_met_by] if self.together.everything else []
        if len(self._alone) > 1:
            conditions.append(self._apart_from(*self._alone))
        conditions += [self._under_one_of(*depths) for depths in self.subtrees]
        if self.one_per_tree:
            conditions.append(self._one_of_each_tree)
        if any(self.contended):
            conditions.append(self._have_enough)
        return conditions

    def allow(self, choice: Choice) -> bool:
        """Whether a complete choice meets all the rules."""
        for condition in self._conditions:  # noqa: SIM110 - all() with a generator takes twice as long
            if not condition(choice):
                return False
        return True

    # Almost always it is two parts that are to be apart, or together: then no sets are needed.

    def _apart_from(self, *depths: int) -> Check:
        """Each of these parts has a provider of its own."""
        if len(depths) == _PAIR:
            one, other = depths
            return lambda choice: choice[one] != choice[other]
        return lambda choice: len({choice[depth] for depth in depths}) == len(depths)

    def _under_one_of(self, *depths: int) -> Check:
        """The providers of these parts all lie under one of them."""
        lineage = self.lineage
        if len(depths) == _PAIR:
            one, other = depths
            return lambda choice: choice[one] in lineage(choice[other]) or choice[other] in lineage(choice[one])

        def check(choice: Sequence[int]) -> bool:
            slots = {choice[depth] for depth in depths}
            first, *others = map(lineage, slots)
            return not slots.isdisjoint(first.intersection(*others))

        return check

    def _one_of_each_tree(self, choice: Sequence[int]) -> bool:
        slots = set(choice)
        return len({self.tree_of(slot) for slot in slots}) == len(slots)

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
        """How much can be taken from a provider at once."""
        free = self._free.get((slot, resource_class))
        if free is None:
            stock = self._cloud.record(slot).stocks[resource_class]
            free = min(stock.inventory.capacity - stock.used, stock.inventory.max_unit)
            self._free[slot, resource_class] = free
        return free


def enumerate_choices(rules: Rules, choices: Sequence[Sequence[int]]) -> Iterator[Choice]:
    """Every choice of one provider per part that the rules allow, in a fixed order."""
    if not rules.any:
        return product(*choices)
    if prod(map(len, choices)) <= _FEW:
        return filter(rules.allow, product(*choices))
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
        self._reach: dict[int, frozenset[int]] = {}
        self._crowded = self._crowded_trees() if rules.one_per_tree else set()
        self._still_to_meet = rules.together.still_to_meet(choices) if rules.together.everything else []

    def run(self) -> Iterator[Choice]:
        """The choices, one by one."""
        if self._may_have_traits(0) and (not self._rules.compete or self._may_succeed(0)):
            yield from self._extend(0)

    def _extend(self, depth: int) -> Iterator[Choice]:
        if depth == len(self._choices):
            yield tuple(self._chosen)
            return
        if self._dead_ends and (self._state(depth) in self._dead_ends or not self._may_succeed(depth)):
            return
        fruitful = False
        for slot in self._choices[depth]:
            if not self._choose(depth, slot):
                continue
            if self._holds(depth):
                for choice in self._extend(depth + 1):
                    fruitful = True
                    yield choice
            self._let_go(depth)
        if not fruitful:
            self._dead_ends.add(self._state(depth))

    def _choose(self, depth: int, slot: int) -> bool:
        """Let a provider serve the part at this depth, if it is free for it and has enough left."""
        isolated = self._rules.isolated[depth]
        if isolated and slot in self._alone:
            return False
        if self._crowded and not self._open([slot]):
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

    def _holds(self, depth: int) -> bool:
        """Whether the last choice leaves the conditions over several parts true, or possible."""
        if depth in self._rules.together.depths and not self._may_have_traits(depth + 1):
            return False
        return all(self._tops(depths, depth + 1) for depths in self._rules.subtrees if depth in depths)

    def _state(self, depth: int) -> tuple[object, ...]:
        """What decides whether the rest can be served: not who serves what so far, but what is left."""
        return (
            depth,
            frozenset(self._taken.items()),
            frozenset(self._alone),
            tuple(self._open_subtree(depths, depth) for depths in self._rules.subtrees if depths[-1] >= depth),
            self._traits_so_far(depth),
            frozenset(self._serving_trees().values()) if self._crowded else None,
        )

    def _take(self, slot: int, amounts: Mapping[str, int]) -> bool:
        """Add up what is taken from a provider, unless it is too much together."""
        for name, amount in amounts.items():
            taken = self._taken.get((slot, name))
            if taken is not None and taken + amount > self._rules.free(slot, name):
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

    # --- one provider of each tree

    def _crowded_trees(self) -> set[int]:
        """The trees of which several providers could be chosen."""
        trees = Counter(map(self._rules.tree_of, set().union(*self._choices)))
        return {tree for tree, providers in trees.items() if providers > 1}

    def _serving_trees(self) -> dict[int, int]:
        """Who was chosen of each crowded tree so far."""
        chosen = ((self._rules.tree_of(slot), slot) for slot in self._chosen)
        return {tree: slot for tree, slot in chosen if tree in self._crowded}

    def _open(self, slots: Iterable[int]) -> list[int]:
        """Those of the providers beside whom nobody else of their tree serves so far."""
        serving = self._serving_trees()
        return [slot for slot in slots if serving.get(self._rules.tree_of(slot), slot) == slot]

    def _places(self, slots: Iterable[int]) -> Iterable[int]:
        """Those of whom each counts as one, where it is counted how many can serve."""
        return set(map(self._rules.tree_of, slots)) if self._crowded else slots

    # --- traits that several parts may have together

    def _traits_so_far(self, depth: int) -> int:
        together = self._rules.together
        return together.met_by([self._chosen[part] for part in together.depths if part < depth])

    def _may_have_traits(self, depth: int) -> bool:
        """Whether the parts from here on can have what those before them lack, if amounts do not matter."""
        everything = self._rules.together.everything
        if not everything:
            return True
        met = self._traits_so_far(depth)
        return any(met | more == everything for more in self._still_to_meet[depth])

    # --- one subtree

    def _tops(self, depths: Sequence[int], depth: int) -> frozenset[int]:
        """Who can be the one under whom all these parts' providers lie, when those before `depth` are chosen.

        It is an ancestor of (or is) every one that is chosen, each part to come has a choice under it, and it is
        chosen itself, or can be.
        """
        chosen = [self._chosen[part] for part in depths if part < depth]
        to_come = [part for part in depths if part >= depth]
        above = [self._rules.lineage(slot) for slot in chosen] + [self._reach_of(part) for part in to_come]
        choosable = set(chosen).union(*(self._choices[part] for part in to_come))
        return frozenset.intersection(*above) & choosable

    def _open_subtree(self, depths: Sequence[int], depth: int) -> tuple[frozenset[int], frozenset[int]]:
        """What the choices so far mean for the rest: who may be on top, and who of them is chosen already."""
        tops = self._tops(depths, depth)
        return tops, tops.intersection(self._chosen[part] for part in depths if part < depth)

    def _reach_of(self, part: int) -> frozenset[int]:
        """Everybody who has a choice of the part under them."""
        reach = self._reach.get(part)
        if reach is None:
            reach = self._reach[part] = frozenset().union(*map(self._rules.lineage, self._choices[part]))
        return reach

    # --- looking ahead

    def _may_succeed(self, depth: int) -> bool:
        """Whether the parts from here on can be served, each rule seen by itself: necessary, not always sufficient."""
        if not self._can_be_served(depth, self._choices):
            return False
        return all(
            any(self._can_be_served(depth, self._under(top, depths)) for top in self._tops(depths, depth))
            for depths in self._rules.subtrees
            if depths[-1] >= depth
        )

    def _under(self, top: int, depths: Sequence[int]) -> list[Sequence[int]]:
        """The choices, for these parts only those under a provider."""
        lineage = self._rules.lineage
        return [
            [slot for slot in choices if top in lineage(slot)] if part in depths else choices
            for part, choices in enumerate(self._choices)
        ]

    def _can_be_served(self, depth: int, choices: Sequence[Sequence[int]]) -> bool:
        """Whether the choices are enough. A tree that may serve with one provider counts as the best it still has."""
        rest = range(depth, len(choices))
        if self._crowded:
            choices = [self._open(slots) for slots in choices]
            if not all(choices[part] for part in rest):
                return False
        alone = [part for part in rest if self._rules.isolated[part]]
        if len(alone) > 1:
            taken = self._places(self._alone)
            if not self._can_be_placed(alone, choices, lambda place: 0 if place in taken else 1):
                return False
        classes = {name for part in rest for name in self._rules.contended[part]}
        return all(
            self._has_room(name, [part for part in rest if name in self._rules.contended[part]], choices)
            for name in classes
        )

    def _has_room(self, name: str, parts: Sequence[int], choices: Sequence[Sequence[int]]) -> bool:
        """Whether there is enough of a class for these parts, if all were as small as the smallest of them."""
        amounts = [self._rules.contended[part][name] for part in parts]
        slots = set().union(*(choices[part] for part in parts))
        left = {slot: self._rules.free(slot, name) - self._taken.get((slot, name), 0) for slot in slots}
        if self._crowded:
            left = {self._rules.tree_of(slot): left[slot] for slot in sorted(slots, key=left.__getitem__)}
        if sum(left.values()) < sum(amounts):
            return False
        return self._can_be_placed(parts, choices, lambda place: left[place] // min(amounts))

    def _can_be_placed(
        self, parts: Iterable[int], choices: Sequence[Sequence[int]], room: Callable[[int], int]
    ) -> bool:
        return _can_be_placed(parts, [self._places(slots) for slots in choices], room)


def _can_be_placed(parts: Iterable[int], choices: Sequence[Iterable[int]], room: Callable[[int], int]) -> bool:
    """Whether every part can have one of its choices, none of which serves more parts than it has room for.

    A matching, grown part by part along augmenting paths.
    """
    serving: dict[int, list[int]] = {}

    def place(part: int, tried: set[int]) -> bool:
        for slot in choices[part]:
            if slot in tried:
                continue
            tried.add(slot)
            served = serving.setdefault(slot, [])
            if len(served) < room(slot):
                served.append(part)
                return True
            for index, other in enumerate(served):
                if place(other, tried):
                    served[index] = part
                    return True
        return False

    return all(place(part, set()) for part in parts)
