"""What hosts offer, read from Placement: inventories, what is in use that no lease knows of, and traits.

A server on a reserved slot takes its resources from the host's own provider, and one of its reservation's class from
the reservation provider below it. So what runs without a reservation is the use of the first, less what the use of the
second stands for. A Moorage is asked once for all hosts; of others each host's providers are asked for, some at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from moorage.client.at_once import ask_at_once
from moorage.client.placement import PlacementClient, ProviderDetails, ProviderFilter
from moorage.placement.model.inventory import Inventory
from moorage.reservations.calendar.columns import Flags
from moorage.reservations.calendar.supply import Offers, Supply
from moorage.reservations.model.host import Host
from moorage.reservations.model.names import is_class_of_reservation

_INCLUDE = ("inventories", "usages", "traits")


@dataclass(frozen=True, slots=True)
class Stock:
    """What one host has: a list of inventories by class, what is in use, and its traits."""

    offers: Mapping[str, Sequence[Inventory]] = field(default_factory=dict)
    used: Mapping[str, int] = field(default_factory=dict)
    # How many servers run on slots of each reservation, by its class in Placement.
    reserved_servers: Mapping[str, int] = field(default_factory=dict)
    traits: frozenset[str] = frozenset()


def read_stocks(placement: PlacementClient, hosts: Iterable[Host]) -> dict[int, Stock]:
    """The stock of each host, by its number; one that Placement does not know has nothing."""
    wanted = {host.name: host for host in hosts}
    if placement.is_moorage() and len(wanted) > 1:
        trees = _all_trees(placement)
        return {host.id: _stock(host, trees.get(name, ())) for name, host in wanted.items()}
    found = ask_at_once(lambda name: read_tree(placement, wanted[name]), wanted)
    return {host.id: _stock(host, found[name]) for name, host in wanted.items()}


def _all_trees(placement: PlacementClient) -> dict[str, list[ProviderDetails]]:
    """All trees, by the names of their roots."""
    by_root: dict[str, list[ProviderDetails]] = defaultdict(list)
    names: dict[str, str] = {}
    for provider in placement.read_providers(_INCLUDE):
        by_root[provider.root_uuid].append(provider)
        if provider.uuid == provider.root_uuid:
            names[provider.uuid] = provider.name
    return {name: by_root[uuid] for uuid, name in names.items()}


def read_tree(placement: PlacementClient, host: Host) -> Sequence[ProviderDetails]:
    """The providers of a host. Its root is found by its name if it has another UUID than it had."""
    found = _tree(placement, host.provider_uuid)
    if found:
        return found
    root = placement.provider_named(host.name)
    return [] if root is None else _tree(placement, root.uuid)


def _tree(placement: PlacementClient, root: str) -> Sequence[ProviderDetails]:
    which = ProviderFilter(in_tree=root)
    if placement.is_moorage():
        return placement.read_providers(_INCLUDE, which)
    return [
        ProviderDetails(
            uuid=provider.uuid,
            name=provider.name,
            generation=provider.generation,
            root_uuid=provider.root_uuid,
            parent_uuid=provider.parent_uuid,
            inventories=placement.inventories(provider.uuid).inventories,
            usages=placement.usages(provider.uuid),
            traits=placement.traits(provider.uuid).traits,
        )
        for provider in placement.providers(which)
    ]


def _stock(host: Host, tree: Sequence[ProviderDetails]) -> Stock:
    offers: dict[str, list[Inventory]] = defaultdict(list)
    used: dict[str, int] = defaultdict(int)
    servers: dict[str, int] = {}
    traits: set[str] = set()
    for provider in tree:
        usages = provider.usages or {}
        if provider.name == host.reservation_provider_name:
            servers |= {name: amount for name, amount in usages.items() if is_class_of_reservation(name) and amount}
            continue
        traits |= provider.traits or frozenset()
        for name, inventory in (provider.inventories or {}).items():
            offers[name].append(inventory)
        for name, amount in usages.items():
            used[name] += amount
    return Stock(offers, used, servers, frozenset(traits))


def supply_of(
    hosts: Sequence[Host], stocks: Mapping[int, Stock], shapes: Mapping[str, Mapping[str, int]], in_whole_use: Flags
) -> Supply:
    """What hosts offer, as columns in the order of the hosts.

    `shapes` says what a server on a slot takes, by the reservation's class in Placement. On a host that is
    `in_whole_use` everything belongs to the lease that has it.
    """
    rows: dict[str, list[tuple[int, Inventory]]] = defaultdict(list)
    taken: dict[str, np.ndarray[tuple[int], np.dtype[np.int64]]] = {}
    for position, host in enumerate(hosts):
        stock = stocks.get(host.id, _NOTHING)
        for name, inventories in stock.offers.items():
            rows[name] += [(position, inventory) for inventory in inventories]
        if in_whole_use[position]:
            continue
        for name, amount in _unreserved(stock, shapes).items():
            taken.setdefault(name, np.zeros(len(hosts), np.int64))[position] = amount
    return Supply(len(hosts), {name: _offers(found) for name, found in rows.items()}, taken)


_NOTHING = Stock()


def _unreserved(stock: Stock, shapes: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    left = {name: amount for name, amount in stock.used.items() if amount}
    for resource_class, servers in stock.reserved_servers.items():
        for name, amount in shapes.get(resource_class, {}).items():
            left[name] = left.get(name, 0) - amount * servers
    return {name: amount for name, amount in left.items() if amount > 0}


def _offers(rows: Sequence[tuple[int, Inventory]]) -> Offers:
    def column(numbers: Iterable[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.fromiter(numbers, np.int64, len(rows))

    return Offers(
        column(position for position, _ in rows),
        column(max(inventory.capacity, 0) for _, inventory in rows),
        column(inventory.min_unit for _, inventory in rows),
        column(inventory.max_unit for _, inventory in rows),
        column(inventory.step_size for _, inventory in rows),
    )
