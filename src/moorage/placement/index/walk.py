"""A depth-first walk over the ways to serve the parts of a request about one anchor.

A beginning that cannot become a candidate is abandoned at once. Wide trees of many equal children have few different
dead ends, but astronomically many ways into each: so before the walk, and at every step once it has met a dead end, it
is checked whether what is left can be served at all, and a dead end that was met before is not entered again; nor is
one that comes to the same, here or about another anchor.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from moorage.placement.index.candidates import Choice
from moorage.placement.index.memory import MOST_STEPS_AT_ONE_ANCHOR
from moorage.placement.index.placing import can_be_placed
from moorage.placement.index.rules import Ahead, Rules
from moorage.placement.index.shapes import Shape

_NOT_YET = -1
# A step where there is more than this to choose from counts as several, for that is how long it takes.
_LIGHT = 4_096


class _GivenUp(Exception):
    """The walk takes too long."""


class Walk:
    """What was chosen and taken so far. Parts are taken up in the sequence of the rules; depth says how many are."""

    def __init__(self, rules: Rules, choices: Sequence[Sequence[int]]) -> None:
        self._rules = rules
        self._choices = choices
        # Who serves each part, and the same in the order they were chosen.
        self._serving = [_NOT_YET] * len(choices)
        self._chosen: list[int] = []
        self._taken: dict[tuple[int, str], int] = {}
        self._alone: set[int] = set()
        self._dead_ends: set[Hashable] = set()
        # Since the last choice was found, or from the start.
        self._steps = 0
        # Who needs hardly a second try for each part is found in any case, however long was searched before.
        self._free_steps = 2 * len(choices)
        self._weight = 1 + sum(map(len, choices)) // _LIGHT
        self._below: dict[tuple[int, int], list[int]] = {}
        self._reach: dict[int, frozenset[int]] = {}
        self._crowded = self._crowded_trees() if rules.one_per_tree else set()
        together = rules.together
        self._still_to_meet = together.still_to_meet(choices, rules.sequence) if together.everything else []

    @cached_property
    def shape(self) -> Shape:
        """What the choices look like, whoever they are."""
        return Shape(self._rules, self._choices, self._rules.memory.labels)

    def run(self) -> Iterator[Choice]:
        """The choices, one by one."""
        memory = self._rules.memory
        if memory.barren and self.shape.label in memory.barren:
            return
        if memory.dead_ends:
            self._dead_ends = memory.dead_ends[self.shape.label]
        found = False
        try:
            if self._may_have_traits(0) and (not self._rules.compete or self._may_succeed(0)):
                for choice in self._extend(0):
                    found = True
                    self._steps = 0
                    yield choice
        except _GivenUp:
            pass
        if not found:
            memory.barren.add(self.shape.label)

    def _extend(self, depth: int) -> Iterator[Choice]:
        if depth == len(self._choices):
            yield tuple(self._serving)
            return
        if self._dead_ends and (self._state(depth) in self._dead_ends or not self._may_succeed(depth)):
            return
        fruitful = False
        part = self._rules.sequence[depth]
        for slot in self._choices[part]:
            if not self._choose(part, slot):
                continue
            if self._holds(part, depth + 1):
                for choice in self._extend(depth + 1):
                    fruitful = True
                    yield choice
            self._let_go(part)
        if not fruitful:
            self._dead_ends = self._rules.memory.dead_ends[self.shape.label]
            self._dead_ends.add(self._state(depth))

    def _choose(self, part: int, slot: int) -> bool:
        """Let a provider serve a part, if it is free for it and has enough left."""
        isolated = self._rules.isolated[part]
        if isolated and slot in self._alone:
            return False
        if self._crowded and not self._open([slot]):
            return False
        contended = self._rules.contended[part]
        if contended and not self._take(slot, contended):
            return False
        self._steps += 1
        if self._steps > self._free_steps:
            self._count_steps()
        if isolated:
            self._alone.add(slot)
        self._chosen.append(slot)
        self._serving[part] = slot
        return True

    def _count_steps(self) -> None:
        """Give up after too many."""
        effort = self._rules.effort
        if self._steps * self._weight > MOST_STEPS_AT_ONE_ANCHOR or not effort.may_go_on(self._weight):
            effort.give_up()
            raise _GivenUp

    def _let_go(self, part: int) -> None:
        slot = self._chosen.pop()
        self._serving[part] = _NOT_YET
        if self._rules.isolated[part]:
            self._alone.discard(slot)
        if self._rules.contended[part]:
            self._give_back(slot, self._rules.contended[part])

    def _holds(self, part: int, depth: int) -> bool:
        """Whether the last choice, for this part, leaves the conditions over several parts true, or possible."""
        if part in self._rules.together.parts and not self._may_have_traits(depth):
            return False
        return all(self._tops(bound) for bound in self._rules.subtrees if part in bound)

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

    # --- knowing a dead end again

    def _state(self, depth: int) -> Hashable:
        """What decides whether the rest can be served: not who serves what so far, but what is left."""
        ahead = self._rules.ahead(depth)
        serves = self.shape.serves
        marks: defaultdict[int, list[Hashable]] = defaultdict(list)
        for (slot, name), taken in self._taken.items():
            if serves[slot] & ahead.asking.get(name, 0):
                left = self._rules.free(slot, name) - taken
                marks[slot].append((name, left if left >= ahead.least[name] else 0))
        for slot in self._alone:
            if serves[slot] & ahead.isolated:
                marks[slot].append("taken")
        for number, bound in ahead.open_subtrees:
            chosen = self._chosen_of(bound)
            for top in self._tops(bound):
                marks[top].append((number, top in chosen))
        if self._crowded:
            for slot in self._serving_trees().values():
                marks[slot].append("serving")
        label = self.shape.label_with({slot: frozenset(said) for slot, said in marks.items()})
        return depth, self._traits_so_far(), label

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

    def _places(self, slots: Iterable[int]) -> list[int]:
        """Those of whom each counts as one, where it is counted how many can serve."""
        return list(dict.fromkeys(map(self._rules.tree_of, slots) if self._crowded else slots))

    # --- traits that several parts may have together

    def _traits_so_far(self) -> int:
        together = self._rules.together
        return together.met_by(self._chosen_of(together.parts)) if together.everything else 0

    def _may_have_traits(self, depth: int) -> bool:
        """Whether the parts from here on can have what those before them lack, if amounts do not matter."""
        everything = self._rules.together.everything
        if not everything:
            return True
        met = self._traits_so_far()
        return any(met | more == everything for more in self._still_to_meet[depth])

    # --- one subtree

    def _chosen_of(self, parts: Iterable[int]) -> set[int]:
        return {self._serving[part] for part in parts} - {_NOT_YET}

    def _tops(self, bound: Sequence[int]) -> frozenset[int]:
        """Who can be the one under whom the providers of all these parts lie, after what was chosen so far.

        It is an ancestor of (or is) every one that is chosen, each part to come has a choice under it, and it is
        chosen itself, or can be.
        """
        chosen = self._chosen_of(bound)
        to_come = [part for part in bound if self._serving[part] == _NOT_YET]
        above = [*map(self._rules.lineage, chosen), *map(self._reach_of, to_come)]
        choosable = chosen.union(*(self._choices[part] for part in to_come))
        return frozenset.intersection(*above) & choosable

    def _reach_of(self, part: int) -> frozenset[int]:
        """Everybody who has a choice of the part under them."""
        reach = self._reach.get(part)
        if reach is None:
            reach = self._reach[part] = frozenset().union(*map(self._rules.lineage, self._choices[part]))
        return reach

    # --- looking ahead

    def _may_succeed(self, depth: int) -> bool:
        """Whether the parts from here on can be served, each rule seen by itself: necessary, not always sufficient."""
        ahead = self._rules.ahead(depth)
        if not self._can_be_served(ahead, self._choices):
            return False
        return all(
            any(self._can_be_served(ahead, self._under(top, bound)) for top in self._tops(bound))
            for bound in ahead.subtrees
        )

    def _under(self, top: int, bound: Sequence[int]) -> list[Sequence[int]]:
        """The choices, for these parts only those under a provider."""
        choices = list(self._choices)
        for part in bound:
            below = self._below.get((top, part))
            if below is None:
                lineage = self._rules.lineage
                below = self._below[top, part] = [slot for slot in choices[part] if top in lineage(slot)]
            choices[part] = below
        return choices

    def _can_be_served(self, ahead: Ahead, choices: Sequence[Sequence[int]]) -> bool:
        """Whether the choices are enough. A tree that may serve with one provider counts as the best it still has."""
        if self._crowded:
            choices = [self._open(slots) for slots in choices]
            if not all(choices[part] for part in ahead.parts):
                return False
        if len(ahead.alone) > 1:
            taken = set(self._places(self._alone))
            if not self._can_be_placed(ahead.alone, choices, lambda place: place not in taken):
                return False
        return all(self._has_room(name, parts, choices) for name, parts in ahead.askers.items())

    def _has_room(self, name: str, parts: Sequence[int], choices: Sequence[Sequence[int]]) -> bool:
        """Whether there is enough of a class for these parts, if all were as small as the smallest of them."""
        amounts = [self._rules.contended[part][name] for part in parts]
        # Those that are served alike have one list.
        slots = set().union(*{id(choices[part]): choices[part] for part in parts}.values())
        left = {slot: self._rules.free(slot, name) - self._taken.get((slot, name), 0) for slot in slots}
        if self._crowded:
            left = {self._rules.tree_of(slot): left[slot] for slot in sorted(slots, key=left.__getitem__)}
        if sum(left.values()) < sum(amounts):
            return False
        least = min(amounts)
        rooms = {place: amount // least for place, amount in left.items()}
        return self._can_be_placed(parts, choices, rooms.__getitem__)

    def _can_be_placed(
        self, parts: Iterable[int], choices: Sequence[Sequence[int]], room: Callable[[int], int]
    ) -> bool:
        return can_be_placed(parts, [self._places(slots) for slots in choices] if self._crowded else choices, room)
