"""Writing who holds what: all or nothing, and never more than there is.

A claim replaces everything its consumers hold. It locks the consumers, reads only their old allocations, nets one
number per inventory over the whole request, and lets the database decide with a conditional update: a read before it
could be out of date, the update cannot. A write that does not make an over-full provider worse is let through.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    CursorResult,
    Select,
    Update,
    and_,
    bindparam,
    case,
    delete,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.sql.dml import ReturningInsert

from moorage.db.database import Transaction, TryAgain
from moorage.db.statements import insert_ignoring_duplicates
from moorage.placement.model.allocation import AnyGeneration, Claim, Slot, SlotDemand, net_demand
from moorage.placement.model.errors import (
    AllocationsNotFound,
    CapacityExceeded,
    ConstraintsViolated,
    ConsumerGenerationConflict,
    InvalidInventory,
    LedgerError,
    ProviderNotFound,
    UnknownAllocationProvider,
)
from moorage.placement.model.inventory import MAX_AMOUNT, Inventory
from moorage.placement.store import inventories as inventory_store
from moorage.placement.store import names, providers
from moorage.placement.store.providers import LockedProvider
from moorage.placement.store.tables import allocations, consumers, inventories, resource_classes, resource_providers

Holdings = dict[Slot, int]

_FIRST_GENERATION = 1


@dataclass(frozen=True, slots=True)
class _Holder:
    """A consumer whose row is locked, and what it holds so far."""

    id: int
    generation: int | None  # None if this transaction has created it
    held: Holdings


@dataclass(frozen=True, slots=True)
class NewInventories:
    """All the inventories a provider shall have after a reshape."""

    generation: int
    inventories: Mapping[str, Inventory]


def claim(tx: Transaction, claims: Sequence[Claim]) -> None:
    """Replace what these consumers hold."""
    holders = _lock_consumers(tx, claims)
    if tx.connection.dialect.update_returning and not any(holder.held for holder in holders.values()):
        # Who holds nothing yet only takes, and every provider that is named changes: that can be noted at once.
        locked = providers.lock_and_mark(tx, _providers_wanted(claims), kind="usage")
        _check_known(claims, locked)
        _settle(tx, claims, holders, locked)
        return
    locked = _lock_providers(tx, claims, holders)
    named, touched = _settle(tx, claims, holders, locked)
    providers.mark_changed(tx, named, kind="usage")
    providers.mark_changed(tx, touched - named, generations=0, kind="usage")


def reshape(tx: Transaction, reshaped: Mapping[str, NewInventories], claims: Sequence[Claim]) -> None:
    """Move inventories between providers together with the allocations on them.

    New inventories come first and surplus ones go last, so that allocations always have something to stand on.
    """
    for uuid, new in reshaped.items():  # whose inventories change is looked at before whose allocations do
        seen = providers.find(tx.connection, uuid)
        LockedProvider(seen.id, uuid, seen.generation).check_generation(new.generation)
    holders = _lock_consumers(tx, claims)
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
            providers.mark_changed(tx, [provider.id], generations=steps)


def release(tx: Transaction, consumer_uuid: str) -> None:
    """Give back everything a consumer holds, whatever its generation. The providers' generations do not move."""
    holders = _lock_existing(tx, [consumer_uuid])
    if consumer_uuid not in holders:
        raise AllocationsNotFound(consumer_uuid)
    holder = holders[consumer_uuid]
    provider_ids = {slot.provider_id for slot in holder.held}
    providers.lock_many(tx, (), provider_ids)
    _take(tx, net_demand([holder.held], []))
    tx.connection.execute(delete(allocations).where(allocations.c.consumer_id == holder.id))
    tx.connection.execute(delete(consumers).where(consumers.c.id == holder.id))
    providers.mark_changed(tx, provider_ids, generations=0, kind="usage")


# --- locking


