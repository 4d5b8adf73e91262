"""Removing many providers: those that nobody uses and that are nobody's parents, each other's aside."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from moorage.db.batches import batches
from moorage.db.database import Transaction
from moorage.placement.index.records import Record
from moorage.placement.model.errors import LedgerError, ProviderHasChildren, ProviderInUse, ProvidersRefused
from moorage.placement.store import providers
from moorage.placement.store.tables import allocations, resource_providers


def remove(tx: Transaction, surplus: Sequence[Record]) -> tuple[str, ...]:
    """Remove locked providers with all they have; their UUIDs."""
    uuids = {record.provider.id: record.provider.uuid for record in surplus}
    refusals: dict[str, LedgerError] = {}
    for batch in batches(sorted(uuids)):
        children = select(resource_providers.c.id, resource_providers.c.parent_provider_id).where(
            resource_providers.c.parent_provider_id.in_(batch)
        )
        parents = {parent for child, parent in tx.connection.execute(children) if child not in uuids}
        holders = (
            select(allocations.c.resource_provider_id).distinct().where(allocations.c.resource_provider_id.in_(batch))
        )
        refusals |= {uuids[key]: ProviderInUse() for key in tx.connection.execute(holders).scalars()}
        refusals |= {uuids[key]: ProviderHasChildren() for key in parents}
    if refusals:
        raise ProvidersRefused(refusals)
    providers.delete_rows(tx, uuids)
    return tuple(uuids.values())
