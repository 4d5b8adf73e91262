"""Which aggregates providers are members of."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, delete, insert, select

from moorage.db.database import Transaction
from moorage.placement.store import provider_locks
from moorage.placement.store.tables import provider_aggregates


def replace(tx: Transaction, provider_uuid: str, generation: int | None, wanted: Collection[str]) -> int:
    """Make these all the aggregates a provider is a member of; its generation.

    Before microversion 1.19 a client gives no generation, and the provider's does not move.
    """
    provider = provider_locks.lock(tx, provider_uuid)
    if generation is not None:
        provider.check_generation(generation)
    present = set(_aggregates(tx.connection, provider.id))
    if surplus := present - set(wanted):
        tx.connection.execute(
            delete(provider_aggregates).where(
                provider_aggregates.c.resource_provider_id == provider.id,
                provider_aggregates.c.aggregate_uuid.in_(sorted(surplus)),
            )
        )
    if missing := set(wanted) - present:
        rows = [{"resource_provider_id": provider.id, "aggregate_uuid": uuid} for uuid in sorted(missing)]
        tx.connection.execute(insert(provider_aggregates), rows)
    moves = 0 if generation is None else 1
    if moves or surplus or missing:
        provider_locks.mark_changed(tx, [provider.id], generations=moves)
    return provider.generation + moves


def _aggregates(connection: Connection, provider_id: int) -> list[str]:
    return list(
        connection.execute(
            select(provider_aggregates.c.aggregate_uuid)
            .where(provider_aggregates.c.resource_provider_id == provider_id)
            .order_by(provider_aggregates.c.aggregate_uuid)
        ).scalars()
    )
