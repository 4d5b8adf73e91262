"""Why a request finds nothing: the same query, told as a funnel.

The conditions are added one by one, in the order of the request, and after each it is counted how many roots and
providers are left. Where the last ones went, examples say by how much, and single relaxations are tried that would
have helped. Everything is asked of the same functions that answer the query itself, so that the story is true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from moorage.placement.index.cloud import Cloud
from moorage.placement.index.enumeration import Rules, enumerate_choices
from moorage.placement.index.matching import Part, parts_of
from moorage.placement.index.relaxation import Relaxation, relaxations, spelled
from moorage.placement.index.search import anchors_of
from moorage.placement.index.topology import Mask
from moorage.placement.model.query import AggregateFilter, CandidateQuery, RequestGroup, TraitFilter

_EXAMPLES = 3


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


def explain(cloud: Cloud, query: CandidateQuery) -> Explanation:
    """Why a request finds what it finds."""
    for group in query.groups:
        cloud.check_classes(group.resources)
        cloud.check_traits(group.traits.names)
    cloud.check_traits(query.root_traits.names)
    funnel = _Funnel(cloud)
    for condition, grown in _growing(query):
        funnel.add(condition, grown)
        if funnel.is_empty:
            break
    else:
        funnel.combine(query)
    if not funnel.is_empty:
        return Explanation(tuple(funnel.steps), None, (), ())
    return Explanation(
        tuple(funnel.steps), funnel.steps[-1], tuple(funnel.examples()), tuple(relaxations(cloud, query))
    )


# --- the conditions of a request, one by one


@dataclass(frozen=True, slots=True)
class _Condition:
    """One condition: of which group, what it says, and for a class how much it asks."""

    group: str | None
    text: str
    resource: tuple[str, int] | None = None


def _growing(query: CandidateQuery) -> Iterator[tuple[_Condition, CandidateQuery]]:
    """The request with one condition more each time; what concerns several groups together comes last, elsewhere."""
    done: tuple[RequestGroup, ...] = ()
    for group in query.groups:
        for condition, grown in _growing_group(group):
            yield condition, CandidateQuery((*done, grown))
        done = (*done, group)
    for any_of in query.root_traits.required:
        traits = TraitFilter((any_of,))
        yield _Condition(None, f"root_required={spelled(any_of)}"), CandidateQuery(done, root_traits=traits)
    if query.root_traits.forbidden:
        text = f"root_required={','.join(f'!{name}' for name in sorted(query.root_traits.forbidden))}"
        yield _Condition(None, text), CandidateQuery(done, root_traits=query.root_traits)


def _growing_group(group: RequestGroup) -> Iterator[tuple[_Condition, RequestGroup]]:
    grown = RequestGroup(group.suffix)
    suffix = group.suffix
    for name, amount in group.resources.items():
        grown = replace(grown, resources={**grown.resources, name: amount})
        yield _Condition(suffix, f"resources{suffix}={name}:{amount}", (name, amount)), grown
    if group.in_tree is not None:
        grown = replace(grown, in_tree=group.in_tree)
        yield _Condition(suffix, f"in_tree{suffix}={group.in_tree}"), grown
    for any_of in group.traits.required:
        grown = replace(grown, traits=TraitFilter((*grown.traits.required, any_of)))
        yield _Condition(suffix, f"required{suffix}={spelled(any_of)}"), grown
    for name in sorted(group.traits.forbidden):
        grown = replace(grown, traits=replace(grown.traits, forbidden=grown.traits.forbidden | {name}))
        yield _Condition(suffix, f"required{suffix}=!{name}"), grown
    for any_of in group.aggregates.required:
        grown = replace(grown, aggregates=AggregateFilter((*grown.aggregates.required, any_of)))
        yield _Condition(suffix, f"member_of{suffix}={spelled(any_of)}"), grown
    for name in sorted(group.aggregates.forbidden):
        grown = replace(grown, aggregates=replace(grown.aggregates, forbidden=grown.aggregates.forbidden | {name}))
        yield _Condition(suffix, f"member_of{suffix}=!{name}"), grown


# --- the funnel


class _Funnel:
    """Counts what is left after each condition."""

    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        topology = cloud.topology
        everybody = int(topology.alive.sum())
        roots = topology.alive & (topology.roots == np.arange(topology.size))
        self._roots: Mask = roots
        self._before: Mask = roots
        self._condition: _Condition | None = None
        self.steps = [Step(None, "all providers", int(roots.sum()), everybody)]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left."""
        return self.steps[-1].roots == 0

    def add(self, condition: _Condition, grown: CandidateQuery) -> None:
        """Count what a condition leaves."""
        topology = self._cloud.topology
        parts = [part for group in grown.groups for part in parts_of(self._cloud, group)]
        left = topology.mask(anchors_of(self._cloud, grown, parts))
        mine = [part for part in parts if condition.group is None or part.group.suffix == condition.group]
        self._record(condition, left, mine)

    def combine(self, query: CandidateQuery) -> None:
        """Count what is left when all groups are served at once, and the rules over several groups hold."""
        parts = [part for group in query.groups for part in parts_of(self._cloud, group)]
        plain = replace(query, isolate=False, same_subtrees=())
        stages = [("all groups together", plain)]
        if query.isolate and sum(group.one_provider for group in query.groups) > 1:
            stages.append(("group_policy=isolate", replace(plain, isolate=True)))
        for number, suffixes in enumerate(query.same_subtrees, 1):
            stage = replace(query, same_subtrees=query.same_subtrees[:number])
            stages.append((f"same_subtree={','.join(sorted(suffixes))}", stage))
        for text, stage in stages:
            rules = Rules(self._cloud, stage, parts)
            if not rules.any:
                continue
            left = np.flatnonzero(self._roots)
            choices = zip(*(part.chooser(self._cloud.topology)(left) for part in parts), strict=True)
            served = [next(enumerate_choices(rules, choice), None) is not None for choice in choices]
            self._record(_Condition(None, text), self._cloud.topology.mask(left[served]), parts)
            if self.is_empty:
                return

    def _record(self, condition: _Condition, left: Mask, parts: Sequence[Part]) -> None:
        self._before, self._roots = self._roots, self._roots & left
        self._condition = condition
        topology = self._cloud.topology
        serving = topology.nobody()
        for part in parts:
            serving |= part.serving(topology, self._roots)
        self.steps.append(Step(condition.group, condition.text, int(self._roots.sum()), int(serving.sum())))

    def examples(self) -> Iterator[str]:
        """With numbers: what the last roots had to offer to the condition that they failed."""
        if self._condition is None or self._condition.resource is None:
            for slot in np.flatnonzero(self._before)[:_EXAMPLES].tolist():
                yield f"{self._cloud.record(slot).provider.name} meets everything before {self.steps[-1].condition}"
            return
        resource_class, amount = self._condition.resource
        columns = self._cloud.columns_of(resource_class)
        topology = self._cloud.topology
        within_reach = self._before[topology.roots]
        for slot, roots in topology.sharing.items():
            within_reach[slot] |= bool(self._before[roots].any())
        near = np.flatnonzero(within_reach[columns.slots])
        if not len(near):
            yield f"{resource_class}: asked {amount}, but none of the trees left has any inventory of it"
            return
        free = (columns.capacity - columns.used)[near]
        for row in near[np.argsort(-free, kind="stable")][:_EXAMPLES].tolist():
            name = self._cloud.record(int(columns.slots[row])).provider.name
            most = int(columns.capacity[row] - columns.used[row])
            text = f"{resource_class}: asked {amount}, free {most} on {name}"
            if most >= amount:
                text += (
                    f", but one allocation there must be {columns.min_unit[row]} to {columns.max_unit[row]}"
                    f" in steps of {columns.step_size[row]}"
                )
            yield text
