"""Why a request finds nothing: the same query, told as a funnel.

The conditions are added one by one, in the order of the request, and after each it is counted how many roots and
providers are left. Where the last ones went, examples say by how much, and single changes are tried that would have
helped. Everything is asked of the same functions that answer the query itself, so that the story is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from moorage.placement.index import shortages
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.columns import Mask
from moorage.placement.index.conditions import Condition, growing
from moorage.placement.index.enumeration import are_served
from moorage.placement.index.matching import Part, choosing, keep_traits, parts_of
from moorage.placement.index.relaxation import Relaxation, relaxations
from moorage.placement.index.rules import Rules
from moorage.placement.index.shapes import Alike
from moorage.placement.index.variations import Variations, anchors_of_parts
from moorage.placement.model.query import CandidateQuery


@dataclass(frozen=True, slots=True)
class Step:
    """A condition, and what is left when it has been added to those before it."""

    group: str | None  # None for conditions over the whole request
    condition: str
    roots: int
    providers: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """The whole story."""

    steps: tuple[Step, ...]
    # The step that took the last roots; None if there are candidates.
    blocked_by: Step | None
    examples: tuple[str, ...]
    # The smallest first.
    relaxations: tuple[Relaxation, ...]


# Tells of some trees, the last that were left, what they lacked for a condition.
_Examples = Callable[[Mask], Iterator[str]]


def explain(cloud: Cloud, query: CandidateQuery) -> Explanation:
    """Why a request finds what it finds."""
    for group in query.groups:
        cloud.check_classes(group.resources)
        cloud.check_traits(group.traits.names)
    cloud.check_traits(query.root_traits.names)
    variations = Variations(cloud, query)
    funnel = _Funnel(variations)
    for condition, grown in growing(query):
        funnel.add(condition, grown)
        if funnel.is_empty:
            break
    else:
        funnel.combine()
    if not funnel.is_empty:
        return Explanation(tuple(funnel.steps), None, (), ())
    return Explanation(tuple(funnel.steps), funnel.steps[-1], tuple(funnel.examples()), tuple(relaxations(variations)))


class _Funnel:
    """Counts what is left after each condition."""

    def __init__(self, variations: Variations) -> None:
        self._variations = variations
        self._cloud = variations.cloud
        topology = self._cloud.topology
        everybody = int(topology.alive.sum())
        roots = topology.alive & (topology.roots == np.arange(topology.size))
        self._roots: Mask = roots
        self._before: Mask = roots
        self._examples: _Examples = lambda _: iter(())
        self.steps = [Step(None, "all providers", int(roots.sum()), everybody)]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left."""
        return self.steps[-1].roots == 0

    def add(self, condition: Condition, grown: CandidateQuery) -> None:
        """Count what a condition leaves: one of the last group so far, or one that roots must meet."""
        if condition.group is None:
            left = self._cloud.topology.alive.copy()
            keep_traits(self._cloud.topology, left, grown.root_traits)
            self._record(condition, left, self._variations.parts)
        else:
            parts = parts_of(self._cloud, grown.groups[-1])
            self._record(condition, anchors_of_parts(self._cloud, parts), parts)

    def combine(self) -> None:
        """Count what is left when all groups are served at once, and the rules over several groups hold."""
        query, parts = self._variations.query, self._variations.parts
        all_together = Alike(Rules(self._cloud, query, parts))
        for text, stage in _stages(query):
            rules = Rules(self._cloud, stage, parts, self._variations.effort)
            if not rules.any:
                continue
            left = np.flatnonzero(self._roots)
            choices = choosing(self._cloud.topology, parts)(left)
            # As long as groups compete for the same, what comes to the same by all rules does so by some of them.
            alike = all_together if stage.isolate == query.isolate else Alike(rules)
            served = are_served(rules, zip(left.tolist(), choices, strict=True), alike)
            left_roots = self._cloud.topology.mask(left[list(served)])
            self._record(Condition(None, text), left_roots, parts, self._lack_together(text, rules))
            if self.is_empty:
                return

    def examples(self) -> Iterator[str]:
        """With numbers: what the last roots had to offer to the condition that they failed."""
        return self._examples(self._before)

    def _record(
        self, condition: Condition, left: Mask, parts: Sequence[Part], examples: _Examples | None = None
    ) -> None:
        self._before, self._roots = self._roots, self._roots & left
        self._examples = examples or self._lack(condition)
        topology = self._cloud.topology
        serving = topology.nobody()
        for part in parts:
            serving |= part.serving(topology, self._roots)
        self.steps.append(Step(condition.group, condition.text, int(self._roots.sum()), int(serving.sum())))

    def _lack(self, condition: Condition) -> _Examples:
        if condition.resource is None:
            return lambda roots: shortages.unmet(self._cloud, condition.text, roots)
        name, amount = condition.resource
        return lambda roots: shortages.too_little(self._cloud, name, amount, roots)

    def _lack_together(self, text: str, rules: Rules) -> _Examples | None:
        """For rules of which there is something to count, if these alone decide."""
        parts = self._variations.parts
        if text == _ISOLATED:
            apart = [part for part, alone in zip(parts, rules.isolated, strict=True) if alone]
            return lambda roots: shortages.too_few(self._cloud, apart, roots)
        if text == _TOGETHER and not rules.one_per_tree and not rules.together.everything:
            return lambda roots: shortages.too_little_together(self._cloud, parts, rules.contended, roots)
        return None


_TOGETHER = "all groups together"
_ISOLATED = "group_policy=isolate"


def _stages(query: CandidateQuery) -> Iterator[tuple[str, CandidateQuery]]:
    """The rules over several groups, one more each time."""
    plain = replace(query, isolate=False, same_subtrees=())
    yield _TOGETHER, plain
    if query.isolate and sum(group.one_provider for group in query.groups) > 1:
        yield _ISOLATED, replace(plain, isolate=True)
    for number, suffixes in enumerate(query.same_subtrees, 1):
        stage = replace(query, same_subtrees=query.same_subtrees[:number])
        yield f"same_subtree={','.join(sorted(suffixes))}", stage
