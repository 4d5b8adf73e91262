"""Who holds what: the rows of consumers and of their allocations, as a claim locks and writes them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import and_, bindparam, delete, insert, select, update
from sqlalchemy.sql.dml import ReturningInsert

from moorage.db.database import Transaction, TryAgain
from moorage.db.statements import insert_ignoring_duplicates
from moorage.placement.model.allocation import AnyGeneration, Claim, Slot
from moorage.placement.model.errors import ConsumerGenerationConflict
from moorage.placement.store.tables import allocations, consumers

Holdings = dict[Slot, int]

_FIRST_GENERATION = 1


@dataclass(frozen=True, slots=True)
class Holder:
    """A consumer whose row is locked, and what it holds so far."""

    id: int
    generation: int | None  # None if this transaction has created it
    held: Holdings


def lock(tx: Transaction, claims: Sequence[Claim]) -> dict[str, Holder]:
    """Lock the consumers, check their generations, and create those that come to hold something for the first time."""
    by_uuid = {claim.consumer_uuid: claim for claim in claims}
    # A claim that says its consumer is new most likely tells the truth: then there is nothing to look for. Making it
    # before others are locked leaves the order of UUIDs; whoever collides over that is tried again.
    new = sorted(uuid for uuid, claim in by_uuid.items() if claim.generation is None and claim.amounts)
    holders = _create_consumers(tx, [by_uuid[uuid] for uuid in new])
    existing = lock_existing(tx, by_uuid.keys() - holders.keys())
    for uuid, claim in by_uuid.items():
        actual = existing[uuid].generation if uuid in existing else None
        if claim.generation is not AnyGeneration.ANY and claim.generation != actual:
            raise ConsumerGenerationConflict(actual, claim.generation)
    missing = sorted(
        uuid for uuid, claim in by_uuid.items() if claim.amounts and uuid not in existing and uuid not in holders
    )
    made = _create_consumers(tx, [by_uuid[uuid] for uuid in missing])
    if len(made) < len(missing):
        raise TryAgain  # somebody has made one since it was looked for; what it holds now is to be read and replaced
    return holders | existing | made


def _create_consumers(tx: Transaction, claims: Sequence[Claim]) -> dict[str, Holder]:
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
    return {uuid: Holder(key, None, {}) for uuid, key in created}


@cache
def _creating_consumers(dialect: str) -> ReturningInsert[Any]:
    return insert_ignoring_duplicates(dialect, consumers).returning(consumers.c.uuid, consumers.c.id)


def lock_existing(tx: Transaction, consumer_uuids: Collection[str]) -> dict[str, Holder]:
    """Lock those consumers that there are, in the order of their UUIDs, and read what they hold."""
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
    return {row.uuid: Holder(row.id, row.generation, held[row.id]) for row in rows}


def remove(tx: Transaction, holder: Holder) -> None:
    """Forget a consumer and all that it holds."""
    tx.connection.execute(delete(allocations).where(allocations.c.consumer_id == holder.id))
    tx.connection.execute(delete(consumers).where(consumers.c.id == holder.id))


def write_allocations(tx: Transaction, holders: Mapping[str, Holder], wanted: Mapping[str, Holdings]) -> None:
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


def _row(tx: Transaction, holder: Holder, slot: Slot, amount: int) -> dict[str, object]:
    return {
        "consumer_id": holder.id,
        "resource_provider_id": slot.provider_id,
        "resource_class_id": slot.class_id,
        "used": amount,
        "created_at": tx.now,
        "updated_at": tx.now,
    }


def _key(holder: Holder, slot: Slot) -> dict[str, int]:
    return {"consumer": holder.id, "provider": slot.provider_id, "class": slot.class_id}


def write_owners(tx: Transaction, claims: Sequence[Claim], holders: Mapping[str, Holder]) -> None:
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
