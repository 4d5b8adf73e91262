"""Aggregates of compute that leases need: the free pool, and one for each reservation of hosts."""

from __future__ import annotations

from collections.abc import Mapping

from moorage.client.compute import Aggregate, ComputeClient
from moorage.client.errors import Conflict


def ensure_aggregate(
    compute: ComputeClient, name: str, metadata: Mapping[str, str], number: int | None = None
) -> Aggregate:
    """The aggregate with this name, made if it is missing, with at least this metadata.

    `number` is what it is believed to have, which saves a look at all of them.
    """
    found = (compute.aggregate(number) if number is not None else None) or aggregate_named(compute, name)
    if found is None or found.name != name:
        try:
            found = compute.create_aggregate(name)
        except Conflict:
            found = aggregate_named(compute, name)
            if found is None:
                raise
    missing = {key: value for key, value in metadata.items() if found.metadata.get(key) != value}
    return compute.set_aggregate_metadata(found.id, dict(missing)) if missing else found


def aggregate_named(compute: ComputeClient, name: str) -> Aggregate | None:
    """The aggregate with this name, if there is one."""
    return next((aggregate for aggregate in compute.aggregates() if aggregate.name == name), None)
