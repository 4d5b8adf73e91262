"""What is asked of a cloud as far as the cloud itself knows: the servers that there are, and no promises."""

from __future__ import annotations

from collections import Counter, defaultdict

from moorage.capacity.model.cloud import Cloud
from moorage.capacity.model.configuration import Configuration
from moorage.capacity.model.demand import CapacityRequest, Demand, ResourceDemand
from moorage.capacity.selection.flavors import split_flavors


def present_demand(cloud: Cloud, configuration: Configuration) -> CapacityRequest:
    """All zones of the cloud, and the servers of split flavors in them; whoever knows more has a better request."""
    zones = tuple(sorted({each.availability_zone for each in cloud.aggregates if each.availability_zone}))
    resource_of = {
        flavor.id: flavor.resource_name for flavor in split_flavors(configuration.flavor_selection, cloud.flavors)
    }
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for server in cloud.servers:
        if server.flavor_id in resource_of and server.availability_zone in zones:
            counts[resource_of[server.flavor_id]][server.availability_zone] += 1
    return CapacityRequest(
        zones,
        {
            resource: ResourceDemand({zone: Demand(usage=count) for zone, count in by_zone.items()})
            for resource, by_zone in counts.items()
        },
    )
