"""Clouds made by hand, for searching without a database. A provider's name stands for its UUID."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from moorage.placement.index.candidates import Candidates
from moorage.placement.index.cloud import Cloud, empty_cloud
from moorage.placement.index.records import Record
from moorage.placement.model.inventory import Inventory, Stock
from moorage.placement.model.provider import Name
from moorage.placement.model.provider import Provider as Identity
from moorage.placement.model.query import AggregateFilter, RequestGroup, TraitFilter
from tests.placement.rest import SHARING

__all__ = ["SHARING", "Provider", "cloud_of", "group", "mapped", "provider", "stock", "told", "traits"]

CLASSES = ("VCPU", "MEMORY_MB", "DISK_GB", "GPU")
TRAITS = (SHARING, "FAST", "SAFE", "BLUE", "RED")
TODAY = datetime(2024, 5, 17)  # noqa: DTZ001 - the tables keep UTC without a zone


def stock(total: int, used: int = 0, **units: int) -> Stock:
    """What a provider has of one class."""
    return Stock(Inventory(total, **units), used, TODAY)


@dataclass(frozen=True)
class Provider:
    """A provider and everything below it. A resource is its total, or all there is to say about it."""

    name: str
    resources: Mapping[str, int | Stock] = field(default_factory=dict)
    traits: Sequence[str] = ()
    aggregates: Sequence[str] = ()
    children: Sequence[Provider] = ()

    def over(self, *children: Provider) -> Provider:
        """The same provider with children."""
        return replace(self, children=children)


def provider(
    name: str, *, traits: Sequence[str] = (), aggregates: Sequence[str] = (), **resources: int | Stock
) -> Provider:
    return Provider(name, resources, traits, aggregates)


def cloud_of(*roots: Provider) -> Cloud:
    """A cloud with these trees; providers are numbered in the order they are written down."""
    cloud = empty_cloud().with_names(_names(CLASSES), _names(TRAITS))
    return cloud.with_providers({record.provider.id: record for record in _records(roots)})


def _names(names: Iterable[str]) -> list[Name]:
    return [Name(number, name, TODAY) for number, name in enumerate(names)]


def _records(roots: Sequence[Provider]) -> Iterator[Record]:
    waiting: list[tuple[Provider, Record | None]] = [(root, None) for root in reversed(roots)]
    number = 0
    while waiting:
        made, parent = waiting.pop()
        number += 1
        root_uuid = parent.provider.root_uuid if parent else made.name
        record = Record(
            Identity(number, made.name, made.name, 0, parent.provider.uuid if parent else None, root_uuid, TODAY),
            revision=0,
            parent_id=parent.provider.id if parent else None,
            root_id=parent.root_id if parent else number,
            stocks={name: what if isinstance(what, Stock) else stock(what) for name, what in made.resources.items()},
            traits=tuple(made.traits),
            aggregates=tuple(made.aggregates),
        )
        yield record
        waiting += [(child, record) for child in reversed(made.children)]


def group(
    suffix: str = "",
    *,
    required: str = "",
    forbidden: str = "",
    member_of: str = "",
    not_member_of: str = "",
    in_tree: str | None = None,
    **resources: int,
) -> RequestGroup:
    """A group of a request. Names are separated by blanks, alternatives by a bar: "FAST BLUE|RED"."""
    return RequestGroup(
        suffix,
        resources,
        TraitFilter(_conditions(required), frozenset(forbidden.split())),
        AggregateFilter(_conditions(member_of), frozenset(not_member_of.split())),
        in_tree,
    )


def traits(required: str = "", forbidden: str = "") -> TraitFilter:
    return TraitFilter(_conditions(required), frozenset(forbidden.split()))


def _conditions(text: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(any_of.split("|")) for any_of in text.split())


def told(cloud: Cloud, candidates: Candidates) -> list[str]:
    """Candidates as short texts: "host VCPU:1, pool DISK_GB:10"."""
    texts = []
    for choice in candidates.choices:
        taken: Counter[tuple[str, str]] = Counter()
        for part, slot in zip(candidates.parts, choice, strict=True):
            for resource_class, amount in part.resources.items():
                taken[cloud.record(slot).provider.name, resource_class] += amount
        texts.append(", ".join(f"{name} {resource_class}:{n}" for (name, resource_class), n in sorted(taken.items())))
    return texts


def mapped(cloud: Cloud, candidates: Candidates) -> list[dict[str, set[str]]]:
    """Which providers serve the group of each suffix, for each candidate."""
    mappings = []
    for choice in candidates.choices:
        by_suffix: dict[str, set[str]] = {}
        for part, slot in zip(candidates.parts, choice, strict=True):
            by_suffix.setdefault(part.group.suffix, set()).add(cloud.record(slot).provider.name)
        mappings.append(by_suffix)
    return mappings
