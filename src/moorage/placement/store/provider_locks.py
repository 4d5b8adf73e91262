"""Taking providers for a transaction, and noting that they changed: what everything that writes needs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import bindparam, or_, select, update

from moorage.db.batches import batches
from moorage.db.database import Transaction
from moorage.placement.model.errors import GenerationConflict, ProviderNotFound
from moorage.placement.store.tables import resource_providers

# What every write needs is put together once: building a statement takes longer than the database takes to run it.
_BY_UUID = resource_providers.c.uuid.in_(bindparam("uuids", expanding=True))
_BY_ID = resource_providers.c.id.in_(bindparam("ids", expanding=True))
_LOCKED = (
    select(resource_providers.c.id, resource_providers.c.uuid, resource_providers.c.generation)
    .order_by(resource_providers.c.id)
    # "No key update": rows that refer to the provider may be inserted meanwhile.
    .with_for_update(key_share=True)
)
_LOCK = _LOCKED.where(_BY_UUID)
_LOCK_IDS = _LOCKED.where(_BY_ID)
_LOCK_BOTH = _LOCKED.where(or_(_BY_UUID, _BY_ID))
_MARKED = {
    "generation": resource_providers.c.generation + bindparam("generations"),
    "revision": resource_providers.c.revision + 1,
    "updated_at": bindparam("now"),
}
_MARK = update(resource_providers).where(_BY_ID).values(_MARKED)
_LOCK_AND_MARK = (
    update(resource_providers)
    .where(resource_providers.c.id.in_(select(_LOCK.cte("locked").c.id)))
    .values(_MARKED)
    .returning(resource_providers.c.id, resource_providers.c.uuid, resource_providers.c.generation)
)


@dataclass(frozen=True, slots=True)
class LockedProvider:
    """A provider's row that nobody else can change until the transaction ends."""

    id: int
    uuid: str
    generation: int

    def check_generation(self, given: int) -> None:
        """Refuse a client whose knowledge of the provider is out of date."""
        if self.generation != given:
            raise GenerationConflict(self.uuid, actual=self.generation, given=given)


def lock(tx: Transaction, uuid: str) -> LockedProvider:
    """Take a provider for this transaction."""
    locked = lock_many(tx, [uuid])
    if uuid not in locked:
        raise ProviderNotFound(uuid)
    return locked[uuid]


def lock_many(tx: Transaction, uuids: Collection[str], ids: Collection[int] = ()) -> dict[str, LockedProvider]:
    """Take providers, named by UUID or by number, in one order for everybody; those that exist, by UUID."""
    if not ids:
        rows = tx.connection.execute(_LOCK, {"uuids": sorted(uuids)})
    elif not uuids:
        rows = tx.connection.execute(_LOCK_IDS, {"ids": sorted(ids)})
    else:
        rows = tx.connection.execute(_LOCK_BOTH, {"uuids": sorted(uuids), "ids": sorted(ids)})
    return {row.uuid: LockedProvider(*row) for row in rows}


def lock_and_mark(tx: Transaction, uuids: Collection[str], *, kind: str) -> dict[str, LockedProvider]:
    """Take providers that will change for certain, and note the change, in one statement; not on MariaDB."""
    values = {"uuids": sorted(uuids), "generations": 1, "now": tx.now}
    locked = {row.uuid: LockedProvider(*row) for row in tx.connection.execute(_LOCK_AND_MARK, values)}
    for key in sorted(provider.id for provider in locked.values()):
        tx.changed(kind, key)
    return locked


def mark_changed(
    tx: Transaction, provider_ids: Collection[int], *, generations: int = 1, kind: str = "provider"
) -> None:
    """Note a change of providers: the revision moves always, the generation as far as the API says."""
    if not provider_ids:
        return
    numbers = sorted(provider_ids)
    for batch in batches(numbers):
        tx.connection.execute(_MARK, {"ids": batch, "generations": generations, "now": tx.now})
    for key in numbers:
        tx.changed(kind, key)
