"""The origins of providers: who added what to them, kept for the agents of hosts.

The generation of a provider covers its origin as well. An agent that has not seen that another one took the provider
over is refused by the generation, whatever it was about to write.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from moorage.db.batches import batches
from moorage.db.database import Transaction
from moorage.placement.model.errors import ProviderNotFound
from moorage.placement.model.origin import Origin
from moorage.placement.store import provider_locks
from moorage.placement.store.tables import provider_origins, resource_providers

_columns = provider_origins.c
_OF_PROVIDERS = select(_columns.resource_provider_id, _columns.host, _columns.made, _columns.document).where(
    _columns.resource_provider_id.in_(bindparam("ids", expanding=True))
)
_OF_ONE = (
    select(
        resource_providers.c.generation,
        _columns.updated_at,
        _columns.resource_provider_id,
        _columns.host,
        _columns.made,
        _columns.document,
    )
    .select_from(resource_providers)
    .outerjoin(provider_origins, _columns.resource_provider_id == resource_providers.c.id)
    .where(resource_providers.c.uuid == bindparam("uuid"))
)
_UPDATE = (
    update(provider_origins)
    .where(_columns.resource_provider_id == bindparam("key"))
    .values({name: bindparam(name) for name in ("host", "made", "document", "updated_at")})
)


@dataclass(frozen=True, slots=True)
class KeptOrigin:
    """An origin, when it was last changed, and the generation of its provider."""

    generation: int
    origin: Origin
    updated_at: datetime


# --- reading


def find(connection: Connection, provider_uuid: str) -> KeptOrigin | None:
    """The origin of a provider, or None if nobody has left one."""
    row = connection.execute(_OF_ONE, {"uuid": provider_uuid}).one_or_none()
    if row is None:
        raise ProviderNotFound(provider_uuid)
    return None if row.host is None else KeptOrigin(row.generation, _origin(row), row.updated_at)


def of_providers(connection: Connection, provider_ids: Collection[int]) -> dict[int, Origin]:
    """The origins of these providers, as far as they have one, by the providers' numbers."""
    return {
        row.resource_provider_id: _origin(row)
        for batch in batches(sorted(provider_ids))
        for row in connection.execute(_OF_PROVIDERS, {"ids": batch})
    }


def providers_of_host(connection: Connection, host: str) -> frozenset[int]:
    """The numbers of the providers whose origin names this host."""
    return frozenset(connection.execute(select(_columns.resource_provider_id).where(_columns.host == host)).scalars())


def kept_providers(connection: Connection) -> frozenset[int]:
    """The numbers of all providers that have an origin, so that some agent keeps them."""
    return frozenset(connection.execute(select(_columns.resource_provider_id)).scalars())


# --- writing


def replace(tx: Transaction, provider_uuid: str, generation: int | None, wanted: Origin | None) -> int:
    """Give a provider an origin, or none; its generation, which moves only if that changed something.

    Without a generation the client did not say what it knows, and whatever is there is replaced.
    """
    provider = provider_locks.lock(tx, provider_uuid)
    if generation is not None:
        provider.check_generation(generation)
    changed = write(tx, {provider.id: wanted})
    provider_locks.mark_changed(tx, changed)
    return provider.generation + len(changed)


def write(tx: Transaction, wanted: Mapping[int, Origin | None]) -> set[int]:
    """Give locked providers, by number, these origins; the numbers of those that had another one before."""
    present = of_providers(tx.connection, wanted)
    changed = {key: origin for key, origin in wanted.items() if origin != present.get(key)}
    gone = sorted(key for key, origin in changed.items() if origin is None)
    for batch in batches(gone):
        tx.connection.execute(delete(provider_origins).where(_columns.resource_provider_id.in_(batch)))
    rows = {key: _row(tx, origin) for key, origin in changed.items() if origin is not None}
    if other := [{"key": key, **row} for key, row in rows.items() if key in present]:
        tx.connection.execute(_UPDATE, other)
    if new := [
        {"resource_provider_id": key, "created_at": tx.now, **row} for key, row in rows.items() if key not in present
    ]:
        tx.connection.execute(insert(provider_origins), new)
    return set(changed)


# --- rows


class _Document(msgspec.Struct, frozen=True):
    inventories: dict[str, str]
    traits: dict[str, str]
    aggregates: dict[str, str]


_decode = msgspec.json.Decoder(_Document).decode
_encode = msgspec.json.Encoder(order="deterministic").encode


def _origin(row: Any) -> Origin:
    document = _decode(row.document)
    return Origin(row.host, row.made, document.inventories, document.traits, document.aggregates)


def _row(tx: Transaction, origin: Origin) -> dict[str, Any]:
    document = _Document(dict(origin.inventories), dict(origin.traits), dict(origin.aggregates))
    return {
        "host": origin.host,
        "made": origin.made,
        "document": _encode(document).decode(),
        "updated_at": tx.now,
    }
