"""Questions to a provider tree that tests ask often."""

from __future__ import annotations

from collections.abc import Callable

from moorage.hosts.provider_tree import Provider, ProviderTree

Examine = Callable[..., ProviderTree]
"""A fixture of the drivers that examine a machine: takes a policy, and the architecture where that matters."""


def named(tree: ProviderTree, name: str) -> Provider:
    """The provider with a name."""
    provider = tree.named(name)
    assert provider is not None, [provider.name for provider in tree]
    return provider


def totals(provider: Provider) -> dict[str, int]:
    """How much a provider has of each class."""
    return {name: inventory.total for name, inventory in provider.inventories.items()}
