"""A cloud as far as its capacity goes: everything that a capacity report is made from, read at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from moorage.capacity.model.cloud import Cloud, Server
from moorage.capacity.model.configuration import Configuration
from moorage.capacity.model.hypervisor import Aggregate
from moorage.capacity.reading.flavors import read_flavors
from moorage.capacity.reading.hypervisors import read_hypervisors, read_providers_at_once
from moorage.capacity.selection.flavors import split_flavor_of
from moorage.client.at_once import ask_at_once
from moorage.client.compute import ComputeClient, ServerFilter
from moorage.client.placement import PlacementClient
from moorage.reservations.model import names


def read_cloud(nova: ComputeClient, placement: PlacementClient, configuration: Configuration) -> Cloud:
    """The cloud as it is now, with the servers that split flavors count; others do not matter one by one."""
    return with_servers(read_room(nova, placement, configuration), nova, configuration)


def with_servers(room: Cloud, nova: ComputeClient, configuration: Configuration) -> Cloud:
    """The same cloud with the servers that split flavors count, those of leases too."""
    split = split_flavor_of(configuration.flavor_selection, room.flavors)
    return replace(room, servers=_servers(nova, list(split)))


def read_room(nova: ComputeClient, placement: PlacementClient, configuration: Configuration) -> Cloud:
    """What hypervisors have and what of it is used, and nothing of who uses it, which takes much longer.

    Lists are read side by side.
    """
    questions: dict[str, Callable[[], Any]] = {
        "flavors": lambda: read_flavors(nova),
        "hypervisors": nova.hypervisors,
        "aggregates": nova.aggregates,
        "providers": lambda: read_providers_at_once(placement),
    }
    answers = ask_at_once(lambda name: questions[name](), questions)
    return Cloud(
        flavors=answers["flavors"],
        hypervisors=read_hypervisors(
            answers["hypervisors"], answers["providers"], placement, configuration.hypervisor_selection
        ),
        aggregates=tuple(
            Aggregate(
                name=aggregate.name,
                availability_zone=aggregate.availability_zone or "",
                hosts=tuple(aggregate.hosts),
                is_of_leases=any(key.startswith(names.PREFIX) for key in aggregate.metadata),
            )
            for aggregate in answers["aggregates"]
        ),
        servers=(),
    )


def _servers(nova: ComputeClient, flavor_ids: Sequence[str]) -> tuple[Server, ...]:
    listed = ask_at_once(lambda flavor_id: nova.servers(ServerFilter(flavor=flavor_id)), flavor_ids)
    return tuple(
        Server(
            flavor_id=flavor_id,
            availability_zone=server.availability_zone,
            hypervisor_hostname=server.hypervisor_name or "",
        )
        for flavor_id in flavor_ids
        for server in listed[flavor_id]
    )
