"""Writing who holds what: all or nothing, and never more than there is.

A claim replaces everything its consumers hold. It locks the consumers, reads only their old allocations, nets one
number per inventory over the whole request, and lets the database decide with a conditional update (`taking`). A write
that does not make an over-full provider worse is let through.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from moorage.db.database import Transaction
from moorage.placement.model.allocation import Claim, Slot, net_demand
from moorage.placement.model.errors import AllocationsNotFound, ProviderNotFound, UnknownAllocationProvider
from moorage.placement.model.inventory import Inventory
from moorage.placement.store import consumers, names, provider_locks, providers
from moorage.placement.store import inventories as inventory_store
from moorage.placement.store.consumers import Holder, Holdings
from moorage.placement.store.provider_locks import LockedProvider
from moorage.placement.store.taking import take


@dataclass(frozen=True, slots=True)
class NewInventories:
    """All the inventories a provider shall have after a reshape."""

    generation: int
    inventories: Mapping[str, Inventory]


def claim(tx: Transaction, claims: Sequence[Claim]) -> None:
    """Replace what these consumers hold."""
    holders = consumers.lock(tx, claims)
    if tx.connection.dialect.update_returning and not any(holder.held for holder in holders.values()):
        # Who holds nothing yet only takes, and every provider that is named changes: that can be noted at once.
        locked = provider_locks.lock_and_mark(tx, _providers_wanted(claims), kind="usage")
        _check_known(claims, locked)
        _settle(tx, claims, holders, locked)
        return
    locked = _lock_providers(tx, claims, holders)
    named, touched = _settle(tx, claims, holders, locked)
    provider_locks.mark_changed(tx, named, kind="usage")
    provider_locks.mark_changed(tx, touched - named, generations=0, kind="usage")


def reshape(tx: Transaction, reshaped: Mapping[str, NewInventories], claims: Sequence[Claim]) -> None:
    """Move inventories between providers together with the allocations on them.

    New inventories come first and surplus ones go last, so that allocations always have something to stand on.
    """
    for uuid, new in reshaped.items():  # whose inventories change is looked at before whose allocations do
        seen = providers.find(tx.connection, uuid)
        LockedProvider(seen.id, uuid, seen.generation).check_generation(new.generation)
    holders = consumers.lock(tx, claims)
    locked = _lock_providers(tx, claims, holders, reshaped)
    for uuid, new in reshaped.items():
        if uuid not in locked:
            raise ProviderNotFound(uuid)
        locked[uuid].check_generation(new.generation)
    present = {uuid: inventory_store.write(tx, locked[uuid], new.inventories) for uuid, new in reshaped.items()}
    named, touched = _settle(tx, claims, holders, locked, one_by_one=True)
    for uuid, new in reshaped.items():
        inventory_store.remove_others(tx, locked[uuid], present[uuid], new.inventories)
    # Each of the steps (inventories added, allocations replaced, inventories removed) moves the generation.
    for provider in locked.values():
        steps = int(provider.id in named)
        if provider.uuid in reshaped:
            steps += 2 if reshaped[provider.uuid].inventories else 1
        if steps or provider.id in touched:
            provider_locks.mark_changed(tx, [provider.id], generations=steps)


def release(tx: Transaction, consumer_uuid: str) -> None:
    """Give back everything a consumer holds, whatever its generation. The providers' generations do not move."""
    holders = consumers.lock_existing(tx, [consumer_uuid])
    if consumer_uuid not in holders:
        raise AllocationsNotFound(consumer_uuid)
    holder = holders[consumer_uuid]
    provider_ids = {slot.provider_id for slot in holder.held}
    provider_locks.lock_many(tx, (), provider_ids)
    take(tx, net_demand([holder.held], []))
    consumers.remove(tx, holder)
    provider_locks.mark_changed(tx, provider_ids, generations=0, kind="usage")


def _lock_providers(
    tx: Transaction, claims: Sequence[Claim], holders: Mapping[str, Holder], also: Iterable[str] = ()
) -> dict[str, LockedProvider]:
    """Lock every provider the write gives to or takes from, by UUID."""
    held = {slot.provider_id for holder in holders.values() for slot in holder.held}
    locked = provider_locks.lock_many(tx, _providers_wanted(claims).union(also), held)
    _check_known(claims, locked)
    return locked


def _providers_wanted(claims: Sequence[Claim]) -> set[str]:
    return {uuid for claim in claims for uuid in claim.amounts}


def _check_known(claims: Sequence[Claim], locked: Mapping[str, LockedProvider]) -> None:
    for claim in claims:  # the first one in the request is told
        for uuid in claim.amounts:
            if uuid not in locked:
                raise UnknownAllocationProvider(uuid)


def _settle(
    tx: Transaction,
    claims: Sequence[Claim],
    holders: Mapping[str, Holder],
    locked: Mapping[str, LockedProvider],
    *,
    one_by_one: bool = False,
) -> tuple[set[int], set[int]]:
    """Bring inventories, allocations and consumers to what the claims say.

    Returns the providers that the request names (their generations move) and all whose usage it touches. A consumer
    that gives everything back names the providers it held.
    """
    class_ids = names.resource_class_ids(
        tx, {name for claim in claims for amounts in claim.amounts.values() for name in amounts}
    )
    wanted: dict[str, Holdings] = {
        claim.consumer_uuid: {
            Slot(locked[uuid].id, class_ids[name]): amount
            for uuid, amounts in claim.amounts.items()
            for name, amount in amounts.items()
        }
        for claim in claims
        if claim.consumer_uuid in holders
    }
    held = {uuid: holders[uuid].held for uuid in wanted}
    demands = net_demand(held.values(), wanted.values())
    take(tx, demands, one_by_one=one_by_one)
    consumers.write_allocations(tx, holders, wanted)
    consumers.write_owners(tx, claims, holders)
    named = {slot.provider_id for uuid in wanted for slot in (wanted[uuid] or held[uuid])}
    return named, {slot.provider_id for slot in demands}
