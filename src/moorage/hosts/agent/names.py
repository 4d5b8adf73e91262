"""The resource classes and traits that must be there before a provider can have them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from moorage.client.placement import PlacementClient
from moorage.hosts.provider_tree import Provider, ProviderTree

_CUSTOM = "CUSTOM_"


@dataclass(frozen=True, slots=True)
class Names:
    """Resource classes and traits."""

    resource_classes: frozenset[str] = frozenset()
    traits: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.resource_classes or self.traits)

    def __or__(self, other: Names) -> Names:
        return Names(self.resource_classes | other.resource_classes, self.traits | other.traits)

    def __sub__(self, other: Names) -> Names:
        return Names(self.resource_classes - other.resource_classes, self.traits - other.traits)

    @property
    def custom(self) -> Names:
        """Those that anybody may make; the others come with the Placement service or not at all."""
        return Names(_custom(self.resource_classes), _custom(self.traits))


def names_in(tree: ProviderTree) -> Names:
    """All that the providers of a tree have."""
    return Names(
        frozenset(name for provider in tree for name in provider.inventories),
        frozenset(name for provider in tree for name in provider.traits),
    )


def without_names(tree: ProviderTree, names: Names) -> ProviderTree:
    """A tree whose providers have none of these."""
    if not names:
        return tree
    return ProviderTree(_without(provider, names) for provider in tree)


class Vocabulary:
    """Knows which names Placement has, so that it is asked only for those that were never met."""

    def __init__(self, client: PlacementClient, *, made_in_passing: bool = False) -> None:
        self._client = client
        # Whether custom names come into being with the providers that have them.
        self._made_in_passing = made_in_passing
        self._known = Names()

    def missing(self, wanted: Names, observed: ProviderTree) -> Names:
        """Those that Placement does not have; what a provider there has is there."""
        self._known |= names_in(observed)
        unknown = wanted - self._known
        if unknown.traits:
            self._known |= Names(traits=self._client.known_traits(unknown.traits))
        if unknown.resource_classes:
            self._known |= Names(resource_classes=self._client.known_resource_classes())
        return wanted - self._known

    def make(self, names: Names) -> None:
        """Make custom names; it is no mistake if somebody else does the same."""
        if names.traits and not self._made_in_passing:
            self._client.ensure_traits(names.traits)
        if names.resource_classes and not self._made_in_passing:
            self._client.ensure_resource_classes(names.resource_classes)
        self._known |= names

    def forget(self) -> None:
        """Ask anew for everything: somebody may have deleted a name that nobody used."""
        self._known = Names()


def _custom(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name for name in names if name.startswith(_CUSTOM))


def _without(provider: Provider, names: Names) -> Provider:
    if provider.traits.isdisjoint(names.traits) and names.resource_classes.isdisjoint(provider.inventories):
        return provider
    return Provider(
        uuid=provider.uuid,
        name=provider.name,
        parent_uuid=provider.parent_uuid,
        inventories={
            name: inventory for name, inventory in provider.inventories.items() if name not in names.resource_classes
        },
        traits=provider.traits - names.traits,
        aggregates=provider.aggregates,
        generation=provider.generation,
    )
