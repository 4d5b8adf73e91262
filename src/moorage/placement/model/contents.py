"""All that a ledger of Placement holds, as values: what is carried from one ledger to another, and compared.

Numbers of rows, times and aggregates without members are no part of it: no client can tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from moorage.placement.model.inventory import Inventory

Amounts = Mapping[str, int]
"""Amounts by resource class."""


@dataclass(frozen=True, slots=True)
class HeldProvider:
    """A provider with all that belongs to it."""

    uuid: str
    name: str
    generation: int
    parent_uuid: str | None
    inventories: Mapping[str, Inventory]
    traits: frozenset[str]
    aggregates: frozenset[str]


@dataclass(frozen=True, slots=True)
class HeldConsumer:
    """A consumer with all that it holds: amounts by provider."""

    uuid: str
    generation: int
    project_id: str
    user_id: str
    # None for one from before there were types; the API calls it "unknown".
    consumer_type: str | None
    allocations: Mapping[str, Amounts]


@dataclass(frozen=True, slots=True)
class Contents:
    """A whole ledger: its names, and providers and consumers by UUID."""

    resource_classes: frozenset[str]
    traits: frozenset[str]
    providers: Mapping[str, HeldProvider]
    consumers: Mapping[str, HeldConsumer]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing but names."""
        return not self.providers and not self.consumers

    @property
    def number_of_allocations(self) -> int:
        """How many amounts are held."""
        return sum(len(amounts) for held in self.consumers.values() for amounts in held.allocations.values())

    def usages(self) -> Counter[tuple[str, str]]:
        """What is used of each provider and class."""
        used: Counter[tuple[str, str]] = Counter()
        for consumer in self.consumers.values():
            for provider_uuid, amounts in consumer.allocations.items():
                for resource_class, amount in amounts.items():
                    used[provider_uuid, resource_class] += amount
        return used

    def by_level(self) -> Iterator[list[HeldProvider]]:
        """The providers, parents before their children; what hangs below nobody, or in a circle, is not among them."""
        children: dict[str | None, list[HeldProvider]] = {}
        for provider in self.providers.values():
            children.setdefault(provider.parent_uuid, []).append(provider)
        level = children.get(None, [])
        while level:
            yield level
            level = [child for parent in level for child in children.get(parent.uuid, ())]


def differences(expected: Contents, found: Contents) -> Iterator[str]:
    """What is not as expected, a sentence for each. More names than expected are no difference."""
    for what, wanted, there in (
        ("resource class", expected.resource_classes, found.resource_classes),
        ("trait", expected.traits, found.traits),
    ):
        yield from (f"The {what} {name} is missing." for name in sorted(wanted - there))
    yield from _different("provider", expected.providers, found.providers)
    yield from _different("consumer", expected.consumers, found.consumers)


def _different(what: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    for uuid in sorted(expected.keys() | found.keys()):
        wanted, there = expected.get(uuid), found.get(uuid)
        if wanted is None:
            yield f"The {what} {uuid} is too many."
        elif there is None:
            yield f"The {what} {uuid} is missing."
        elif wanted != there:
            yield from (
                f"The {what} {uuid} has another {each.name}: {_shown(getattr(there, each.name))} instead of"
                f" {_shown(getattr(wanted, each.name))}."
                for each in fields(wanted)
                if getattr(wanted, each.name) != getattr(there, each.name)
            )


def _shown(value: object) -> str:
    return ", ".join(sorted(value)) or "none" if isinstance(value, frozenset) else str(value)
