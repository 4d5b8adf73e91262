"""Servers get another image, or the same one as it is now; host and flavor stay.

Before anything changes it is checked that what the server holds has the traits that the image requires: see
`moorage.compute.placing.rebuild`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from moorage.compute.context import Compute
from moorage.compute.model.image import Image
from moorage.compute.model.server import Server
from moorage.compute.placing.rebuild import check_rebuild
from moorage.compute.placing.refusals import ForeignHost, MissingTraits
from moorage.compute.placing.settings import placing_settings
from moorage.compute.quotas import limits_for
from moorage.compute.servers.errors import RebuildRefused, ServerNotFound, WrongState
from moorage.compute.servers.quotas import check_metadata
from moorage.compute.servers.sizes import check_sizes
from moorage.compute.store import servers as server_store
from moorage.db.database import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuild:
    """What shall be different; what is None stays."""

    image: Image
    name: str | None = None
    metadata: Mapping[str, str] | None = None
    description: str | None = None
    changes_description: bool = False


def rebuild(compute: Compute, server: Server, wanted: Rebuild) -> Server:
    """The server with its new image; RebuildRefused, or a Refusal, with the server as it was."""
    if server.status not in ("ACTIVE", "ERROR") or server.task_state is not None or server.host is None:
        raise WrongState(server, "rebuild")
    check_sizes(server.flavor, wanted.image.minimum)
    if wanted.metadata is not None:
        check_metadata(wanted.metadata, compute.read(limits_for, compute.settings, server.project_id))
    held = compute.placement.allocations(server.uuid)
    if held is None:
        raise RebuildRefused(
            f"The server {server.uuid} holds nothing in Placement, so nothing can be said about its host;"
            " `moorage audit` puts that right."
        )
    try:
        required = check_rebuild(
            server.flavor,
            wanted.image.boot_image,
            [compute.placement.traits(provider).traits for provider in sorted(held.allocations)],
            server.host,
            compute.catalogue().aggregates,
            placing_settings(compute.settings),
            server.project_id,
        )
    except (MissingTraits, ForeignHost) as refusal:
        raise RebuildRefused(str(refusal)) from refusal
    rebuilt = compute.write(_rebuilt, server, wanted, required)
    if rebuilt is None:
        raise ServerNotFound(server.uuid)
    return rebuilt


def _rebuilt(tx: Transaction, server: Server, wanted: Rebuild, required: frozenset[str]) -> Server | None:
    def with_image(now: Server) -> Server:
        # What was checked is what was read: the same flavor in the same place, and no resize in between.
        checked = (server.status, None, server.provider_uuid, server.flavor)
        if (now.status, now.task_state, now.provider_uuid, now.flavor) != checked:
            raise WrongState(now, "rebuild")
        return replace(
            now,
            status="ACTIVE",
            fault=None,
            image_uuid=wanted.image.uuid,
            image_properties=wanted.image.properties,
            image_minimum=wanted.image.minimum,
            required_traits=required,
            name=wanted.name or now.name,
            metadata=now.metadata if wanted.metadata is None else wanted.metadata,
            description=wanted.description if wanted.changes_description else now.description,
            launched_at=tx.now,
        )

    return server_store.change(tx, server.uuid, with_image)
