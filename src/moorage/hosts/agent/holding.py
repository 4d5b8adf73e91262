"""What cannot be taken away because somebody uses it: it stays, but nobody new gets it, and all else goes on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from moorage.hosts.agent.observation import Observation
from moorage.hosts.desired import Desired
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.inventory import Inventory
from moorage.placement.model.origin import Origin

# Resource classes of which something is in use, by provider.
InUse = Mapping[str, frozenset[str]]

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Kept:
    """A provider that should have gone, or whose inventories should have, had nobody been using them."""

    provider: Provider
    resource_classes: frozenset[str]
    # Whether the provider itself should have gone.
    whole: bool


def hold_back(observed: Observation, wanted: Desired, in_use: InUse) -> tuple[Desired, tuple[Kept, ...]]:
    """What can be done of what is wanted as long as this is in use, and what has to wait.

    What of the agent's own is in use stays, but closed: those who have it keep it, and nobody gets more of it. A
    provider that cannot go offers nothing else of the agent's own, and neither does what it is below. All that stays is
    still the agent's own, so that it goes once it is free.
    """
    kept = tuple(_kept(observed.tree, wanted.tree, in_use))
    providers = {provider.uuid: provider for provider in wanted.tree}
    origins = dict(wanted.origins)
    for each in kept:
        for provider in _staying(observed.tree, wanted.tree, each):
            uuid = provider.uuid
            origin = observed.origins.get(uuid)
            stock = _remaining(provider, origin, in_use.get(uuid, frozenset()))
            if each.whole:
                providers[uuid] = replace(provider, inventories=stock)
                if origin is not None:
                    origins[uuid] = replace(origin, inventories=only(origin.inventories, stock))
            else:
                stock = only(stock, each.resource_classes)
                providers[uuid] = replace(providers[uuid], inventories={**providers[uuid].inventories, **stock})
                if origin is not None:
                    now = origins.get(uuid) or Origin(origin.host, made=origin.made)
                    still = only(origin.inventories, stock)
                    origins[uuid] = replace(now, inventories={**now.inventories, **still})
    return (Desired(ProviderTree(providers.values()), origins), kept) if kept else (wanted, ())


def taken_over(observed: Observation, closed: Iterable[Kept]) -> Observation:
    """The same, but what somebody has opened again after it was closed is not the agent's own any more.

    Where agents do not know of each other, a node in use that moves to another host is closed by the agent of the old
    one and opened by that of the new one. With this they agree: what the old host's driver reported is left to whoever
    opened it, and what its files had added goes.
    """
    origins = dict(observed.origins)
    changed: set[str] = set()
    for each in closed:
        uuid = each.provider.uuid
        origin, provider = origins.get(uuid), observed.tree.get(uuid)
        if origin is None or provider is None:
            continue
        offered = only(provider.inventories, each.resource_classes)
        opened = {name for name, inventory in offered.items() if inventory != _closed(inventory)}
        if opened:
            changed.add(uuid)
            rest = {name: source for name, source in origin.inventories.items() if name not in opened}
            origins[uuid] = replace(origin, inventories=rest)
            if each.whole:
                origins[uuid] = Origin(origin.host, False, *map(_of_files, (rest, origin.traits, origin.aggregates)))
    return replace(observed, origins=origins, unsaved=observed.unsaved | changed)


def _kept(observed: ProviderTree, wanted: ProviderTree, in_use: InUse) -> Iterator[Kept]:
    for uuid in in_use:
        provider = observed.get(uuid)
        if provider is None:
            continue
        held = in_use[uuid].intersection(provider.inventories)
        rest = wanted.get(uuid)
        staying = held if rest is None else held.difference(rest.inventories)
        if staying:
            yield Kept(provider, staying, whole=rest is None)


def _staying(observed: ProviderTree, wanted: ProviderTree, kept: Kept) -> list[Provider]:
    """What has to stay, as it is: a provider, and those above it that would have gone as well."""
    staying = [kept.provider]
    above = kept.provider.parent_uuid
    while kept.whole and above is not None and above not in wanted:
        staying.append(observed[above])
        above = observed[above].parent_uuid
    return staying


def _remaining(provider: Provider, origin: Origin | None, held: Collection[str]) -> dict[str, Inventory]:
    """What a provider offers that should offer nothing of the agent's own: that in use, closed, and what is others'."""
    ours = origin.inventories if origin else {}
    return {
        name: _closed(inventory) if name in ours else inventory
        for name, inventory in provider.inventories.items()
        if name in held or name not in ours
    }


def _closed(inventory: Inventory) -> Inventory:
    """All of it reserved: nothing is left to be given out, whatever is in use."""
    return replace(inventory, reserved=inventory.total)


def only(values: Mapping[str, _Value], names: Collection[str]) -> dict[str, _Value]:
    """The values under these names."""
    return {name: value for name, value in values.items() if name in names}


def _of_files(sources: Mapping[str, str]) -> dict[str, str]:
    return {name: source for name, source in sources.items() if source.startswith("file:")}
