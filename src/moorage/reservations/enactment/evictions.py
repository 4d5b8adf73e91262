"""The end of instances whose lease is over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moorage.client.compute import ComputeClient, Server, ServerFilter
from moorage.client.errors import Conflict, NotFound, Refused
from moorage.client.placement import PlacementClient
from moorage.reservations.enactment.errors import NotYet

_BEING_DELETED = "deleting"
_KEPT_FOR_A_WHILE = "SOFT_DELETED"
_TOLD = 3


def delete_servers(compute: ComputeClient, servers: Iterable[Server]) -> None:
    """Have servers deleted; those that are being deleted are left alone."""
    for server in servers:
        if server.task_state == _BEING_DELETED:
            continue
        try:
            if server.status == _KEPT_FOR_A_WHILE:
                compute.force_delete_server(server.id)
            else:
                compute.delete_server(server.id)
        except (NotFound, Conflict):
            # Gone, or busy: then it is looked at again.
            pass


def servers_of_flavor(compute: ComputeClient, flavor_id: str) -> dict[str, Server]:
    """All servers of a flavor, by id."""
    found: tuple[Server, ...] = ()
    for status in (None, _KEPT_FOR_A_WHILE):
        try:
            found += compute.servers(ServerFilter(flavor=flavor_id, status=status))
        except Refused:
            # A Nova answers so for a flavor that there is not, and then there is nothing to find.
            if compute.flavor(flavor_id) is not None:
                raise
    return {server.id: server for server in found}


def servers_on_host(compute: ComputeClient, host: str) -> dict[str, Server]:
    """All servers that are on a host."""
    found = [
        server
        for status in (None, _KEPT_FOR_A_WHILE)
        for server in compute.servers(ServerFilter(host=host, status=status))
    ]
    return {server.id: server for server in found}


def consumers_of(
    placement: PlacementClient, provider_uuids: Iterable[str], resource_class: str | None = None
) -> Mapping[str, str]:
    """Who holds something of providers, or of one class of theirs: providers by consumer."""
    held: dict[str, str] = {}
    for uuid in provider_uuids:
        try:
            allocations = placement.provider_allocations(uuid)
        except NotFound:
            continue
        held |= {
            consumer: uuid
            for consumer, amounts in allocations.items()
            if resource_class is None or resource_class in amounts
        }
    return held


def refuse_while_held(consumers: Iterable[str], of_what: str) -> None:
    """NotYet if there is anybody."""
    waiting = sorted(consumers)
    if waiting:
        more = f" and {len(waiting) - _TOLD} more" if len(waiting) > _TOLD else ""
        raise NotYet(f"{', '.join(waiting[:_TOLD])}{more} still hold {of_what}; they are being deleted.")
