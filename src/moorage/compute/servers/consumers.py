"""Servers as consumers of Placement: under which UUIDs they hold what.

A server holds its resources under its own UUID. While a resize waits to be confirmed, what the server held before is
held under a second UUID that follows from the first: so whoever finds one of them knows the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from uuid import UUID, uuid5

import os_traits

from moorage.client.errors import NotFound
from moorage.client.placement import ConsumerAllocations, PlacementClient
from moorage.compute.model.flavor import Flavor
from moorage.compute.model.server import Server
from moorage.compute.placing.extra_specs import read_extra_specs
from moorage.compute.placing.resources import Amounts, resources_by_group

INSTANCE = "INSTANCE"
MIGRATION = "MIGRATION"


def resize_consumer(server_uuid: str) -> str:
    """Who holds what a server had before a resize."""
    return str(uuid5(UUID(server_uuid), "resize"))


def holding(
    server: Server, allocations: Mapping[str, Amounts], generation: int | None = None, consumer_type: str = INSTANCE
) -> ConsumerAllocations:
    """What a server shall hold, as Placement wants to hear it."""
    return ConsumerAllocations(
        allocations=allocations,
        project_id=server.project_id,
        user_id=server.user_id,
        consumer_type=consumer_type,
        generation=generation,
    )


def is_held_for(flavor: Flavor, held: ConsumerAllocations | None) -> bool:
    """Whether somebody holds as much as a server of a flavor, wherever that is."""
    wanted = resources_by_group(flavor, read_extra_specs(flavor.extra_specs)).values()
    return held is not None and _total(held.allocations.values()) == _total(wanted)


def _total(amounts: Iterable[Amounts]) -> Counter[str]:
    total = Counter[str]()
    for each in amounts:
        total.update(each)
    return total


def release(placement: PlacementClient, server_uuid: str) -> None:
    """Give back all that a server holds, also what it held before a resize."""
    for consumer in (server_uuid, resize_consumer(server_uuid)):
        give_back(placement, consumer)


def give_back(placement: PlacementClient, consumer_uuid: str) -> None:
    """Give back all that a consumer holds, if it holds anything."""
    with suppress(NotFound):
        placement.delete_allocations(consumer_uuid)


def host_among(placement: PlacementClient, provider_uuids: Iterable[str]) -> str | None:
    """The root provider of the host that some providers belong to; None if none of them is there."""
    found = (placement.provider(uuid) for uuid in sorted(provider_uuids))
    roots = sorted({provider.root_uuid for provider in found if provider is not None})
    if len(roots) < 2:  # noqa: PLR2004 - nothing to choose between
        return next(iter(roots), None)
    # What hosts share, such as a storage, is among them, too.
    return max(roots, key=lambda root: os_traits.COMPUTE_NODE in placement.traits(root).traits)


def host_name(placement: PlacementClient, provider_uuid: str) -> str:
    """What the host with this root provider is called."""
    provider = placement.provider(provider_uuid)
    return provider.name if provider is not None else provider_uuid