def _lock_consumers(tx: Transaction, claims: Sequence[Claim]) -> dict[str, _Holder]:
    """Lock the consumers, check their generations, and create those that come to hold something for the first time."""
    by_uuid = {claim.consumer_uuid: claim for claim in claims}
    # A claim that says its consumer is new most likely tells the truth: then there is nothing to look for.
    new = sorted(uuid for uuid, claim in by_uuid.items() if claim.generation is None and claim.amounts)
    holders = _create_consumers(tx, [by_uuid[uuid] for uuid in new])
    existing = _lock_existing(tx, by_uuid.keys() - holders.keys())
    for uuid, claim in by_uuid.items():
        actual = existing[uuid].generation if uuid in existing else None
        if claim.generation is not AnyGeneration.ANY and claim.generation != actual:
            raise ConsumerGenerationConflict(actual, claim.generation)
    missing = sorted(
        uuid for uuid, claim in by_uuid.items() if claim.amounts and uuid not in existing and uuid not in holders
    )
    return holders | existing | _create_consumers(tx, [by_uuid[uuid] for uuid in missing])


def _create_consumers(tx: Transaction, claims: Sequence[Claim]) -> dict[str, _Holder]:
    """Create consumers; those that did not exist before, by UUID."""
    if not claims:
        return {}
    rows = [
        {
            "uuid": claim.consumer_uuid,
            "generation": _FIRST_GENERATION,
            "project_id": claim.project_id,
            "user_id": claim.user_id,
            "consumer_type": claim.consumer_type,
            "created_at": tx.now,
            "updated_at": tx.now,
        }
        for claim in claims
    ]
    created = tx.connection.execute(_creating_consumers(tx.connection.dialect.name), rows)
    return {uuid: _Holder(key, None, {}) for uuid, key in created}


@cache
def _creating_consumers(dialect: str) -> ReturningInsert[Any]:
    return insert_ignoring_duplicates(dialect, consumers).returning(consumers.c.uuid, consumers.c.id)


def _lock_existing(tx: Transaction, consumer_uuids: Collection[str]) -> dict[str, _Holder]:
    if not consumer_uuids:
        return {}
    rows = tx.connection.execute(
        select(consumers.c.uuid, consumers.c.id, consumers.c.generation)
        .where(consumers.c.uuid.in_(sorted(consumer_uuids)))
        .order_by(consumers.c.uuid)
        .with_for_update()
    ).all()
    if not rows:
        return {}
    held: dict[int, Holdings] = {row.id: {} for row in rows}
    for consumer_id, provider_id, class_id, amount in tx.connection.execute(
        select(
            allocations.c.consumer_id,
            allocations.c.resource_provider_id,
            allocations.c.resource_class_id,
            allocations.c.used,
        ).where(allocations.c.consumer_id.in_(sorted(held)))
    ):
        held[consumer_id][Slot(provider_id, class_id)] = amount
    return {row.uuid: _Holder(row.id, row.generation, held[row.id]) for row in rows}


def _lock_providers(
    tx: Transaction, claims: Sequence[Claim], holders: Mapping[str, _Holder], also: Iterable[str] = ()
) -> dict[str, LockedProvider]:
    """Lock every provider the write gives to or takes from, by UUID."""
    held = {slot.provider_id for holder in holders.values() for slot in holder.held}
    locked = providers.lock_many(tx, _providers_wanted(claims).union(also), held)
    _check_known(claims, locked)
    return locked


def _providers_wanted(claims: Sequence[Claim]) -> set[str]:
    return {uuid for claim in claims for uuid in claim.amounts}


def _check_known(claims: Sequence[Claim], locked: Mapping[str, LockedProvider]) -> None:
    if unknown := _providers_wanted(claims) - locked.keys():
        raise UnknownAllocationProvider(min(unknown))


# --- writing


