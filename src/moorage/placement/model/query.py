"""What can be asked of the ledger: filters over providers, and requests for allocation candidates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

# Members of the inner sets are alternatives, the outer tuple's items must all be met:
# ({"A"}, {"B", "C"}) reads "A, and B or C".
Conditions = tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class TraitFilter:
    """Traits a provider must and must not have."""

    required: Conditions = ()
    forbidden: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Whether there is anything to check."""
        return bool(self.required or self.forbidden)

    @property
    def names(self) -> frozenset[str]:
        """Every trait that is mentioned."""
        return self.forbidden.union(*self.required)


@dataclass(frozen=True, slots=True)
class AggregateFilter:
    """Aggregates a provider must and must not be a member of."""

    required: Conditions = ()
    forbidden: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ProviderFilter:
    """What GET /resource_providers can be narrowed down by. Every condition looks at the provider itself."""

    name: str | None = None
    uuid: str | None = None
    in_tree: str | None = None
    resources: Mapping[str, int] = field(default_factory=dict)
    traits: TraitFilter = TraitFilter()
    aggregates: AggregateFilter = AggregateFilter()


@dataclass(frozen=True, slots=True)
class RequestGroup:
    """Resources, and what their providers must be like.

    The group without a suffix may be served by several providers of one tree and by providers that share with it. A
    group with a suffix is served by exactly one provider.
    """

    suffix: str
    resources: Mapping[str, int] = field(default_factory=dict)
    traits: TraitFilter = TraitFilter()
    aggregates: AggregateFilter = AggregateFilter()
    in_tree: str | None = None

    @property
    def one_provider(self) -> bool:
        """Whether a single provider must serve the whole group."""
        return bool(self.suffix)

    def asks_like(self, other: RequestGroup) -> bool:
        """Whether another group asks for the same, so that whoever can serve one can serve the other."""
        return self.one_provider == other.one_provider and replace(self, suffix=other.suffix) == other


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """A whole GET /allocation_candidates."""

    groups: tuple[RequestGroup, ...]
    isolate: bool = False
    limit: int | None = None
    # What the root of the candidate's tree must be like (microversion 1.35).
    root_traits: TraitFilter = TraitFilter()
    # Sets of suffixes: all their providers must lie under one of them (microversion 1.36).
    same_subtrees: tuple[frozenset[str], ...] = ()
    # Before microversion 1.29 a candidate may not use two providers of one tree.
    nested: bool = True
