"""Changing what is used of inventories, if their rules allow: the conditional update that lets the database decide.

A read before it could be out of date, the update cannot. A refused one is read again only to word the error.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
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
    or_,
    select,
    update,
)

from moorage.db.database import Transaction, TryAgain
from moorage.placement.model.allocation import Slot, SlotDemand
from moorage.placement.model.errors import CapacityExceeded, ConstraintsViolated, InvalidInventory, LedgerError
from moorage.placement.model.inventory import MAX_AMOUNT, Inventory
from moorage.placement.store.tables import inventories, resource_classes, resource_providers


def take(tx: Transaction, demands: Mapping[Slot, SlotDemand], *, one_by_one: bool = False) -> None:
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
