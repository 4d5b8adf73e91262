"""Compute hosts as Placement knows them: roots with the trait COMPUTE_NODE, which agents and Nova give to theirs.

What a host offers and has in use is the sum over its whole tree: processors and memory may be in NUMA nodes below it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

import os_traits

from moorage.client.placement import PlacementClient, ProviderDetails, ProviderFilter, ProviderSummary


@dataclass(frozen=True, slots=True)
class Stock:
    """How much there is of a resource class, what is kept back, and what is in use."""

    total: int = 0
    reserved: int = 0
    used: int = 0

    @property
    def taken(self) -> int:
        """What is not free."""
        return self.reserved + self.used


NOTHING = Stock()


@dataclass(frozen=True, slots=True)
class Hypervisor:
    """A compute host."""

    uuid: str
    name: str
    is_disabled: bool
    stocks: Mapping[str, Stock] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """What stands for the UUID where only a number will do: its first bits, as many as JSON numbers can carry."""
        return UUID(self.uuid).int >> 75

    def stock(self, *resource_classes: str) -> Stock:
        """How much there is of these classes together."""
        found = [self.stocks.get(name, NOTHING) for name in resource_classes]
        return Stock(
            sum(stock.total for stock in found),
            sum(stock.reserved for stock in found),
            sum(stock.used for stock in found),
        )


def hypervisors(placement: PlacementClient) -> list[Hypervisor]:
    """All compute hosts, by name, without what they have."""
    roots = _roots(placement, ProviderFilter(required=(os_traits.COMPUTE_NODE,)))
    disabled = _disabled(placement)
    return [
        Hypervisor(root.uuid, root.name, root.uuid in disabled) for root in sorted(roots, key=lambda root: root.name)
    ]


def with_stocks(placement: PlacementClient, found: Sequence[Hypervisor]) -> list[Hypervisor]:
    """Some compute hosts with what they have."""
    stocks = _stocks(placement, [host.uuid for host in found]) if found else {}
    return [replace(host, stocks=stocks.get(host.uuid, {})) for host in found]


def hypervisor(placement: PlacementClient, uuid: str) -> Hypervisor | None:
    """One of them, with what it has."""
    for root in _roots(placement, ProviderFilter(uuid=uuid, required=(os_traits.COMPUTE_NODE,))):
        is_disabled = bool(
            placement.providers(ProviderFilter(uuid=uuid, required=(os_traits.COMPUTE_STATUS_DISABLED,)))
        )
        return Hypervisor(root.uuid, root.name, is_disabled, _stocks(placement, [root.uuid]).get(root.uuid, {}))
    return None


def compute_host(placement: PlacementClient, name: str) -> ProviderSummary | None:
    """The root provider of the compute host with a name, if there is one."""
    return next(iter(_roots(placement, ProviderFilter(name=name, required=(os_traits.COMPUTE_NODE,)))), None)


def _roots(placement: PlacementClient, which: ProviderFilter) -> list[ProviderSummary]:
    return [provider for provider in placement.providers(which) if provider.parent_uuid is None]


def _disabled(placement: PlacementClient) -> frozenset[str]:
    found = placement.providers(ProviderFilter(required=(os_traits.COMPUTE_STATUS_DISABLED,)))
    return frozenset(provider.uuid for provider in found)


def _stocks(placement: PlacementClient, roots: Sequence[str]) -> dict[str, dict[str, Stock]]:
    """What the trees of these roots have, by root and resource class."""
    stocks: dict[str, dict[str, Stock]] = defaultdict(dict)
    wanted = frozenset(roots)
    for provider in _details(placement, roots):
        if provider.root_uuid not in wanted:
            continue
        of_tree = stocks[provider.root_uuid]
        for name, inventory in (provider.inventories or {}).items():
            before = of_tree.get(name, NOTHING)
            of_tree[name] = Stock(
                before.total + inventory.total,
                before.reserved + inventory.reserved,
                before.used + (provider.usages or {}).get(name, 0),
            )
    return stocks


def _details(placement: PlacementClient, roots: Sequence[str]) -> Iterable[ProviderDetails]:
    """Every provider of these trees, and perhaps of others, with its inventories and usages.

    Where the service is a Moorage, they are read at once.
    """
    which = ProviderFilter(in_tree=roots[0]) if len(roots) == 1 else ProviderFilter()
    if placement.is_moorage():
        return placement.read_providers(("inventories", "usages"), which)
    return [
        ProviderDetails(
            uuid=provider.uuid,
            name=provider.name,
            generation=provider.generation,
            root_uuid=provider.root_uuid,
            inventories=placement.inventories(provider.uuid).inventories,
            usages=placement.usages(provider.uuid),
        )
        for root in roots
        for provider in placement.providers(ProviderFilter(in_tree=root))
    ]
