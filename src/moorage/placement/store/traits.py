"""Which traits providers have."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import bindparam, delete, insert, select

from moorage.db.database import Transaction
from moorage.placement.model.provider import Name
from moorage.placement.store import names, provider_locks
from moorage.placement.store.provider_locks import LockedProvider
from moorage.placement.store.tables import provider_traits

_PRESENT = select(provider_traits.c.trait_id).where(provider_traits.c.resource_provider_id == bindparam("provider"))


def replace(
    tx: Transaction, provider_uuid: str, generation: int | None, wanted: Collection[str]
) -> tuple[int, list[Name]]:
    """Make these all the traits a provider has; its generation (which moves only if they changed), and the traits.

    Without a generation the client did not say what it knows, and whatever is there is replaced.
    """
    provider = provider_locks.lock(tx, provider_uuid)
    if generation is not None:
        provider.check_generation(generation)
    found = names.traits_named(tx.connection, wanted)
    if not _set(tx, provider, {trait.id for trait in found}):
        return provider.generation, found
    provider_locks.mark_changed(tx, [provider.id])
    return provider.generation + 1, found


def _set(tx: Transaction, provider: LockedProvider, wanted_ids: set[int]) -> bool:
    present_ids = set(tx.connection.execute(_PRESENT, {"provider": provider.id}).scalars())
    if wanted_ids == present_ids:
        return False
    if surplus := present_ids - wanted_ids:
        tx.connection.execute(
            delete(provider_traits).where(
                provider_traits.c.resource_provider_id == provider.id, provider_traits.c.trait_id.in_(sorted(surplus))
            )
        )
    if missing := wanted_ids - present_ids:
        rows = [{"resource_provider_id": provider.id, "trait_id": key} for key in sorted(missing)]
        tx.connection.execute(insert(provider_traits), rows)
    return True
