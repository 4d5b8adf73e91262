"""All ways to serve the parts of a request about one anchor, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from math import prod

from moorage.placement.index.candidates import Choice
from moorage.placement.index.rules import Rules
from moorage.placement.index.shapes import Alike, Shape
from moorage.placement.index.walk import Walk

# Up to so many combinations it is quicker to try them all than to be clever.
_FEW = 200
# After so many in vain it is worth to know whether all were tried in vain about another anchor that comes to the same.
_IN_VAIN = 20


def enumerate_choices(rules: Rules, choices: Sequence[Sequence[int]]) -> Iterator[Choice]:
    """Every choice of one provider per part that the rules allow, in a fixed order."""
    if not rules.any:
        return product(*choices)
    combinations = prod(map(len, choices))
    if combinations <= _IN_VAIN:
        return filter(rules.allow, product(*choices))
    if combinations <= _FEW:
        return _all_of_few(rules, choices)
    return Walk(rules, choices).run()


def are_served(rules: Rules, anchors: Iterable[tuple[int, Sequence[Sequence[int]]]], alike: Alike) -> Iterator[bool]:
    """For many anchors, each with its choices: whether there is any choice that the rules allow.

    Of those that come to the same one is looked at.
    """
    known: dict[int, bool] = {}
    for anchor, choices in anchors:
        tried = any(map(rules.allow, islice(product(*choices), _IN_VAIN)))
        if tried or prod(map(len, choices)) <= _IN_VAIN:
            yield tried
            continue
        label = alike.label_of(anchor, choices)
        if label not in known:
            known[label] = next(enumerate_choices(rules, choices), None) is not None
        yield known[label]


def _all_of_few(rules: Rules, choices: Sequence[Sequence[int]]) -> Iterator[Choice]:
    in_vain = 0
    for choice in product(*choices):
        if rules.allow(choice):
            in_vain = -_FEW
            yield choice
        else:
            in_vain += 1
            if in_vain == _IN_VAIN and rules.memory.barren and _label(rules, choices) in rules.memory.barren:
                return
    if in_vain > 0:
        rules.memory.barren.add(_label(rules, choices))


def _label(rules: Rules, choices: Sequence[Sequence[int]]) -> int:
    return Shape(rules, choices, rules.memory.labels).label
