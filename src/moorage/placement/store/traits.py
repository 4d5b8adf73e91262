"""Which traits providers have."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, delete, insert, select

from moorage.db.database import Transaction
from moorage.placement.model.provider import Name
from moorage.placement.store import names, providers
from moorage.placement.store.providers import LockedProvider
from moorage.placement.store.tables import provider_traits, traits


def replace(
    tx: Transaction, provider_uuid: str, generation: int | None, wanted: Collection[str]
) -> tuple[int, list[Name]]:
    """Make these all the traits a provider has; its generation (which moves only if they changed), and the traits.

    Without a generation the client did not say what it knows, and whatever is there is replaced.
    """
    provider = providers.lock(tx, provider_uuid)
    if generation is not None:
        provider.check_generation(generation)
    if not _set(tx, provider, wanted):
        return provider.generation, _traits(tx.connection, provider.id)
    providers.mark_changed(tx, [provider.id])
    return provider.generation + 1, _traits(tx.connection, provider.id)


def _set(tx: Transaction, provider: LockedProvider, wanted: Collection[str]) -> bool:
    wanted_ids = set(names.trait_ids(tx.connection, wanted).values())
    present_ids = {trait.id for trait in _traits(tx.connection, provider.id)}
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


def _traits(connection: Connection, provider_id: int) -> list[Name]:
    rows = connection.execute(
        select(traits.c.id, traits.c.name, traits.c.updated_at)
        .join(provider_traits, provider_traits.c.trait_id == traits.c.id)
        .where(provider_traits.c.resource_provider_id == provider_id)
        .order_by(traits.c.id)
    )
    return [Name(*row) for row in rows]
