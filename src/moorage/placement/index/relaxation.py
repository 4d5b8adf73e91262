"""What would have helped: single changes of a request that finds nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from moorage.placement.index.amounts import nearest_amounts
from moorage.placement.index.conditions import spelled
from moorage.placement.index.variations import Variations
from moorage.placement.model.query import CandidateQuery, RequestGroup


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A single change of the request that would give candidates."""

    group: str | None  # None for what concerns the whole request
    change: str


def relaxations(variations: Variations) -> Iterator[Relaxation]:
    """Single changes that would give candidates: other amounts first, the nearest of all, then one condition less."""
    yield from _other_amounts(variations)
    yield from _less_of_a_group(variations)
    for change, query in _without_one_over_all(variations.query):
        if variations.has_candidates_if(query):
            yield Relaxation(None, change)


def _other_amounts(variations: Variations) -> Iterator[Relaxation]:
    helpful: list[tuple[float, Relaxation]] = []
    # Of groups that ask for the same one is tried.
    known: dict[tuple[str, str], list[int]] = {}
    for group in variations.query.groups:
        if not variations.anchors_beside(group.suffix).any():
            continue
        first = variations.first_like(group)
        for name, amount in group.resources.items():
            if (first.suffix, name) not in known:
                known[first.suffix, name] = list(nearest_amounts(variations, first, name))
            for enough in known[first.suffix, name]:
                change = f"resources{group.suffix}={name}:{enough} instead of {amount}"
                nearness = min(enough, amount) / max(enough, amount)
                helpful.append((nearness, Relaxation(group.suffix, change)))
    for _, relaxation in sorted(helpful, key=lambda item: -item[0]):
        yield relaxation


def _less_of_a_group(variations: Variations) -> Iterator[Relaxation]:
    known: dict[str, bool] = {}
    for group in variations.query.groups:
        # Where the others find no place in any tree, no change of this group helps.
        if not variations.anchors_beside(group.suffix).any():
            continue
        as_first = replace(group, suffix=variations.first_like(group).suffix)
        for (change, _), (tried, less) in zip(
            _without_one_of_group(group), _without_one_of_group(as_first), strict=True
        ):
            if tried not in known:
                known[tried] = variations.has_candidates_with(less)
            if known[tried]:
                yield Relaxation(group.suffix, f"without {change}")


def _without_one_over_all(query: CandidateQuery) -> Iterator[tuple[str, CandidateQuery]]:
    traits = query.root_traits
    for any_of in dict.fromkeys(traits.required):
        left = replace(traits, required=tuple(item for item in traits.required if item != any_of))
        yield f"without root_required={spelled(any_of)}", replace(query, root_traits=left)
    for name in sorted(traits.forbidden):
        left = replace(traits, forbidden=traits.forbidden - {name})
        yield f"without root_required=!{name}", replace(query, root_traits=left)
    if query.isolate:
        yield "group_policy=none instead of isolate", replace(query, isolate=False)
    for suffixes in dict.fromkeys(query.same_subtrees):
        kept = tuple(item for item in query.same_subtrees if item != suffixes)
        yield f"without same_subtree={','.join(sorted(suffixes))}", replace(query, same_subtrees=kept)


def _without_one_of_group(group: RequestGroup) -> Iterator[tuple[str, RequestGroup]]:
    suffix, traits, aggregates = group.suffix, group.traits, group.aggregates
    for any_of in dict.fromkeys(traits.required):
        kept = tuple(item for item in traits.required if item != any_of)
        yield f"required{suffix}={spelled(any_of)}", replace(group, traits=replace(traits, required=kept))
    for name in sorted(traits.forbidden):
        relaxed = replace(traits, forbidden=traits.forbidden - {name})
        yield f"required{suffix}=!{name}", replace(group, traits=relaxed)
    for any_of in dict.fromkeys(aggregates.required):
        kept = tuple(item for item in aggregates.required if item != any_of)
        yield f"member_of{suffix}={spelled(any_of)}", replace(group, aggregates=replace(aggregates, required=kept))
    for name in sorted(aggregates.forbidden):
        open_to = replace(aggregates, forbidden=aggregates.forbidden - {name})
        yield f"member_of{suffix}=!{name}", replace(group, aggregates=open_to)
    if group.in_tree is not None:
        yield f"in_tree{suffix}={group.in_tree}", replace(group, in_tree=None)
    for name in group.resources if len(group.resources) > 1 else ():
        kept_resources = {other: amount for other, amount in group.resources.items() if other != name}
        yield f"resources{suffix}={name}", replace(group, resources=kept_resources)
