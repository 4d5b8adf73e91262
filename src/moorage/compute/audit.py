"""Do servers and allocations agree? What is on record is compared with what Placement holds, and put right.

Everything that happens to a server is a few steps, each of which a killed process may have been the last: a record
without a claim, a claim without a record, a deletion that was begun. Each leaves a trace that says how to go on, and
going on twice does no harm.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum

from moorage.client.errors import ClientError
from moorage.client.placement import PlacementClient
from moorage.compute.audit_repairs import REPAIRS
from moorage.compute.context import Compute
from moorage.compute.model.server import CONFIRMING, DELETING, RESIZING, REVERTING, Server
from moorage.compute.servers.consumers import INSTANCE, resize_consumer
from moorage.compute.store import servers as server_store
from moorage.db.database import utc_now

LOG = logging.getLogger(__name__)

# Deleted servers are remembered for so long; a claim that comes later than that is nobody's.
REMEMBERED = timedelta(days=30)


class Kind(Enum):
    """What can be found."""

    WITHOUT_ALLOCATION = "server_without_allocation"
    WITHOUT_SERVER = "allocation_without_server"
    STUCK_BUILD = "stuck_build"
    STUCK_DELETE = "stuck_delete"
    STUCK_RESIZE = "stuck_resize"
    LEFT_OVER = "left_over_allocation"
    UNKNOWN_CONSUMER = "unknown_consumer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A server or a consumer with which something is wrong."""

    kind: Kind
    # Of the server, or of the consumer if there is no server.
    uuid: str
    text: str
    # What was done about it; None if nothing was.
    repair: str | None = None


def audit(compute: Compute, *, fix: bool, age: timedelta) -> list[Finding]:
    """Everything that does not agree and has not been touched for so long; with `fix` it is put right."""
    # In this order: whoever holds something by now has been on record before.
    consumers = holders(compute.placement)
    servers = compute.read(server_store.everything)
    found = [*findings(servers, consumers, utc_now() - age), *_unknown(compute.placement, servers, consumers)]
    if not fix:
        return found
    by_uuid = {server.uuid: server for server in servers}
    repaired = [_repaired(compute, finding, by_uuid.get(finding.uuid)) for finding in found]
    compute.write(server_store.forget_deleted, utc_now() - REMEMBERED)
    return repaired


def findings(servers: Sequence[Server], consumers: Collection[str], before: datetime) -> Iterator[Finding]:
    """What is wrong with servers that nobody has touched since a time, given who holds anything."""
    for server in servers:
        holds, held_before = server.uuid in consumers, resize_consumer(server.uuid) in consumers
        if server.status == "DELETED":
            if holds or held_before:
                yield _finding(Kind.WITHOUT_SERVER, server, "is deleted and still holds resources")
        elif server.updated_at > before:
            continue
        elif server.task_state is not None:
            yield _stuck(server)
        else:
            yield from _settled(server, holds=holds, held_before=held_before)


def _stuck(server: Server) -> Finding:
    kinds = {
        DELETING: Kind.STUCK_DELETE,
        RESIZING: Kind.STUCK_RESIZE,
        CONFIRMING: Kind.STUCK_RESIZE,
        REVERTING: Kind.STUCK_RESIZE,
    }
    text = f"has been in the task state {server.task_state} since {server.updated_at}"
    return _finding(kinds.get(server.task_state or "", Kind.STUCK_BUILD), server, text)


def _settled(server: Server, *, holds: bool, held_before: bool) -> Iterator[Finding]:
    if server.host is not None and not holds:
        yield _finding(Kind.WITHOUT_ALLOCATION, server, f"has its place on {server.host} and holds nothing")
    if server.host is None and holds:
        yield _finding(Kind.LEFT_OVER, server, "has no place and holds resources")
    if held_before and server.resize_origin is None:
        yield _finding(Kind.LEFT_OVER, server, "holds what it had before a resize that has ended")


def holders(placement: PlacementClient) -> frozenset[str]:
    """Every consumer that holds anything."""
    if placement.is_moorage():
        used = placement.read_providers(["usages"])
        providers = [provider.uuid for provider in used if any((provider.usages or {}).values())]
    else:
        providers = [provider.uuid for provider in placement.providers()]
    return frozenset(consumer for uuid in providers for consumer in placement.provider_allocations(uuid))


def _unknown(placement: PlacementClient, servers: Sequence[Server], consumers: Collection[str]) -> Iterator[Finding]:
    """Instances that no server is: of another Nova that shares the Placement perhaps, so only ever reported."""
    known = {uuid for server in servers for uuid in (server.uuid, resize_consumer(server.uuid))}
    for uuid in sorted(set(consumers) - known):
        held = placement.allocations(uuid)
        if held is not None and held.consumer_type == INSTANCE:
            text = f"The consumer {uuid} of the project {held.project_id} is an instance, and no server is known by it."
            yield Finding(kind=Kind.UNKNOWN_CONSUMER, uuid=uuid, text=text)


def _finding(kind: Kind, server: Server, text: str) -> Finding:
    return Finding(kind=kind, uuid=server.uuid, text=f'The server {server.uuid} ("{server.name}") {text}.')


def _repaired(compute: Compute, finding: Finding, server: Server | None) -> Finding:
    repair = _BY_KIND.get(finding.kind)
    if repair is None or server is None:
        return finding
    try:
        return replace(finding, repair=REPAIRS[repair](compute, server))
    except ClientError as error:
        LOG.warning("Nothing could be done about the server %s: %s", server.uuid, error)
        return finding


_BY_KIND: Mapping[Kind, str] = {
    Kind.WITHOUT_ALLOCATION: "claim",
    Kind.WITHOUT_SERVER: "release",
    Kind.STUCK_BUILD: "finish_build",
    Kind.STUCK_DELETE: "finish_delete",
    Kind.STUCK_RESIZE: "finish_resize",
    Kind.LEFT_OVER: "release_left_over",
}


def in_words(found: Sequence[Finding]) -> Iterator[str]:
    """The findings as sentences, and a last one that sums them up."""
    for finding in found:
        yield f"{finding.text} {finding.repair}" if finding.repair else finding.text
    repaired = sum(finding.repair is not None for finding in found)
    yield f"{len(found)} found, {repaired} repaired." if found else "Servers and allocations agree."
