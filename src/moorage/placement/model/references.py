"""Whether the contents of a ledger hold together: all that they refer to is among them, and names lead to one provider.

A ledger of ours always does. A file that was edited, or a database of upstream's, which has few constraints, may not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain

import os_resource_classes
import os_traits

from moorage.placement.model.contents import Amounts, Contents, HeldConsumer, HeldProvider


def problems(contents: Contents) -> Iterator[str]:
    """Why the contents can be nobody's ledger, a sentence for each reason."""
    for what, entries in (("provider", contents.providers), ("consumer", contents.consumers)):
        yield from _misplaced(what, entries)
    yield from _named_alike(contents)
    yield from _unrooted(contents)
    # Every ledger has the standard names.
    classes = contents.resource_classes.union(os_resource_classes.STANDARDS)
    traits = contents.traits.union(os_traits.get_traits())
    for provider in contents.providers.values():
        yield from _unknown_names(provider, classes, traits)
    for consumer in contents.consumers.values():
        for provider_uuid, amounts in consumer.allocations.items():
            yield from _held_of_nothing(consumer.uuid, amounts, provider_uuid, contents.providers.get(provider_uuid))


def _misplaced(what: str, entries: Mapping[str, HeldProvider] | Mapping[str, HeldConsumer]) -> Iterator[str]:
    for uuid, entry in entries.items():
        if entry.uuid != uuid:
            yield f"The {what} {entry.uuid} stands in the place of {uuid}."


def _named_alike(contents: Contents) -> Iterator[str]:
    times = Counter(provider.name for provider in contents.providers.values())
    for name, count in times.items():
        if count > 1:
            yield f"The name {name} is that of {count} providers."


def _unrooted(contents: Contents) -> Iterator[str]:
    placed = {provider.uuid for provider in chain.from_iterable(contents.by_level())}
    for provider in contents.providers.values():
        if provider.uuid in placed:
            continue
        if provider.parent_uuid in contents.providers:
            yield f"No root is above the provider {provider.uuid}, whose parent is {provider.parent_uuid}."
        else:
            yield f"The parent {provider.parent_uuid} of the provider {provider.uuid} is not there."


def _unknown_names(provider: HeldProvider, classes: frozenset[str], traits: frozenset[str]) -> Iterator[str]:
    for name in sorted(provider.inventories.keys() - classes):
        yield f"The resource class {name} of the provider {provider.uuid} is not among the names."
    for name in sorted(provider.traits - traits):
        yield f"The trait {name} of the provider {provider.uuid} is not among the names."


def _held_of_nothing(
    consumer_uuid: str, amounts: Amounts, provider_uuid: str, provider: HeldProvider | None
) -> Iterator[str]:
    if provider is None:
        yield f"The consumer {consumer_uuid} holds something of the provider {provider_uuid}, which is not there."
        return
    for name in amounts:
        if name not in provider.inventories:
            yield (
                f"The consumer {consumer_uuid} holds {name} of the provider {provider_uuid},"
                " which has no such inventory."
            )
