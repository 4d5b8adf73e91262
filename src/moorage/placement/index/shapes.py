"""Which beginnings come to the same, whoever they are about.

Two hosts with two GPUs free each can serve the same requests, and so can one host of whose two GPUs the first or the
second was chosen. A label stands for all of which that is true: it is made from what counts for the parts of a request,
of a provider and of all that is below it, and not from who it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence

from moorage.placement.index.memory import Labels
from moorage.placement.index.rules import Rules


class Shape:
    """The choices about one anchor."""

    def __init__(self, rules: Rules, choices: Sequence[Sequence[int]], labels: Labels) -> None:
        self._rules = rules
        self._labels = labels
        # The parts that each can serve, as the bits of a number.
        self.serves = _serves(choices)
        # Those above whom it matters, each with how far it is from its root.
        self._parents: dict[int, int | None] = {}
        self._depths: dict[int, int] = {}
        if rules.subtrees or rules.one_per_tree:
            for slot in self.serves:
                self._add_lineage(slot)
        else:
            self._parents, self._depths = dict.fromkeys(self.serves), dict.fromkeys(self.serves, 0)
        self._static: dict[int, int] = {}
        # Equal for two anchors whenever the same can be served about both.
        self.label = self._label_everybody()

    def _add_lineage(self, slot: int) -> None:
        lineage = self._rules.lineage_that_matters(slot)
        for depth, above in enumerate(reversed(lineage)):
            self._depths[above] = depth
        for below, parent in zip(lineage, [*lineage[1:], None], strict=True):
            self._parents[below] = parent

    def _label_everybody(self) -> int:
        below: defaultdict[int | None, list[int]] = defaultdict(list)
        for slot in sorted(self._depths, key=self._depths.__getitem__, reverse=True):
            label = self._labels.of((self._own(slot), _sorted(below.pop(slot, ()))))
            self._static[slot] = label
            below[self._parents[slot]].append(label)
        return self._labels.of(_sorted(below[None]))

    def _own(self, slot: int) -> Hashable:
        """What counts of a provider by itself: whom it can serve, and what of that it has."""
        serves = self.serves.get(slot)
        if serves is None:
            return None
        free = tuple(self._rules.free(slot, name) for name in self._rules.contended_by(serves))
        return serves, free, self._rules.together.met_by([slot]) if self._rules.together.everything else 0

    def label_with(self, marks: Mapping[int, Hashable]) -> Hashable:
        """What becomes of the shape with something said of some providers; equal where that comes to the same."""
        waiting = dict(marks)
        below: defaultdict[int | None, list[int]] = defaultdict(list)
        by_depth: defaultdict[int, dict[int, None]] = defaultdict(dict)
        for slot in waiting:
            by_depth[self._depths[slot]][slot] = None
        for depth in range(max(by_depth, default=-1), -1, -1):
            for slot in by_depth[depth]:
                label = self._labels.of((self._static[slot], waiting.get(slot), _sorted(below.pop(slot, ()))))
                parent = self._parents[slot]
                below[parent].append(label)
                if parent is not None:
                    by_depth[depth - 1][parent] = None
        return _sorted(below[None])


class Alike:
    """Which anchors come to the same by some rules; each is looked at once."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._labels: dict[int, int] = {}

    def label_of(self, anchor: int, choices: Sequence[Sequence[int]]) -> int:
        """The label of an anchor, whose choices are always the same."""
        label = self._labels.get(anchor)
        if label is None:
            label = Shape(self._rules, choices, self._rules.memory.labels).label
            self._labels[anchor] = label
        return label


def _sorted(labels: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(labels))


def _serves(choices: Sequence[Sequence[int]]) -> dict[int, int]:
    """The parts that each provider can serve. Parts that are served alike mostly have one list, which is read once."""
    lists: dict[int, tuple[Sequence[int], int]] = {}
    for part, slots in enumerate(choices):
        _, bits = lists.get(id(slots), (slots, 0))
        lists[id(slots)] = (slots, bits | 1 << part)
    serves: dict[int, int] = {}
    for slots, bits in lists.values():
        for slot in slots:
            serves[slot] = serves.get(slot, 0) | bits
    return serves
