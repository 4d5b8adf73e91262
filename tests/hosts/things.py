"""What a provider has, as one flat collection of things that somebody may give or take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import strategies as st

from moorage.hosts.provider_tree import Provider
from moorage.placement.model.inventory import Inventory
from tests.hosts.random_trees import AGGREGATES, CLASSES, TRAITS, offers

# ("inventory", class), ("trait", name) or ("aggregate", UUID).
Thing = tuple[str, str]
# Things, each with its amount if it is an inventory.
Things = Mapping[Thing, Inventory | None]

things = st.one_of(
    st.tuples(st.just("inventory"), st.sampled_from(CLASSES)),
    st.tuples(st.just("trait"), st.sampled_from(TRAITS)),
    st.tuples(st.just("aggregate"), st.sampled_from(AGGREGATES)),
)
# For several providers each, chosen by a number.
gifts = st.dictionaries(st.tuples(st.integers(0, 9), things), offers, min_size=1, max_size=5)
losses = st.sets(st.tuples(st.integers(0, 9), things), min_size=1, max_size=5)


def things_of(provider: Provider) -> dict[Thing, Inventory | None]:
    """All that the provider has."""
    return {
        **{("inventory", name): inventory for name, inventory in provider.inventories.items()},
        **{("trait", name): None for name in provider.traits},
        **{("aggregate", uuid): None for uuid in provider.aggregates},
    }


def with_things(provider: Provider, has: Things) -> Provider:
    """The provider with these things and no others."""
    return replace(
        provider,
        inventories={name: amount for (kind, name), amount in has.items() if kind == "inventory" and amount},
        traits=frozenset(name for kind, name in has if kind == "trait"),
        aggregates=frozenset(name for kind, name in has if kind == "aggregate"),
    )
