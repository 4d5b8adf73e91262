"""What Placement holds of the providers that concern a host, as one value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from moorage.hosts.provider_tree import ProviderTree
from moorage.placement.model.origin import Origin


class TreeMoved(Exception):
    """What was read does not fit together, since it changed meanwhile: worth another try."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which trees to look at: those of these providers, found by UUID or by name, and those of what is ours already."""

    # What the host natively has; the names count where the UUIDs are not known.
    native: ProviderTree
    # Further providers, by UUID: those that stand in the way elsewhere.
    further: frozenset[str] = frozenset()
    # Whether trees may be left out that the host does not have any more.
    only_native: bool = False


@dataclass(frozen=True, slots=True)
class Observation:
    """Whole trees as Placement has them, and what of them agents have added."""

    tree: ProviderTree
    origins: Mapping[str, Origin]
    # Resource classes of which something is in use, by provider, as far as that was told.
    in_use: Mapping[str, frozenset[str]] = field(default_factory=dict)
    # Providers whose origins are not (yet) kept so where they are kept from now on.
    unsaved: frozenset[str] = frozenset()


def consumers_by_class(allocations: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    """Who holds something of each class, from what each consumer holds."""
    classes = {name for held in allocations.values() for name in held}
    return {name: frozenset(consumer for consumer, held in allocations.items() if name in held) for name in classes}