def _settle(
    tx: Transaction,
    claims: Sequence[Claim],
    holders: Mapping[str, _Holder],
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
    _take(tx, demands, one_by_one=one_by_one)
    _write_allocations(tx, holders, wanted)
    _write_consumers(tx, claims, holders)
    named = {slot.provider_id for uuid in wanted for slot in (wanted[uuid] or held[uuid])}
    return named, {slot.provider_id for slot in demands}


def _take(tx: Transaction, demands: Mapping[Slot, SlotDemand], *, one_by_one: bool = False) -> None:
    """Change what is used of each inventory, if its rules allow.

    Where the database cannot say which inventory refused, that is found out by letting the transaction go; whoever has
    written inventories in it asks them one by one.
    """
    for provider_id, items in groupby(demands.items(), key=lambda item: item[0].provider_id):
        by_class = {slot.class_id: demand for slot, demand in items}
        for class_id, demand in by_class.items():
            if demand.amounts and demand.largest > MAX_AMOUNT:
                raise _refusal(tx, Slot(provider_id, class_id), demand)
        given = _update_used(tx, provider_id, by_class, one_by_one=one_by_one)
        for class_id, demand in by_class.items():
            if class_id not in given:
                raise _refusal(tx, Slot(provider_id, class_id), demand)


def _update_used(
    tx: Transaction, provider_id: int, by_class: Mapping[int, SlotDemand], *, one_by_one: bool
) -> Collection[int]:
    """The classes that gave what was asked of them."""
    if tx.connection.dialect.update_returning:
        return set(_take_from(tx, provider_id, by_class).scalars())
    if one_by_one:
        return {
            class_id
            for class_id, demand in by_class.items()
            if _take_from(tx, provider_id, {class_id: demand}).rowcount
        }
    if _take_from(tx, provider_id, by_class).rowcount < len(by_class):
        raise _refusal_in_hindsight(tx, provider_id, by_class)
    return by_class.keys()


def _refusal_in_hindsight(tx: Transaction, provider_id: int, by_class: Mapping[int, SlotDemand]) -> LedgerError:
    """Why some of these inventories did not give what was asked, where the database cannot say which.

    What the others gave is taken back first, so that all are seen as they were when they were asked. Nobody holds them
    then, so it may be that now all would give: in that case the write is tried again.
    """
    tx.connection.rollback()
    for class_id, demand in by_class.items():
        asked = _asking(demand, number=0) | {"provider": provider_id, "class_0": class_id}
        if tx.connection.execute(_would_give(takes=bool(demand.amounts)), asked).scalar() is None:
            return _refusal(tx, Slot(provider_id, class_id), demand)
    raise TryAgain


def _take_from(tx: Transaction, provider_id: int, by_class: Mapping[int, SlotDemand]) -> CursorResult[Any]:
    kinds = tuple(bool(demand.amounts) for demand in by_class.values())
    values: dict[str, int] = {"provider": provider_id}
    for number, (class_id, demand) in enumerate(by_class.items()):
        values[f"class_{number}"] = class_id
        values |= _asking(demand, number)
    return tx.connection.execute(_taking(kinds, says_which=tx.connection.dialect.update_returning), values)


def _asking(demand: SlotDemand, number: int) -> dict[str, int]:
    values = {f"delta_{number}": demand.delta}
    if demand.amounts:
        values[f"smallest_{number}"] = demand.smallest
        values[f"largest_{number}"] = demand.largest
        values[f"divisor_{number}"] = demand.common_divisor
    return values


@cache
def _taking(kinds: tuple[bool, ...], *, says_which: bool) -> Update:
    """The conditional update for so many classes, of which some take something and the others only give back."""
    classes = range(len(kinds))
    statement = (
        update(inventories)
        .where(_OF_PROVIDER, or_(*(and_(_of_class(n), *(_allows(n) if kinds[n] else ())) for n in classes)))
        .values(used=inventories.c.used + case(*((_of_class(n), _delta(n)) for n in classes)))
    )
    return statement.returning(inventories.c.resource_class_id) if says_which else statement


@cache
def _would_give(*, takes: bool) -> Select[tuple[int]]:
    """The row of one class, if it allows what is asked of it."""
    return select(inventories.c.resource_class_id).where(_OF_PROVIDER, _of_class(0), *(_allows(0) if takes else ()))


_OF_PROVIDER = inventories.c.resource_provider_id == bindparam("provider")


def _of_class(number: int) -> ColumnElement[bool]:
    return inventories.c.resource_class_id == bindparam(f"class_{number}")


def _delta(number: int) -> ColumnElement[int]:
    return bindparam(f"delta_{number}", type_=BigInteger)


def _allows(number: int) -> tuple[ColumnElement[bool], ...]:
    """What a row must be like to give what is asked of it."""
    delta = _delta(number)
    return (
        or_(inventories.c.used + delta <= inventories.c.capacity, delta <= 0),
        inventories.c.min_unit <= bindparam(f"smallest_{number}"),
        inventories.c.max_unit >= bindparam(f"largest_{number}"),
        bindparam(f"divisor_{number}", type_=BigInteger) % inventories.c.step_size == 0,
    )


def _refusal(tx: Transaction, slot: Slot, demand: SlotDemand) -> LedgerError:
    """Why an inventory did not give what was asked of it, read only to word the error."""
    provider_uuid = tx.connection.execute(
        select(resource_providers.c.uuid).where(resource_providers.c.id == slot.provider_id)
    ).scalar_one()
    resource_class = tx.connection.execute(
        select(resource_classes.c.name).where(resource_classes.c.id == slot.class_id)
    ).scalar_one()
    row = tx.connection.execute(
        select(
            inventories.c.total,
            inventories.c.reserved,
            inventories.c.min_unit,
            inventories.c.max_unit,
            inventories.c.step_size,
            inventories.c.allocation_ratio,
        ).where(
            inventories.c.resource_provider_id == slot.provider_id, inventories.c.resource_class_id == slot.class_id
        )
    ).one_or_none()
    if row is None:
        return InvalidInventory(resource_class, provider_uuid)
    inventory = Inventory(*row)
    if not all(inventory.allows(amount) for amount in demand.amounts):
        return ConstraintsViolated(resource_class, provider_uuid)
    return CapacityExceeded(resource_class, provider_uuid)


def _write_allocations(tx: Transaction, holders: Mapping[str, _Holder], wanted: Mapping[str, Holdings]) -> None:
    """Write only the rows that differ."""
    removed, changed, added = [], [], []
    for uuid, slots in wanted.items():
        holder = holders[uuid]
        removed += [_key(holder, slot) for slot in holder.held.keys() - slots.keys()]
        for slot, amount in slots.items():
            if slot not in holder.held:
                added.append(_row(tx, holder, slot, amount))
            elif holder.held[slot] != amount:
                changed.append(_key(holder, slot) | {"amount": amount})
    this_row = and_(
        allocations.c.consumer_id == bindparam("consumer"),
        allocations.c.resource_provider_id == bindparam("provider"),
        allocations.c.resource_class_id == bindparam("class"),
    )
    if removed:
        tx.connection.execute(delete(allocations).where(this_row), removed)
    if changed:
        tx.connection.execute(
            update(allocations).where(this_row).values(used=bindparam("amount"), updated_at=tx.now), changed
        )
    if added:
        tx.connection.execute(_ADD, added)


# With RETURNING, many rows are one statement, and so one way to the database; without, drivers send them one by one.
_ADD = insert(allocations).returning(allocations.c.consumer_id)


def _row(tx: Transaction, holder: _Holder, slot: Slot, amount: int) -> dict[str, object]:
    return {
        "consumer_id": holder.id,
        "resource_provider_id": slot.provider_id,
        "resource_class_id": slot.class_id,
        "used": amount,
        "created_at": tx.now,
        "updated_at": tx.now,
    }


def _key(holder: _Holder, slot: Slot) -> dict[str, int]:
    return {"consumer": holder.id, "provider": slot.provider_id, "class": slot.class_id}


def _write_consumers(tx: Transaction, claims: Sequence[Claim], holders: Mapping[str, _Holder]) -> None:
    """Move the generations on, note the owners, and forget consumers that hold nothing any more."""
    for claim in claims:
        holder = holders.get(claim.consumer_uuid)
        if holder is None:
            continue
        if not claim.amounts:
            tx.connection.execute(delete(consumers).where(consumers.c.id == holder.id))
            continue
        if holder.generation is None:
            continue  # it was created as it shall be
        values: dict[str, object] = {
            "generation": holder.generation + 1,
            "project_id": claim.project_id,
            "user_id": claim.user_id,
            "updated_at": tx.now,
        }
        if claim.consumer_type is not None:
            values["consumer_type"] = claim.consumer_type
        tx.connection.execute(update(consumers).where(consumers.c.id == holder.id).values(values))
