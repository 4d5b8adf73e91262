"""The conditions of a request one by one, in the words of a query string."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from moorage.placement.model.query import AggregateFilter, CandidateQuery, RequestGroup, TraitFilter


def spelled(any_of: frozenset[str]) -> str:
    """Alternatives as a query string spells them."""
    return ("in:" if len(any_of) > 1 else "") + ",".join(sorted(any_of))


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition: of which group, what it says, and for a class how much it asks."""

    group: str | None
    text: str
    resource: tuple[str, int] | None = None


def growing(query: CandidateQuery) -> Iterator[tuple[Condition, CandidateQuery]]:
    """The request with one condition more each time; what concerns several groups together is not among them."""
    done: tuple[RequestGroup, ...] = ()
    for group in query.groups:
        for condition, grown in _growing_group(group):
            yield condition, CandidateQuery((*done, grown))
        done = (*done, group)
    for any_of in dict.fromkeys(query.root_traits.required):
        traits = TraitFilter((any_of,))
        yield Condition(None, f"root_required={spelled(any_of)}"), CandidateQuery(done, root_traits=traits)
    if query.root_traits.forbidden:
        text = f"root_required={','.join(f'!{name}' for name in sorted(query.root_traits.forbidden))}"
        yield Condition(None, text), CandidateQuery(done, root_traits=query.root_traits)


def _growing_group(group: RequestGroup) -> Iterator[tuple[Condition, RequestGroup]]:
    grown = RequestGroup(group.suffix)
    suffix = group.suffix
    for name, amount in group.resources.items():
        grown = replace(grown, resources={**grown.resources, name: amount})
        yield Condition(suffix, f"resources{suffix}={name}:{amount}", (name, amount)), grown
    if group.in_tree is not None:
        grown = replace(grown, in_tree=group.in_tree)
        yield Condition(suffix, f"in_tree{suffix}={group.in_tree}"), grown
    for any_of in dict.fromkeys(group.traits.required):
        grown = replace(grown, traits=TraitFilter((*grown.traits.required, any_of)))
        yield Condition(suffix, f"required{suffix}={spelled(any_of)}"), grown
    for name in sorted(group.traits.forbidden):
        grown = replace(grown, traits=replace(grown.traits, forbidden=grown.traits.forbidden | {name}))
        yield Condition(suffix, f"required{suffix}=!{name}"), grown
    for any_of in dict.fromkeys(group.aggregates.required):
        grown = replace(grown, aggregates=AggregateFilter((*grown.aggregates.required, any_of)))
        yield Condition(suffix, f"member_of{suffix}={spelled(any_of)}"), grown
    for name in sorted(group.aggregates.forbidden):
        grown = replace(grown, aggregates=replace(grown.aggregates, forbidden=grown.aggregates.forbidden | {name}))
        yield Condition(suffix, f"member_of{suffix}=!{name}"), grown
